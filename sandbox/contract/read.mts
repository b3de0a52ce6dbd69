/** Reads responses whose form may differ from the documented form: that alone should not fail other steps. */

export type Fields = Record<string, unknown>;

export function isObject(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object in a response: the value of `data`, or the body itself. */
export function dataIn(body: unknown): Fields {
	const data = isObject(body) && body.data !== undefined ? body.data : body;
	return isObject(data) ? data : {};
}

/** Returns the list in a response: `data`, or the first array at most two levels deep. */
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

/** Returns an object's own identifier as text. Identifiers of nested objects are ignored. */
export function idOf(object: Fields | undefined): string | undefined {
	const names = ['id', 'uuid', 'call_id'];
	const id = names.map((name) => object?.[name]).find((own) => typeof own === 'string' || typeof own === 'number');
	return id === undefined ? undefined : String(id);
}

/** Normalizes a word of the service: `NO_ANSWER` and `no-answer` are the same. */
export const word = (value: unknown) => String(value).toLowerCase().replaceAll('_', '-');
export const isTrue = (value: unknown) => value === true || value === 'true' || value === 1 || value === '1';
export const isNone = (value: unknown) => value === null || value === undefined || value === '';
export const isNumber = (value: unknown, number: number) => !isNone(value) && Number(value) === number;

/** Parses a moment to milliseconds since 1970. Without a time zone, it is in UTC. */
export function momentOf(value: unknown): number {
	const text = String(value).replace(' ', 'T');
	return Date.parse(/T.*(Z|[+-]\d\d:?\d\d)$|^[^T]+$/.test(text) ? text : `${text}Z`);
}

/** Returns the first value of a field with one of these names, at any depth. */
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

/** Returns the names of the fields that an error names, in a map or in a list. */
export function refusedFields(body: unknown): string[] {
	const errors = anywhere(body, 'errors') ?? anywhere(body, 'detail');
	if (isObject(errors)) {
		return Object.keys(errors);
	}
	const names = (Array.isArray(errors) ? errors : []).map((error) => (isObject(error) ? error.field : undefined));
	return names.filter((name) => typeof name === 'string');
}

/** Describes the structure of an error's body, with its code. */
export function errorForm(body: unknown): string {
	if (!isObject(body)) {
		return 'not a JSON object';
	}
	const { error } = body;
	const present = (object: Fields, names: string[]) => names.filter((name) => Object.hasOwn(object, name));
	const inside = isObject(error) ? `: {${present(error, ['code', 'details', 'message']).join(', ')}}` : '';
	const names = ['success', 'error', 'message', 'errors', 'status_code', 'code', 'details'];
	const parts = present(body, names).map((name) => (name === 'error' ? `error${inside}` : name));
	const code = [isObject(error) ? error.code : error, body.code].find((value) => typeof value === 'string');
	return `{${parts.join(', ')}}${typeof code === 'string' && /^[A-Z][A-Z_]+$/.test(code) ? ` ${code}` : ''}`;
}
