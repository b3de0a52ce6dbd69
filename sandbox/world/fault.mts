export const FAULT_KINDS = ['status', 'latency', 'drop-before', 'drop-after', 'malformed'] as const;

/** A fault that is applied to future requests. */
export interface Fault {
	id: string;
	/** The requests to which it applies. Without a method or path, any value matches. A path may end in `*`. */
	match: { method?: string | undefined; path?: string | undefined };
	kind: (typeof FAULT_KINDS)[number];
	/** For the kind `status`. */
	status?: number | undefined;
	body?: unknown;
	headers?: Record<string, string> | undefined;
	/** For the kind `latency`: real milliseconds. */
	ms?: number | undefined;
	/** The number of remaining requests to which it applies. */
	times: number;
}
