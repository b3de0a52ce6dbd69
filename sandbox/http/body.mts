/** Deepest nesting of a body. JSON.parse reads much deeper ones, but JSON.stringify cannot write them again. */
const DEEPEST = 512;

/** @returns the value of a JSON body; text that is not JSON, or is nested too deep, stays text and is `unreadable` */
export function readBody(text: unknown): { value: unknown; unreadable: boolean } {
	if (typeof text !== 'string' || text.trim() === '') {
		return { value: undefined, unreadable: false };
	}
	try {
		const value = JSON.parse(text) as unknown;
		if (!isDeeper(value, DEEPEST)) {
			return { value, unreadable: false };
		}
	} catch {
		// Not JSON.
	}
	return { value: text, unreadable: true };
}

function isDeeper(value: unknown, levels: number): boolean {
	if (value === null || typeof value !== 'object') {
		return false;
	}
	return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
