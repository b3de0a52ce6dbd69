import { jsonMistake } from '../../../../nodes/shared/lib/jsonMistake.ts';

test.each([
	['{"name": }', 'line 1, column 10: expected a value'],
	['{"name": "Ada"', 'line 1, column 15: the text ends where it needs , or }'],
	['{\n  "name": "Ada"\n  "city": "Rome"\n}', 'line 3, column 3: expected , or }'],
	['{"name": "Ada",}', 'line 1, column 16: expected a name in double quotation marks'],
	["{'name': 1}", 'line 1, column 2: expected a name in double quotation marks or }'],
	['{"name" "Ada"}', 'line 1, column 9: expected : after the name'],
	['[1 2]', 'line 1, column 4: expected , or ]'],
	['[1,]', 'line 1, column 4: expected a value'],
	['[', 'line 1, column 2: the text ends where it needs a value or ]'],
	['{} {}', 'line 1, column 4: expected nothing more after the value'],
	['{"note": "Hello "Ada""}', 'line 1, column 18: expected , or }'],
	['{"note": "one\ntwo"}', 'line 1, column 14: a line break or tab inside quotation marks is written as \\n or \\t'],
	['{"path": "C:\\Users"}', 'line 1, column 13: a backslash is written as \\\\'],
	['{\n "name": "Ada}', 'line 2, column 10: the quotation mark that opens here is never closed'],
	['{"age": 07}', 'line 1, column 10: expected , or }'],
	['hello', 'line 1, column 1: expected a value'],
	['', 'line 1, column 1: the text ends where it needs a value'],
	['{"a": NaN}', 'line 1, column 7: expected a value'],
])('%j: %s', (text, mistake) => {
	expect(jsonMistake(text)).toBe(mistake);
});

/** A JSON text with all kinds of values, over several lines. */
const valid = JSON.stringify(
	{ name: 'Ad\u0007a \u007f', list: [1, -2.5e10, 0, true, false, null, [], {}, 'ü😀'], deep: { a: { b: ['"\\/\n'] } } },
	undefined,
	2,
);

/** The position in the message of the parser, in the versions of Node.js and for the mistakes that have one. */
function parsersPosition(text: string): number | undefined {
	try {
		JSON.parse(text);
	} catch (error) {
		const [, position] = /at position (\d+)/.exec((error as Error).message) ?? [];
		return position === undefined ? undefined : Number(position);
	}
	throw new Error(`This is valid JSON: ${text}`);
}

function isValid(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** The text with one character removed, doubled or replaced, at each place. */
const changed = Array.from(valid, (_, index) => index).flatMap((index) => [
	valid.slice(0, index) + valid.slice(index + 1),
	valid.slice(0, index) + valid[index] + valid.slice(index),
	...['"', ',', ':', '{', '}', '[', ']', '\\', '\n', '\t', '0', '-', 'e', '.', 'u', ' ', '\u00a0'].map(
		(char) => valid.slice(0, index) + char + valid.slice(index + 1),
	),
	valid.slice(0, index),
]);

test('finds a mistake exactly where the parser of Node.js finds one', () => {
	expect(changed.length).toBeGreaterThan(2000);
	const wrong = changed.filter((text) => (jsonMistake(text) === undefined) !== isValid(text));
	expect(wrong).toEqual([]);
	expect(jsonMistake(valid)).toBeUndefined();
});

test('names the line of the parser, and its column but inside of numbers, words and texts', () => {
	const positions = changed
		.filter((text) => !isValid(text))
		.map((text) => ({ text, position: parsersPosition(text) }))
		.filter((found): found is { text: string; position: number } => found.position !== undefined);
	expect(positions.length).toBeGreaterThan(100);
	const far = positions.filter(({ text, position }) => {
		const [, line, column] = /^line (\d+), column (\d+): /.exec(jsonMistake(text) ?? '') ?? [];
		const start =
			text
				.split('\n')
				.slice(0, Number(line) - 1)
				.join('\n').length + (line === '1' ? 0 : 1);
		const own = start + Number(column) - 1;
		const between = text.slice(Math.min(own, position), Math.max(own, position));
		return /never closed/.test(jsonMistake(text) ?? '') ? position < own : !/^[\w.+"\\-]{0,6}$/.test(between);
	});
	expect(far).toEqual([]);
});

test('quotes nothing of the text', () => {
	for (const text of ['{"password": hunter2}', '{"password": "hunter2}', '{"password" hunter2', '"\nhunter2"']) {
		expect(jsonMistake(text)).not.toMatch(/hunter|password/);
	}
});

test('reads a large text at once', () => {
	const large = `[${'"x\\n",'.repeat(300_000)}`;
	expect(jsonMistake(large)).toMatch(/^line 1, column 1800002: the text ends where it needs a value$/);
	expect(jsonMistake(`"${'x'.repeat(5_000_000)}`)).toMatch(/never closed$/);
	expect(jsonMistake('['.repeat(100_000))).toMatch(/column 100001/);
});
