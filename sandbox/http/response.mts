/** A response: its status and its body, which is sent as JSON, or unchanged if it has a content type of its own. */
export interface RouteResponse {
	status: number;
	body: unknown;
	/** The content type of a body that is not JSON. */
	type?: string;
	/** Headers of this answer alone; names in lower case. */
	headers?: Record<string, string>;
}

/** 200 with `{success: true, data}` and further top-level fields. */
export function ok(data: unknown, more: Record<string, unknown> = {}): RouteResponse {
	return { status: 200, body: { success: true, data, ...more } };
}

/** 200 with `{success: true, message, data?}`. */
export function done(message: string, data?: unknown): RouteResponse {
	return { status: 200, body: { success: true, message, ...(data === undefined ? {} : { data }) } };
}

/** 201 with `{success: true, message?, data}`. */
export function created(data: unknown, message?: string): RouteResponse {
	return { status: 201, body: { success: true, ...(message === undefined ? {} : { message }), data } };
}
