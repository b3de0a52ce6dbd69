export const FAULT_KINDS = ['status', 'latency', 'drop-before', 'drop-after', 'malformed'] as const;

/** A fault to apply to coming requests. */
export interface Fault {
	id: string;
	/** Which requests it applies to; all without a method or path. A path may end in `*`. */
	match: { method?: string | undefined; path?: string | undefined };
	kind: (typeof FAULT_KINDS)[number];
	/** For the kind `status`. */
	status?: number | undefined;
	body?: unknown;
	headers?: Record<string, string> | undefined;
	/** For the kind `latency`: real milliseconds. */
	ms?: number | undefined;
	/** How many requests it still applies to. */
	times: number;
}
