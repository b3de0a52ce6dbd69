/** The value of a JSON text. Anything else stays as it is, also a text that cannot be parsed. */
export function fromJson(value: unknown): unknown {
	if (typeof value !== 'string') {
		return value;
	}
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return value;
	}
}

/** What `JSON.parse` says of a text, and the position, in the messages that have it; undefined for valid JSON. */
function complaintOf(text: string): { message: string; position: number | undefined } | undefined {
	try {
		JSON.parse(text);
		return undefined;
	} catch (error) {
		const { message } = error as Error;
		const [, position] = /at position (\d+)/.exec(message) ?? [];
		const atEnd = message.startsWith('Unexpected end') ? text.length : undefined;
		return { message, position: position === undefined ? atEnd : Number(position) };
	}
}

/**
 * The first mistake in a JSON text, in the words of `JSON.parse`, without what they quote: it may contain a secret.
 *
 * @returns the place, counted from 1, and what is wrong there; undefined for valid JSON
 */
export function jsonMistake(text: string): string | undefined {
	let complaint = complaintOf(text);
	if (complaint === undefined) {
		return undefined;
	}
	if (complaint.position === undefined) {
		// The message quotes the text in place of a position. It does so for each beginning that contains the mistake.
		let [without, end] = [0, text.length];
		while (end - without > 1) {
			const middle = Math.floor((without + end) / 2);
			const found = complaintOf(text.slice(0, middle));
			if (found !== undefined && found.position === undefined) {
				[end, complaint] = [middle, found];
			} else {
				without = middle;
			}
		}
		complaint.position = without;
	}
	const [what] = complaint.message.split(/ (?:in JSON )?at position|, (?:\.{3})?"/);
	return `${placeAt(text, complaint.position)}: ${what}`;
}

/** The line and column of a position in a text, counted from 1. */
function placeAt(text: string, position: number): string {
	const lines = text.slice(0, position).split('\n');
	return `line ${lines.length}, column ${lines[lines.length - 1].length + 1}`;
}

/** The texts of a JSON text, names with their colon, and the brackets. */
const TEXT_OR_BRACKET = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[[\]{}]/g;

/** What is wrong with a field whose JSON has a name twice, before its place, and what to do. */
export const REPEATED_NAME = { what: 'has a name that its object has before', advice: 'Remove one of the two there' };

/**
 * The place of the first name in a valid JSON text that its object has before: only one of their values would be read.
 *
 * @returns the line and column, counted from 1; undefined if all names are unique in their objects
 */
export function repeatedNameIn(text: string): string | undefined {
	/** The names of the objects and lists around a place. */
	const around: Array<Set<string>> = [];
	for (const { 0: token, index } of text.matchAll(TEXT_OR_BRACKET)) {
		if (token === '{' || token === '[') {
			around.push(new Set());
		} else if (token === '}' || token === ']') {
			around.pop();
		} else if (token.endsWith(':')) {
			const name = JSON.parse(token.slice(0, -1)) as string;
			const names = around.at(-1);
			if (names?.has(name)) {
				return placeAt(text, index);
			}
			names?.add(name);
		}
	}
	return undefined;
}

/** The texts and the numbers of a JSON text. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * The place of the first number in a valid JSON text that JavaScript cannot hold: a whole number whose last digits would
 * be rounded, or one that would be infinite.
 *
 * @returns the line and column, counted from 1; undefined if all numbers are read as they are written
 */
export function lossyNumberIn(text: string): string | undefined {
	for (const { 0: token, index } of text.matchAll(TEXT_OR_NUMBER)) {
		const isLossy = /^-?\d+$/.test(token) ? !Number.isSafeInteger(Number(token)) : !Number.isFinite(Number(token));
		if (!token.startsWith('"') && isLossy) {
			return placeAt(text, index);
		}
	}
	return undefined;
}

/** Tells whether a value is an object with named members: not null, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Tells whether a value is an object that JSON can hold: no date, and no other object with a form of its own. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
	return (
		isRecord(value) && Object.prototype.toString.call(value) === '[object Object]' && typeof value.toJSON !== 'function'
	);
}

/** A text without anything to see or to say: spaces of all kinds, line breaks, zero-width and control characters. */
const ONLY_BLANKS = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Tells whether a value is what an empty field has, what an expression without a result gives, or only blanks. */
export function isBlank(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || (typeof value === 'string' && ONLY_BLANKS.test(value));
}

/** The most levels of a value: functions that call themselves for each level end with an error of the engine at some. */
const MOST_LEVELS = 200;

/** What is wrong with a value that {@link isTooDeep}, after its name. */
export const TOO_DEEP = `is nested more than ${MOST_LEVELS} levels deep`;

/** What to do about it, without a period. */
export const REDUCE_NESTING_ADVICE = 'Use a value with fewer levels';

/** Whether a value has too many levels. Does not call itself: no value is too deep for it. */
export function isTooDeep(value: unknown): boolean {
	let level = new Set([value].filter(hasLevels));
	for (let levels = 0; level.size > 0; levels++) {
		if (levels > MOST_LEVELS) {
			return true;
		}
		const next = new Set<object>();
		for (const one of level) {
			for (const inner of Object.values(one)) {
				if (hasLevels(inner)) {
					next.add(inner);
				}
			}
		}
		level = next;
	}
	return false;
}

function hasLevels(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}

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
