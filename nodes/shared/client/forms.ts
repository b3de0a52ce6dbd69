import type { IDataObject } from 'n8n-workflow';

import { isBlank, isRecord } from '../lib/json';

// The API documentation shows one form for nearly all responses, but the examples of some pages differ. These functions
// accept every plausible form.

/**
 * Returns the body of a success with the object or list in `data`. In some responses the body itself is the list or the
 * object.
 *
 * @returns the body unchanged if it has `data`, or if it does not look like an object of the service
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
 * Returns the list in a page of a listing: at its documented place, in `items`, or in `data` itself. `null` does not
 * count as an empty list, because decisions depend on the list.
 *
 * @param documented the value at the documented place
 * @returns undefined if the body contains no list: it is then unknown whether the list is empty
 */
export function listIn(documented: unknown, { data }: IDataObject): unknown[] | undefined {
	const itemsOf = (value: unknown) => (isRecord(value) ? value.items : undefined);
	return [documented, itemsOf(documented), itemsOf(data), data].find((value) => Array.isArray(value));
}

/** Returns the ID of a call, also under another name; undefined without an ID. */
const idOfCall = ({ id, call_id, call_uuid, uuid }: Record<string, unknown>) =>
	[id, call_id, call_uuid, uuid].find((value) => !isBlank(value));

/** Returns a call with its `id`: the value itself, or its `call` or `campaign_call`; undefined if none has an ID. */
export function callWithId(value: unknown): IDataObject | undefined {
	const places = isRecord(value) ? [value, value.call, value.campaign_call].filter(isRecord) : [];
	const call = places.find((place) => idOfCall(place) !== undefined);
	return call && ({ ...call, id: idOfCall(call) } as IDataObject);
}

/**
 * Returns the existing call that prevented a new one from being queued: next to the message, or in the error's details.
 */
export function existingCallIn(body: unknown): IDataObject | undefined {
	const error = isRecord(body) && isRecord(body.error) ? body.error : undefined;
	const places = [body, error, error?.details].filter(isRecord);
	return places.map(({ existing_call }) => existing_call).find(isRecord) as IDataObject | undefined;
}
