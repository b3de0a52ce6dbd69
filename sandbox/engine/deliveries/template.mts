/**
 * Fills a payload template: `{{a.b}}` in any string is replaced by the value at that path. A string that is just a
 * variable becomes the value itself, of any type. An unknown variable becomes null, or an empty text within a string.
 */
export function fill(template: unknown, values: Record<string, unknown>): unknown {
	if (typeof template === 'string') {
		return fillText(template, values);
	}
	if (Array.isArray(template)) {
		return template.map((item) => fill(item, values));
	}
	if (template === null || typeof template !== 'object') {
		return template;
	}
	return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fill(value, values)]));
}

function fillText(text: string, values: Record<string, unknown>): unknown {
	const whole = /^\{\{\s*([\w.-]+)\s*\}\}$/.exec(text);
	if (whole) {
		return valueAt(whole[1] as string, values) ?? null;
	}
	return text.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (_match, path: string) => asText(valueAt(path, values)));
}

/** Returns the value at a path such as `a.b`; undefined if the path does not exist. */
export function valueAt(path: string, values: Record<string, unknown>): unknown {
	let value: unknown = values;
	for (const key of path.split('.')) {
		if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) {
			return undefined;
		}
		value = (value as Record<string, unknown>)[key];
	}
	return value;
}

/** Formats a value within a text: null as an empty text, objects and lists as JSON. */
export function asText(value: unknown): string {
	if (value === undefined || value === null) {
		return '';
	}
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
