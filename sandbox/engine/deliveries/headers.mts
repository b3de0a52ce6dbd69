/** Headers that say where a body ends, in lower case. Another value would cut the body, or leave the receiver waiting. */
export const FRAMING_HEADERS = ['connection', 'content-length', 'transfer-encoding'];

/**
 * The headers of a request from several lists. Names are compared in any case; of two values the later one is sent.
 * What says where the body ends is left out.
 */
export function mergeHeaders(...lists: Array<Record<string, string>>): Record<string, string> {
	const merged = new Map<string, [name: string, value: string]>();
	for (const [name, value] of lists.flatMap(Object.entries<string>)) {
		merged.set(name.toLowerCase(), [name, value]);
	}
	for (const name of FRAMING_HEADERS) {
		merged.delete(name);
	}
	return Object.fromEntries(merged.values());
}
