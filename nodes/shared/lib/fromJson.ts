/** The value of a JSON text. Anything else stays as it is, also a text that cannot be parsed. */
export function fromJson(value: unknown): unknown {
	if (typeof value !== 'string') {
		return value;
	}
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return value;
	}
}
