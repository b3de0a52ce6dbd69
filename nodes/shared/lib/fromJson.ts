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
