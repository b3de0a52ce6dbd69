import type { RouteResponse } from './response.mts';

/** The map of a 422 body: from field name (dot notation) to messages. */
export type FieldErrors = Record<string, string[]>;

/** A handler throws it to end the request with this answer. */
export class HttpError extends Error {
	readonly response: RouteResponse;

	constructor(status: number, message: string, body: unknown) {
		super(message);
		this.response = { status, body };
	}
}

/** An error in the flat format: `{success: false, message}` and further top-level fields such as `code`. */
export function flatError(status: number, message: string, more: Record<string, unknown> = {}): HttpError {
	return new HttpError(status, message, { success: false, message, ...more });
}

/** An error in the nested format of the agent call: `{error: {code, message, details?}}`. */
export function nestedError(
	status: number,
	code: string,
	message: string,
	details?: Record<string, unknown>,
): HttpError {
	return new HttpError(status, message, { error: { code, message, ...(details ? { details } : {}) } });
}

/** A 401 in the authentication format: `{error: <code>, message, status_code: 401}`. */
export function authenticationError(code: string, message: string): HttpError {
	return new HttpError(401, message, { error: code, message, status_code: 401 });
}

/** 422 in the flat format, with the messages of each invalid field; the first one is also the error's message. */
export function invalidFields(errors: FieldErrors): HttpError {
	return flatError(422, firstMessage(errors), { errors });
}

/** The message of a 422 as a whole. */
export function firstMessage(errors: FieldErrors): string {
	return Object.values(errors)[0]?.[0] ?? 'The given data was invalid.';
}

/** 404 in the flat format. @param what the missing object, capitalized */
export function notFound(what: string): HttpError {
	return flatError(404, `${what} not found.`);
}
