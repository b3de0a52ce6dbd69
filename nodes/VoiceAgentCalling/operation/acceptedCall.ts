import type { IDataObject } from 'n8n-workflow';

import { unreadable } from '../../shared/errors/serviceError';
import { isBlank } from '../../shared/lib/isBlank';
import { isAnotherPhone } from '../../shared/phoneNumbers/e164';
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
 * @param to the number that was to be called
 * @param body of the response
 * @throws ServiceError `OUTCOME_UNKNOWN` if the call has no ID, which nothing else shows to exist, or is to another phone
 */
export function acceptedCall(
	call: unknown,
	callerIdField: CallerIdField | undefined,
	to: string,
	body: IDataObject,
): IDataObject {
	const inBody = call === body ? callsIn(body).map(callWithId).find(Boolean) : undefined;
	// An answer that is no call can have an ID, too, such as that of the request.
	const isCall = isBlank(body.id) || 'to' in body;
	const taken = inBody ? body : isCall ? callWithId(call) : undefined;
	if (taken === undefined) {
		throw outcomeUnknown(true, unreadable(messageIn(body) ?? 'without the ID of the call'));
	}
	if (isAnotherPhone((inBody ?? taken).to, to)) {
		throw outcomeUnknown(true, unreadable('with a call to another number'));
	}
	const result: ItemResult = callerIdField === 'campaignId' ? 'queued' : 'placed';
	return { ...taken, result };
}

/** The properties of a body that may be the call. The campaign is none. */
function callsIn(body: IDataObject): unknown[] {
	return Object.entries(body).flatMap(([name, value]) => (name === 'campaign' ? [] : [value]));
}
