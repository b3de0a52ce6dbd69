/** Tells whether a value is an object with named members: not null, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Tells whether a value is an object that JSON can hold: no date, and no other object with a form of its own. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
	return (
		isRecord(value) && Object.prototype.toString.call(value) === '[object Object]' && typeof value.toJSON !== 'function'
	);
}
