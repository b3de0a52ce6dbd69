/** The headers that delimit a body, in lower case. A wrong value would truncate it or leave the receiver waiting. */
export const FRAMING_HEADERS = ['connection', 'content-length', 'transfer-encoding'];

/**
 * Merges lists of headers. Names are compared without case, and a later value replaces an earlier one. The headers
 * that delimit the body are left out.
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
