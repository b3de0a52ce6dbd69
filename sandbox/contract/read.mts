/** Reading answers whose form may differ from the documented one: other checks should not fail for that. */

export type Fields = Record<string, unknown>;

export function isObject(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object that an answer is about: below `data`, or the body itself. */
export function dataOf(body: unknown): Fields {
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

/** The identifier of an object, as text. */
export function idOf(object: Fields): string | undefined {
	const id = object.id ?? object.uuid;
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** The names of the fields that an error is about, from a map, or from a list with field names. */
export function fieldsOf(body: unknown): Set<string> {
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
	const nested = isObject(error) ? `error: {${Object.keys(error).sort().join(', ')}}` : undefined;
	const parts = [
		success === undefined ? '' : 'success',
		nested ?? (error === undefined ? '' : 'error'),
		message === undefined ? '' : 'message',
		errors === undefined ? '' : Array.isArray(errors) ? 'errors (list)' : 'errors',
		status_code === undefined ? '' : 'status_code',
		code === undefined ? '' : 'code',
		body.details === undefined ? '' : 'details',
	].filter((part) => part !== '');
	const named = [isObject(error) ? error.code : error, code].find((value) => typeof value === 'string');
	return `{${parts.join(', ')}}${typeof named === 'string' && /^[A-Z][A-Z_]+$/.test(named) ? ` ${named}` : ''}`;
}
