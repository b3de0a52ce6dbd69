import type { IDataObject } from 'n8n-workflow';

import { unreadable } from '../../shared/errors/serviceError';
import { isBlank } from '../../shared/lib/isBlank';
import { callWithId } from '../../shared/service/forms';
import { messageIn } from '../../shared/service/refusals';
import { outcomeUnknown } from '../sending/itemErrors';
import type { ItemResult } from './items';
import type { CallerIdField } from './operation';

/**
 * The output item of a call that the service took.
 *
 * @param call the call, or the body of the response with the call in one of its properties
 * @param callerIdField the kind of the caller, if it is known
 * @param body of the response
 * @throws ServiceError `OUTCOME_UNKNOWN` if the call has no ID: nothing shows that there is one
 */
export function acceptedCall(call: unknown, callerIdField: CallerIdField | undefined, body: IDataObject): IDataObject {
	const isWholeBody = call === body && callsIn(body).some((value) => callWithId(value) !== undefined);
	// An answer that is no call can have an ID, too, such as that of the request.
	const isCall = isBlank(body.id) || 'to' in body;
	const taken = isWholeBody ? body : isCall ? callWithId(call) : undefined;
	if (taken === undefined) {
		throw outcomeUnknown(true, unreadable(messageIn(body) ?? 'without the ID of the call'));
	}
	const result: ItemResult = callerIdField === 'campaignId' ? 'queued' : 'placed';
	return { ...taken, result };
}

/** The properties of a body that may be the call. The campaign is none. */
function callsIn(body: IDataObject): unknown[] {
	return Object.entries(body).flatMap(([name, value]) => (name === 'campaign' ? [] : [value]));
}
