/** Reading answers whose form may differ from the documented one: other checks should not fail for that. */

export type Fields = Record<string, unknown>;

export function isObject(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object that an answer is about: below `data`, or the body itself. */
export function dataIn(body: unknown): Fields {
	const data = isObject(body) && body.data !== undefined ? body.data : body;
	return isObject(data) ? data : {};
}

/** The list of an answer: `data` or the first array that it has, at most two levels deep. */
export function rowsOf(body: unknown, depth = 0): Fields[] {
	if (Array.isArray(body)) {
		return body.filter(isObject);
	}
	if (!isObject(body) || depth > 2) {
		return [];
	}
	const parts = body.data === undefined ? Object.values(body) : [body.data, ...Object.values(body)];
	const list = parts.find(Array.isArray) ?? parts.find((part) => isObject(part) && rowsOf(part, depth + 1).length > 0);
	return list === undefined ? [] : rowsOf(list, depth + 1);
}

/** The identifier of an object, as text: its own, or that of the only object in it. */
export function idOf(object: Fields): string | undefined {
	const own = object.id ?? object.uuid ?? object.call_id;
	if (typeof own === 'string' || typeof own === 'number') {
		return String(own);
	}
	const inside = Object.values(object).filter(isObject);
	return inside.length === 1 ? idOf(inside[0]!) : undefined;
}

/**
 * The identifier of an object that was created, as text: its own. That of an object in it would be somebody else's.
 * @param kind in lower case with underscores, as in `campaign_id`
 */
export function ownIdOf(object: Fields, kind: string): string | undefined {
	const own = [object.id, object.uuid, object[`${kind}_id`]].find(
		(id) => typeof id === 'string' || typeof id === 'number',
	);
	return own === undefined ? undefined : String(own);
}

/** A word of the service in one form: `NO_ANSWER` and `no-answer` are the same. */
export const word = (value: unknown) => String(value).toLowerCase().replaceAll('_', '-');
export const isTrue = (value: unknown) => value === true || value === 'true' || value === 1 || value === '1';
export const isNone = (value: unknown) => value === null || value === undefined || value === '';
export const isNumber = (value: unknown, number: number) => !isNone(value) && Number(value) === number;

/** A moment in milliseconds since 1970; without a zone it is in UTC. */
export function momentOf(value: unknown): number {
	const text = String(value).replace(' ', 'T');
	return Date.parse(/T.*(Z|[+-]\d\d:?\d\d)$|^[^T]+$/.test(text) ? text : `${text}Z`);
}

/** The first value that a field of one of these names has, wherever it stands. */
export function anywhere(value: unknown, ...names: string[]): unknown {
	if (!isObject(value)) {
		return undefined;
	}
	const name = names.find((own) => Object.hasOwn(value, own));
	if (name !== undefined) {
		return value[name];
	}
	return Object.values(value)
		.map((part) => anywhere(part, ...names))
		.find((found) => found !== undefined);
}

/** The names of the fields that an error is about, from a map, or from a list with field names. */
export function refusedFields(body: unknown): Set<string> {
	const at = (value: unknown, ...path: string[]) =>
		path.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), value);
	const errors =
		at(body, 'errors') ?? at(body, 'error', 'details', 'errors') ?? at(body, 'details', 'errors') ?? at(body, 'detail');
	if (isObject(errors)) {
		return new Set(Object.keys(errors));
	}
	const names = (Array.isArray(errors) ? errors : []).map((error) => (isObject(error) ? error.field : undefined));
	return new Set(names.filter((name) => typeof name === 'string'));
}

/** How an error's body is built, with its code. */
export function errorForm(body: unknown): string {
	if (!isObject(body)) {
		return body === undefined ? 'no body' : 'no JSON object';
	}
	const { success, error, code, message, status_code, errors } = body;
	const nested = isObject(error)
		? `error: {${['code', 'details', 'message'].filter((name) => Object.hasOwn(error, name)).join(', ')}}`
		: undefined;
	const parts = [
		success === undefined ? '' : 'success',
		nested ?? (error === undefined ? '' : 'error'),
		message === undefined ? '' : 'message',
		errors === undefined ? '' : 'errors',
		status_code === undefined ? '' : 'status_code',
		code === undefined ? '' : 'code',
		body.details === undefined ? '' : 'details',
	].filter((part) => part !== '');
	const named = [isObject(error) ? error.code : error, code].find((value) => typeof value === 'string');
	return `{${parts.join(', ')}}${typeof named === 'string' && /^[A-Z][A-Z_]+$/.test(named) ? ` ${named}` : ''}`;
}
