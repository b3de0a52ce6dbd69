/** A request to the service; `status` is null while it is handled and if the connection was cut. */
export interface RequestRecord {
	id: string;
	method: string;
	path: string;
	query: Record<string, unknown>;
	/** Path and query as they came. */
	url: string;
	status: number | null;
	/** The parsed body; the text if it is not JSON. */
	body: unknown;
	contentType: string | null;
	/** Whether the request had an `Authorization` header. The header itself is not kept. */
	hasToken: boolean;
	/** For a rejection: its message, and the messages by field. */
	rejected: { message: string; fields: Record<string, string[]> } | null;
	/** Real milliseconds until the response; null without a response. */
	durationMs: number | null;
	fault?: string;
	at: string;
}
