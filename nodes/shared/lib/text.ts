import { createHash, hash } from 'node:crypto';

import { groupBy } from './collections';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes a text for hints and notices, which the editor shows as HTML. */
export function asHtml(text: string): string {
	return text.replace(/[&<>]/g, (sign) => ENTITIES[sign]);
}

/** Formats a number of things: `1 error`, `2 errors`. */
export function quantity(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Longer IDs and texts in a message are cut. */
const MAX_QUOTED = 60;

/** Returns a text in quotation marks, cut if it is long. */
export function quoted(text: string): string {
	const line = text.replace(/\s+/g, ' ');
	return `"${line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line}"`;
}

/**
 * Formats item indexes in ascending order: "0-4, 7" for 0, 1, 2, 3, 4, 7.
 *
 * @param max the maximum number of ranges; the number of the other items is added: "0-4, 7 and 12 more"
 */
export function itemRanges(indexes: readonly number[], max = Number.POSITIVE_INFINITY): string {
	const parts: Array<[number, number]> = [];
	for (const index of indexes) {
		const last = parts.at(-1);
		if (last && last[1] === index - 1) {
			last[1] = index;
		} else {
			parts.push([index, index]);
		}
	}
	const shown = parts.slice(0, max);
	const remaining = parts.slice(max).reduce((count, [from, to]) => count + to - from + 1, 0);
	const text = shown.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
	return remaining > 0 ? `${text} and ${remaining} more` : text;
}

/** Returns the row of an item in a spreadsheet with a header. */
export function sheetRow(itemIndex: number): number {
	return itemIndex + 2;
}

/** Returns a URL without its query and fragment. */
export function withoutQuery(url: string): string {
	return url.replace(/[?#].*$/s, '');
}

/** Describes the target of a redirect: the origin of an absolute URL, because the rest of it may contain a secret. */
export function targetOf(location: unknown): string {
	return typeof location === 'string' && URL.canParse(location) ? new URL(location).origin : 'another address';
}

/** Matches a number as people and spreadsheets write it: decimal, without grouped digits. */
const DECIMAL = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

/** Whether a number equals the entered one: JavaScript rounds whole numbers with more than about 15 digits. */
export function isAsEntered(number: number): boolean {
	return Number.isFinite(number) && (Number.isSafeInteger(number) || !Number.isInteger(number));
}

/**
 * Returns the number in a text of an expression or a spreadsheet. Other values are returned unchanged, for a check to
 * refuse: `Number` would convert a blank text to 0, which means no limit in some fields.
 */
export function enteredNumber(value: unknown): unknown {
	return typeof value === 'string' && DECIMAL.test(value) && isAsEntered(Number(value)) ? Number(value) : value;
}

/** Returns the SHA-256 hash of a text or of bytes, in Base64 for URLs. */
export function sha256(text: string | Buffer): string {
	// `hash` is three times as fast, but Node.js before 20.12 lacks it.
	return hash ? hash('sha256', text, 'base64url') : createHash('sha256').update(text).digest('base64url');
}

/** Longer texts are not compared letter by letter. */
const MAX_COMPARED = 64;

/** The total number of comparisons: a flow in which everything is wrong does not need a suggestion for each mistake. */
const MAX_COMPARISONS = 100_000;

/** Returns only the letters and digits of a text, in lower case. */
function bare(text: string): string {
	return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Creates a function that finds the name that was probably meant; undefined if no name or several names are likely. */
export function suggester(names: Iterable<string>): (given: string) => string | undefined {
	const known = [...names];
	let byBare: ReadonlyMap<string, readonly string[]> | undefined;
	let compared = 0;
	return (given) => {
		byBare ??= groupBy(known, bare);
		const same = byBare.get(bare(given)) ?? [];
		if (same.length === 1) {
			return same[0];
		}
		if (same.length > 1 || given.length > MAX_COMPARED || compared > MAX_COMPARISONS) {
			return undefined;
		}
		compared += known.length;
		return closest(given, known);
	};
}

function closest(given: string, names: readonly string[]): string | undefined {
	// At most one mistake per four letters is allowed.
	let most = Math.ceil(given.length / 4);
	let found: string | undefined;
	let isUnique = true;
	for (const name of names) {
		if (Math.abs(name.length - given.length) > most || name.length < 2) {
			continue;
		}
		const mistakes = distance(given.toLowerCase(), name.toLowerCase(), most);
		if (mistakes > most || (mistakes === most && found !== undefined)) {
			isUnique &&= mistakes !== most;
			continue;
		}
		[most, found, isUnique] = [mistakes, name, true];
	}
	return isUnique ? found : undefined;
}

/** Counts the letters to add, remove, replace, or swap with the next letter. Infinite above `most`. */
function distance(one: string, other: string, most: number): number {
	let beforeLast: number[] = [];
	let last = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (let row = 1; row <= one.length; row++) {
		const current = [row];
		for (let column = 1; column <= other.length; column++) {
			const replaced = last[column - 1] + (one[row - 1] === other[column - 1] ? 0 : 1);
			let least = Math.min(replaced, last[column] + 1, current[column - 1] + 1);
			if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
				least = Math.min(least, beforeLast[column - 2] + 1);
			}
			current.push(least);
		}
		if (Math.min(...current) > most) {
			return Number.POSITIVE_INFINITY;
		}
		[beforeLast, last] = [last, current];
	}
	return last[other.length];
}
