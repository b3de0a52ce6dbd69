import { isJsonObject } from './isRecord';

/** A value that JSON does not have, and where it is. */
interface Lost {
	/** The names and positions that lead to it; empty for the value itself. */
	path: Array<string | number>;
	/** What it is; undefined for a value that is undefined. */
	what: string | undefined;
}

/**
 * The first part of a value that JSON leaves out or replaces by null or an empty object, such as what an expression
 * without a result gives.
 *
 * @param value without circles
 * @returns undefined if JSON has all of it; a date becomes a text, and counts as such
 */
export function lostInJson(value: unknown): Lost | undefined {
	const seen = new Set<unknown>();
	const search = (one: unknown): Lost | undefined => {
		if (typeof one !== 'object' || one === null) {
			const isKept = one === null || ['string', 'boolean'].includes(typeof one) || Number.isFinite(one);
			return isKept ? undefined : { path: [], what: one === undefined ? undefined : nameOf(one) };
		}
		if (seen.has(one)) {
			return undefined;
		}
		seen.add(one);
		if ('toJSON' in one && typeof one.toJSON === 'function') {
			return one.toJSON() === null ? { path: [], what: 'an invalid date' } : undefined;
		}
		if (!Array.isArray(one) && !isJsonObject(one)) {
			return { path: [], what: nameOf(one) };
		}
		// A list with gaps has members that its entries lack.
		for (const [name, member] of Array.isArray(one) ? Array.from(one).entries() : Object.entries(one)) {
			const found = search(member);
			if (found) {
				return { ...found, path: [name, ...found.path] };
			}
		}
		return undefined;
	};
	return search(value);
}

function nameOf(value: unknown): string {
	const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
	return typeof value === 'number' ? String(value) : `a ${kind}`;
}
