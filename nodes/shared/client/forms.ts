import type { IDataObject } from 'n8n-workflow';

import { isBlank, isRecord } from '../lib/json';

// The description shows one form for nearly all answers; examples of single pages differ. What an answer means is read
// here, whichever of the plausible forms the service has.

/**
 * The body of a success, with what it is about in `data`: a list, or an object with an ID, may also be the body itself.
 *
 * @returns the body itself if it has `data`, or if nothing shows that it is an object of the service
 */
export function withData(body: IDataObject | unknown[]): IDataObject {
	if (Array.isArray(body)) {
		return { data: body as IDataObject[] };
	}
	const isError = ['error', 'errors', 'code'].some((name) => name in body);
	if ('data' in body || isBlank(body.id) || isError) {
		return body;
	}
	const fields = Object.entries(body).filter(([name]) => name !== 'success' && name !== 'message');
	return { ...body, data: Object.fromEntries(fields) };
}

/**
 * The list in a page of a listing: where it is documented, in `items`, or in `data` itself. `null` is none: a decision that
 * depends on the list must not take it for an empty one.
 *
 * @param documented what is in its documented place
 * @returns undefined if there is none: it is not known whether the list is empty
 */
export function listIn(documented: unknown, { data }: IDataObject): unknown[] | undefined {
	const itemsOf = (value: unknown) => (isRecord(value) ? value.items : undefined);
	return [documented, itemsOf(documented), itemsOf(data), data].find((value) => Array.isArray(value));
}

/** The ID of a call, also under another name; undefined if it has none. */
const idOfCall = ({ id, call_id, call_uuid, uuid }: Record<string, unknown>) =>
	[id, call_id, call_uuid, uuid].find((value) => !isBlank(value));

/** A call with its `id`: the value itself, or what it has as `call` or `campaign_call`; undefined if no call has an ID. */
export function callWithId(value: unknown): IDataObject | undefined {
	const places = isRecord(value) ? [value, value.call, value.campaign_call].filter(isRecord) : [];
	const call = places.find((place) => idOfCall(place) !== undefined);
	return call && ({ ...call, id: idOfCall(call) } as IDataObject);
}

/** The call because of which the service did not queue another one: beside the message, or in the details of the error. */
export function existingCallIn(body: unknown): IDataObject | undefined {
	const error = isRecord(body) && isRecord(body.error) ? body.error : undefined;
	const places = [body, error, error?.details].filter(isRecord);
	return places.map(({ existing_call }) => existing_call).find(isRecord) as IDataObject | undefined;
}
