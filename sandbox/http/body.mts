import type { IncomingHttpHeaders } from 'node:http';

/** Deepest nesting of a body. JSON.parse reads much deeper ones, but JSON.stringify cannot write them again. */
const DEEPEST = 512;

/** JSON by its content type, as `application/problem+json` is too. */
const JSON_TYPE = /^application\/([\w.+-]+\+)?json$/i;

/** Whether the bytes of a body are text as they are: in UTF-8, and not compressed. */
export function isPlain(headers: IncomingHttpHeaders): boolean {
	const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
	const [, charset = 'utf-8'] = /;\s*charset="?([^";\s]*)/i.exec(type) ?? [];
	return encoding.toLowerCase() === 'identity' && /^utf-?8$/i.test(charset);
}

/** Whether a request has no body, or one that is JSON by its headers. One without a content type counts as JSON. */
export function readsBody({ body, headers }: { body: unknown; headers: IncomingHttpHeaders }): boolean {
	const [type = ''] = headers['content-type']?.split(';') ?? [];
	return !body || (isPlain(headers) && (type === '' || JSON_TYPE.test(type.trim())));
}

/** @returns the value of a JSON body; text that is not JSON, or is nested too deep, stays text and is `unreadable` */
export function readBody(text: unknown): { value: unknown; unreadable: boolean } {
	if (typeof text !== 'string' || text.trim() === '') {
		return { value: undefined, unreadable: false };
	}
	try {
		const value = JSON.parse(text) as unknown;
		if (!isDeeper(value, DEEPEST)) {
			return { value, unreadable: false };
		}
	} catch {
		// Not JSON.
	}
	return { value: text, unreadable: true };
}

function isDeeper(value: unknown, levels: number): boolean {
	if (value === null || typeof value !== 'object') {
		return false;
	}
	return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
