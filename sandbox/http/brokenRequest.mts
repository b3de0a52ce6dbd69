import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { flatError, type HttpError } from './httpErrors.mts';
import { REFUSALS } from './refusal.mts';
import type { Route } from './route.mts';

/** The largest request body, in bytes. */
export const BODY_LIMIT = 10 * 1024 * 1024;
/** The message for a request with another body. */
export const WANTED_BODY = 'The body has to be JSON in UTF-8, not compressed. Send Content-Type: application/json.';
/** The longest path with its query, in characters. */
export const URL_LIMIT = 16_000;
/** The largest size of all headers together with the URL, in bytes. */
export const HEADER_LIMIT = 32 * 1024;

/** Returns the error for a URL that is too long; undefined for other URLs. */
export function tooLongUrl(url: string): HttpError | undefined {
	return url.length > URL_LIMIT
		? flatError(414, `The URL is longer than ${URL_LIMIT} characters. Send long values in the body.`)
		: undefined;
}

/** Returns the error for an unread body, in the format of its route. @param limit of the body, in bytes */
export function unreadBody(status: number, limit: number, route: Route | undefined): HttpError {
	const [code, message] = reasonOf(status, limit);
	return route ? REFUSALS[route.refusal].other(status, code, message) : flatError(status, message);
}

function reasonOf(status: number, limit: number): [code: string, message: string] {
	switch (status) {
		case 413:
			return ['PAYLOAD_TOO_LARGE', `The body is larger than ${limit / 1024 / 1024} MB.`];
		case 415:
			return ['UNSUPPORTED_MEDIA_TYPE', WANTED_BODY];
		default:
			return ['BAD_REQUEST', 'The request could not be read.'];
	}
}

/** Responds to a request that is not HTTP, too large or too slow, and closes its connection. It reaches no route. */
export function respondToBrokenRequest({ code }: NodeJS.ErrnoException, socket: Socket): void {
	if (code === 'ECONNRESET' || !socket.writable) {
		socket.destroy();
		return;
	}
	const { status, body } = brokenRequest(code).response;
	const text = JSON.stringify(body);
	const headers = [
		`HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
		'Content-Type: application/json; charset=utf-8',
		`Content-Length: ${Buffer.byteLength(text)}`,
		'Connection: close',
	];
	socket.end(`${headers.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}

function brokenRequest(code: string | undefined): HttpError {
	switch (code) {
		case 'HPE_HEADER_OVERFLOW':
			return flatError(431, `The headers and the URL are larger than ${HEADER_LIMIT / 1024} KB.`);
		case 'ERR_HTTP_REQUEST_TIMEOUT':
			return flatError(408, 'The request did not arrive in time.');
		default:
			return flatError(400, 'The request is not valid HTTP.');
	}
}
