/** Returns the value of a JSON text. Other values, and texts that cannot be parsed, are returned unchanged. */
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

/** Returns the value of JSON in UTF-8, with or without a byte order mark; a text that cannot be parsed is returned. */
export function fromJsonBytes(bytes: Uint8Array): unknown {
	return fromJson(new TextDecoder().decode(bytes));
}

/** Returns the error message of `JSON.parse`, with its position if it states one; undefined for valid JSON. */
function parseErrorOf(text: string): { message: string; position: number | undefined } | undefined {
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
 * Describes the first mistake in a JSON text, in the words of `JSON.parse` without its quotations, which may contain a
 * secret.
 *
 * @returns the place, counted from 1, and the mistake; undefined for valid JSON
 */
export function jsonMistake(text: string): string | undefined {
	let parseError = parseErrorOf(text);
	if (parseError === undefined) {
		return undefined;
	}
	if (parseError.position === undefined) {
		// The message quotes the text instead of a position. It does so for each beginning that contains the mistake.
		let [without, end] = [0, text.length];
		while (end - without > 1) {
			const middle = Math.floor((without + end) / 2);
			const found = parseErrorOf(text.slice(0, middle));
			if (found !== undefined && found.position === undefined) {
				[end, parseError] = [middle, found];
			} else {
				without = middle;
			}
		}
		parseError.position = without;
	}
	const [what] = parseError.message.split(/ (?:in JSON )?at position|, (?:\.{3})?"/);
	return `${placeAt(text, parseError.position)}: ${what}`;
}

/** Returns the line and column of a position in a text, counted from 1. */
function placeAt(text: string, position: number): string {
	const lines = text.slice(0, position).split('\n');
	return `line ${lines.length}, column ${lines[lines.length - 1].length + 1}`;
}

/** Matches the strings of a JSON text, names with their colon, and the brackets. */
const TEXT_OR_BRACKET = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[[\]{}]/g;

/** The message and advice for a field whose JSON repeats a name; the place follows the message. */
export const REPEATED_NAME = { what: 'has a name that its object has before', advice: 'Remove one of the two there' };

/**
 * Finds the first repeated name of an object in a valid JSON text: only one of its values would be read.
 *
 * @returns the line and column, counted from 1; undefined if all names are unique in their objects
 */
export function repeatedNameIn(text: string): string | undefined {
	/** The names in the objects and lists around the present place. */
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

/** Matches the strings and numbers of a JSON text. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * Finds the first number in a valid JSON text that JavaScript cannot represent: a whole number whose last digits would
 * be rounded, or a number that would be infinite.
 *
 * @returns the line and column, counted from 1; undefined if all numbers are read exactly
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

/** Whether a value is an object with named members: not null, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a plain object that JSON can represent: not a date, and not an object with its own JSON form. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
	return (
		isRecord(value) && Object.prototype.toString.call(value) === '[object Object]' && typeof value.toJSON !== 'function'
	);
}

/** Matches a text without visible characters: spaces of all kinds, line breaks, zero-width and control characters. */
const ONLY_BLANKS = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether a value is that of an empty field or of an expression without a result, or contains only blanks. */
export function isBlank(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || (typeof value === 'string' && ONLY_BLANKS.test(value));
}

/** The maximum nesting of a value: recursive functions would overflow the stack of the engine at some depth. */
const MOST_LEVELS = 200;

/** The message for a value that {@link isTooDeep}, to follow its name. */
export const TOO_DEEP = `is nested more than ${MOST_LEVELS} levels deep`;

/** The advice for such a value, without a period. */
export const REDUCE_NESTING_ADVICE = 'Use a value with fewer levels';

/** Whether a value is nested too deeply. The function is not recursive, so it works at any depth. */
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

/** A value that JSON cannot represent, and its place. */
interface Lost {
	/** The names and positions of its place; empty for the value itself. */
	path: Array<string | number>;
	/** The description of the value; undefined if it is undefined. */
	what: string | undefined;
}

/**
 * Finds the first part of a value that JSON leaves out or replaces by null or an empty object, such as the undefined
 * result of an expression.
 *
 * @param value without circular references
 * @returns undefined if JSON can represent all of it; a date counts as a text
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
		// `Array.from` also visits the gaps of a list.
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
