/** What can follow at some place of a JSON text, in the words of a message. */
const expected = {
	value: 'a value',
	valueOrEnd: 'a value or ]',
	name: 'a name in double quotation marks',
	nameOrEnd: 'a name in double quotation marks or }',
	colon: ': after the name',
	commaOrBrace: ', or }',
	commaOrBracket: ', or ]',
	end: 'nothing more after the value',
} as const;

type State = keyof typeof expected;

/** The punctuation that leads from one state to another; `close` ends the innermost object or list. */
const punctuation: Record<State, Record<string, State | 'close'>> = {
	value: { '{': 'nameOrEnd', '[': 'valueOrEnd' },
	valueOrEnd: { '{': 'nameOrEnd', '[': 'valueOrEnd', ']': 'close' },
	name: {},
	nameOrEnd: { '}': 'close' },
	colon: { ':': 'value' },
	commaOrBrace: { ',': 'name', '}': 'close' },
	commaOrBracket: { ',': 'value', ']': 'close' },
	end: {},
};

const WHITESPACE = /[ \t\r\n]*/y;

const NUMBER_OR_WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** A backslash and what may follow it. */
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

/**
 * Finds the first mistake in a JSON text. The parser of Node.js tells the place only in some versions and for some
 * mistakes, and its message quotes the text, which may contain a secret.
 *
 * @returns the place, counted from 1, and what is wrong there; undefined for valid JSON
 */
export function jsonMistake(text: string): string | undefined {
	const open: string[] = [];
	const afterValue = (): State => (open.length === 0 ? 'end' : open.at(-1) === '{' ? 'commaOrBrace' : 'commaOrBracket');
	let state: State = 'value';
	let index = lengthOf(WHITESPACE, text, 0);
	while (index < text.length) {
		const char = text[index];
		const next: State | 'close' | undefined = punctuation[state][char];
		if (next === 'close') {
			open.pop();
			state = afterValue();
			index++;
		} else if (next !== undefined) {
			if (char === '{' || char === '[') {
				open.push(char);
			}
			state = next;
			index++;
		} else {
			const isName: boolean = state === 'name' || state === 'nameOrEnd';
			const isValue = state === 'value' || state === 'valueOrEnd';
			if (char === '"' && (isName || isValue)) {
				const { end, mistake } = readString(text, index);
				if (mistake !== undefined) {
					return placed(text, end, mistake);
				}
				index = end;
			} else {
				const length = isValue ? lengthOf(NUMBER_OR_WORD, text, index) : 0;
				if (length === 0) {
					return placed(text, index, `expected ${expected[state]}`);
				}
				index += length;
			}
			state = isName ? 'colon' : afterValue();
		}
		index += lengthOf(WHITESPACE, text, index);
	}
	return state === 'end' ? undefined : placed(text, index, `the text ends where it needs ${expected[state]}`);
}

/** Reads a text in quotation marks. @returns the index after it, or that of a mistake */
function readString(text: string, start: number): { end: number; mistake?: string } {
	let index = start + 1;
	while (index < text.length && text[index] !== '"') {
		if (text[index] < ' ') {
			return { end: index, mistake: 'a line break or tab inside quotation marks is written as \\n or \\t' };
		}
		const length = text[index] === '\\' ? lengthOf(ESCAPE, text, index) : 1;
		if (length === 0) {
			return { end: index, mistake: 'a backslash is written as \\\\' };
		}
		index += length;
	}
	return index < text.length
		? { end: index + 1 }
		: { end: start, mistake: 'the quotation mark that opens here is never closed' };
}

function lengthOf(pattern: RegExp, text: string, index: number): number {
	pattern.lastIndex = index;
	return pattern.exec(text)?.[0].length ?? 0;
}

function placed(text: string, index: number, mistake: string): string {
	const lines = text.slice(0, index).split('\n');
	return `line ${lines.length}, column ${lines[lines.length - 1].length + 1}: ${mistake}`;
}
