import type { RouteResponse } from './response.mts';

/** The messages in a 422 body, by field name in dot notation. */
export type FieldErrors = Record<string, string[]>;

/** A handler throws it to end the request with this response. */
export class HttpError extends Error {
	readonly response: RouteResponse;

	constructor(status: number, message: string, body: unknown) {
		super(message);
		this.response = { status, body };
	}
}

/** Returns an error in the flat format: `{success: false, message}` and further top-level fields such as `code`. */
export function flatError(status: number, message: string, more: Record<string, unknown> = {}): HttpError {
	return new HttpError(status, message, { success: false, message, ...more });
}

/** Returns an error in the nested format of the agent call: `{error: {code, message, details?}}`. */
export function nestedError(
	status: number,
	code: string,
	message: string,
	details?: Record<string, unknown>,
): HttpError {
	return new HttpError(status, message, { error: { code, message, ...(details ? { details } : {}) } });
}

/** Returns a 401 in the authentication format: `{error: <code>, message, status_code: 401}`. */
export function authenticationError(code: string, message: string): HttpError {
	return new HttpError(401, message, { error: code, message, status_code: 401 });
}

/** Returns a 422 in the flat format, with the messages of each invalid field. The first is also the error's message. */
export function invalidFields(errors: FieldErrors): HttpError {
	return flatError(422, firstMessage(errors), { errors });
}

/** Returns the message of a 422 as a whole. */
export function firstMessage(errors: FieldErrors): string {
	return Object.values(errors)[0]?.[0] ?? 'The given data was invalid.';
}

/** Returns a 404 in the flat format. @param what the missing object, capitalized */
export function notFound(what: string): HttpError {
	return flatError(404, `${what} not found.`);
}
