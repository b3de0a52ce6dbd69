import type { IDataObject } from 'n8n-workflow';

import type { ServiceError } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/json';

/** The result of a check, for `output`: `success`, message and details. @returns undefined without `success` */
export function verdict({ success, message, data }: IDataObject): IDataObject | undefined {
	if (typeof success !== 'boolean') {
		return undefined;
	}
	return { success, ...(message !== undefined && { message }), ...Object(data) };
}

/**
 * The result of a failed check, for `recover`. The HTTP status of a failed check is not published; the details in
 * `data` distinguish it from an error.
 */
export function failedVerdict({ body }: ServiceError): IDataObject | undefined {
	const failed = isRecord(body) && body.success === false && isRecord(body.data);
	return failed ? verdict(body as IDataObject) : undefined;
}
