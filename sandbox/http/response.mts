/** A response. Its body is sent as JSON, or unchanged if `type` is set. */
export interface RouteResponse {
	status: number;
	body: unknown;
	/** The content type of a body that is not JSON. */
	type?: string;
	/** Additional headers of this response. Names are in lower case. */
	headers?: Record<string, string>;
}

/** Returns 200 with `{success: true, data}` and further top-level fields. */
export function ok(data: unknown, more: Record<string, unknown> = {}): RouteResponse {
	return { status: 200, body: { success: true, data, ...more } };
}

/** Returns 200 with `{success: true, message, data?}`. */
export function done(message: string, data?: unknown): RouteResponse {
	return { status: 200, body: { success: true, message, ...(data === undefined ? {} : { data }) } };
}

/** Returns 201 with `{success: true, message?, data}`. */
export function created(data: unknown, message?: string): RouteResponse {
	return { status: 201, body: { success: true, ...(message === undefined ? {} : { message }), data } };
}
