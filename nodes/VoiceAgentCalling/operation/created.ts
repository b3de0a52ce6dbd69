import type { IDataObject } from 'n8n-workflow';

import { outcomeUnknown } from '../../shared/client/itemErrors';
import { messageIn } from '../../shared/client/refusals';
import { unreadable } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/json';

/**
 * Returns what a request created.
 *
 * @param what the noun for an error, such as "event"
 * @throws ServiceError `OUTCOME_UNKNOWN` where the response does not contain it: it may exist
 */
export function createdIn(response: IDataObject, what: string): IDataObject {
	const { data } = response;
	if (!isRecord(data)) {
		throw outcomeUnknown(false, unreadable(messageIn(response) ?? `without the ${what}`));
	}
	return data as IDataObject;
}
