/** A response: its status and the body that is sent as JSON, or as it is where it has a type of its own. */
export interface Answer {
	status: number;
	body: unknown;
	type?: string;
}

/** The map of a 422 body: from field name (dot notation) to messages. */
export type FieldErrors = Record<string, string[]>;

/** Thrown anywhere while a request is handled; becomes the response as it is. */
export class HttpError extends Error {
	readonly answer: Answer;

	constructor(status: number, message: string, body: unknown) {
		super(message);
		this.answer = { status, body };
	}
}

/** 200 with `{success: true, data}` and what else is given. */
export function ok(data: unknown, more: Record<string, unknown> = {}): Answer {
	return { status: 200, body: { success: true, data, ...more } };
}

/** 200 with `{success: true, message, data?}`. */
export function done(message: string, data?: unknown): Answer {
	return { status: 200, body: { success: true, message, ...(data === undefined ? {} : { data }) } };
}

/** 201 with `{success: true, message?, data}`. */
export function created(data: unknown, message?: string): Answer {
	return { status: 201, body: { success: true, ...(message === undefined ? {} : { message }), data } };
}

/** An error in the flat format (Errors, 1). */
export function flatError(status: number, message: string, more: Record<string, unknown> = {}): HttpError {
	return new HttpError(status, message, { success: false, message, ...more });
}

/** An error in the nested format of the agent call (Errors, 2). */
export function nestedError(
	status: number,
	code: string,
	message: string,
	details?: Record<string, unknown>,
): HttpError {
	return new HttpError(status, message, { error: { code, message, ...(details ? { details } : {}) } });
}

/** An error in the authentication format (Errors, 3). */
export function authenticationError(error: string, message: string): HttpError {
	return new HttpError(401, message, { error, message, status_code: 401 });
}

/** 422 in the flat format with the map of what is wrong. */
export function invalidFields(errors: FieldErrors): HttpError {
	return flatError(422, Object.values(errors)[0]?.[0] ?? 'The given data was invalid.', { errors });
}

/** 404 that names the missing object. */
export function notFound(what: string): HttpError {
	return flatError(404, `${what} not found.`);
}
