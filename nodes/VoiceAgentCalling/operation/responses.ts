import type { IDataObject } from 'n8n-workflow';

import { callWithId } from '../../shared/client/forms';
import { outcomeUnknown } from '../../shared/client/itemErrors';
import { messageIn } from '../../shared/client/refusals';
import { ServiceError, unreadable } from '../../shared/errors/serviceError';
import { isBlank, isRecord } from '../../shared/lib/json';
import { isAnotherPhone, toE164 } from '../../shared/phoneNumbers/e164';
import type { CallerIdField } from './call';
import type { CallResult } from './items';

/**
 * Returns the output item of a call that the service accepted.
 *
 * @param call the call, or the body of the response with the call in one of its properties
 * @param callerIdField the type of the caller, if known
 * @param to the number to call
 * @param body of the response
 * @throws ServiceError `OUTCOME_UNKNOWN` if the call lacks an ID, the only proof that it exists, or calls another phone
 */
export function acceptedCall(
	call: unknown,
	callerIdField: CallerIdField | undefined,
	to: string,
	body: IDataObject,
): IDataObject {
	const inBody = call === body ? callsIn(body) : [];
	// A response without a call can have an ID too, such as the ID of the request.
	const isCall = isBlank(body.id) || 'to' in body;
	const accepted = inBody.length > 0 ? body : isCall ? callWithId(call) : undefined;
	if (accepted === undefined) {
		throw outcomeUnknown(true, unreadable(messageIn(body) ?? 'without the ID of the call'));
	}
	const named = [accepted, ...inBody];
	const another = named.find((one) => isAnotherPhone(one.to, to));
	if (another && named.every((one) => toE164(one.to) === undefined || isAnotherPhone(one.to, to))) {
		throw outcomeUnknown(true, wrongPhoneError(another));
	}
	const result: CallResult = callerIdField === 'campaignId' ? 'queued' : 'placed';
	return { ...accepted, result };
}

/** Returns the error for a success with a call to another phone. */
function wrongPhoneError({ id, to }: IDataObject): ServiceError {
	return new ServiceError(`The service reported success, but with a call to ${String(to)} (ID ${String(id)})`, {
		code: 'UNREADABLE_ANSWER',
		advice: 'End that call with Call → End if nobody wanted it.',
		accepted: 'unknown',
	});
}

/** Returns the properties of a body that may be the call: all properties with an ID, except the campaign. */
function callsIn(body: IDataObject): IDataObject[] {
	const values = Object.entries(body).flatMap(([name, value]) => (name === 'campaign' ? [] : [value]));
	return values.map(callWithId).filter((call) => call !== undefined);
}

/** Returns the ID of the call in an output item, which may be the body of a response; undefined without an ID. */
export function idOfCall(item: IDataObject | undefined): string | undefined {
	const { id } = callWithId(item?.data) ?? callWithId(item?.campaign_call) ?? callWithId(item) ?? {};
	return id === undefined || id === null ? undefined : String(id);
}

/**
 * Returns the object that a request created.
 *
 * @param what the noun for an error, such as "event"
 * @throws ServiceError `OUTCOME_UNKNOWN` if the response does not contain the object, which may exist
 */
export function createdObject(response: IDataObject, what: string): IDataObject {
	const { data } = response;
	if (!isRecord(data)) {
		throw outcomeUnknown(false, unreadable(messageIn(response) ?? `without the ${what}`));
	}
	return data as IDataObject;
}

/** Returns the result of a check, for `output`: `success`, message and details; undefined without `success`. */
export function verdict({ success, message, data }: IDataObject): IDataObject | undefined {
	if (typeof success !== 'boolean') {
		return undefined;
	}
	return { success, ...(message !== undefined && { message }), ...Object(data) };
}

/**
 * Returns the result of a failed check, for `recover`. The HTTP status of a failed check is not published; the details
 * in `data` distinguish the check from an error.
 */
export function failedVerdict({ body }: ServiceError): IDataObject | undefined {
	const failed = isRecord(body) && body.success === false && isRecord(body.data);
	return failed ? verdict(body as IDataObject) : undefined;
}
