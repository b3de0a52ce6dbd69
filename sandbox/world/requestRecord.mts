/** A request as `/_sandbox/requests` shows it; `status` is null while it is handled and if the connection was cut. */
export interface RequestRecord {
	method: string;
	path: string;
	query: Record<string, unknown>;
	status: number | null;
	body: unknown;
	fault?: string;
	at: string;
}
