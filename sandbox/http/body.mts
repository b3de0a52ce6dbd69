import type { IncomingHttpHeaders } from 'node:http';

/** The deepest nesting of a body. JSON.parse reads deeper values, but JSON.stringify could not write them. */
const DEEPEST = 512;

/** Matches the content types of JSON, including types such as `application/problem+json`. */
const JSON_TYPE = /^application\/([\w.+-]+\+)?json$/i;

/** Whether a body is plain text: in UTF-8, and not compressed. */
export function isPlain(headers: IncomingHttpHeaders): boolean {
	const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
	const [, charset = 'utf-8'] = /;\s*charset="?([^";\s]*)/i.exec(type) ?? [];
	return encoding.toLowerCase() === 'identity' && /^utf-?8$/i.test(charset);
}

/** Whether a request lacks a body, or its headers declare JSON. A body without a content type counts as JSON. */
export function readsBody({ body, headers }: { body: unknown; headers: IncomingHttpHeaders }): boolean {
	const [type = ''] = headers['content-type']?.split(';') ?? [];
	return !body || (isPlain(headers) && (type === '' || JSON_TYPE.test(type.trim())));
}

/** @returns the value of a JSON body. Text that is not JSON or is nested too deeply is returned as `unreadable` text */
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
