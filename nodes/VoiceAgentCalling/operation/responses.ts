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
	const inBody = call === body ? callsIn(body) : [];
	// An answer that is no call can have an ID, too, such as that of the request.
	const isCall = isBlank(body.id) || 'to' in body;
	const taken = inBody.length > 0 ? body : isCall ? callWithId(call) : undefined;
	if (taken === undefined) {
		throw outcomeUnknown(true, unreadable(messageIn(body) ?? 'without the ID of the call'));
	}
	const named = [taken, ...inBody];
	const another = named.find((one) => isAnotherPhone(one.to, to));
	if (another && named.every((one) => toE164(one.to) === undefined || isAnotherPhone(one.to, to))) {
		throw outcomeUnknown(true, wrongPhoneError(another));
	}
	const result: CallResult = callerIdField === 'campaignId' ? 'queued' : 'placed';
	return { ...taken, result };
}

/** The error for a success with a call that nobody asked for. */
function wrongPhoneError({ id, to }: IDataObject): ServiceError {
	return new ServiceError(`The service reported success, but with a call to ${String(to)} (ID ${String(id)})`, {
		code: 'UNREADABLE_ANSWER',
		advice: 'End that call with Call → End if nobody wanted it.',
		accepted: 'unknown',
	});
}

/** The properties of a body that may be the call: all with an ID but the campaign. */
function callsIn(body: IDataObject): IDataObject[] {
	const values = Object.entries(body).flatMap(([name, value]) => (name === 'campaign' ? [] : [value]));
	return values.map(callWithId).filter((call) => call !== undefined);
}

/** The ID of the call in an output item, which may be the body of a response; undefined if it has none. */
export function idOfCall(item: IDataObject | undefined): string | undefined {
	const { id } = callWithId(item?.data) ?? callWithId(item?.campaign_call) ?? callWithId(item) ?? {};
	return id === undefined || id === null ? undefined : String(id);
}

/**
 * Returns what a request created.
 *
 * @param what the noun for an error, such as "event"
 * @throws ServiceError `OUTCOME_UNKNOWN` where the response does not contain it: it may exist
 */
export function createdObject(response: IDataObject, what: string): IDataObject {
	const { data } = response;
	if (!isRecord(data)) {
		throw outcomeUnknown(false, unreadable(messageIn(response) ?? `without the ${what}`));
	}
	return data as IDataObject;
}

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
