import type { IDataObject } from 'n8n-workflow';

import type { ServiceError } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';

/** What a check found, for an operation's `output`: `success` says if it is good, with the message and the details. */
export function verdict({ success, message, data }: IDataObject): IDataObject | undefined {
	if (typeof success !== 'boolean') {
		return undefined;
	}
	return { success, ...(message !== undefined && { message }), ...Object(data) };
}

/**
 * For an operation's `recover`: a check that did not succeed is a result, whatever HTTP status it comes with; the
 * status is not published. It is told from a refusal by the details that it carries.
 */
export function failedVerdict({ body }: ServiceError): IDataObject | undefined {
	const failed = isRecord(body) && body.success === false && isRecord(body.data);
	return failed ? verdict(body as IDataObject) : undefined;
}
