import { jsonMistake, repeatedNameIn } from '../../../../nodes/shared/lib/json.ts';

test.each([
	['{"name": }', "line 1, column 10: Unexpected token '}'"],
	['{"name": "Ada"', "line 1, column 15: Expected ',' or '}' after property value"],
	['{"name": ', 'line 1, column 10: Unexpected end of JSON input'],
	['{\n  "name": "Ada"\n  "city": "Rome"\n}', "line 3, column 3: Expected ',' or '}' after property value"],
	['{"name": "Ada",}', 'line 1, column 16: Expected double-quoted property name'],
	["{'name': 1}", "line 1, column 2: Expected property name or '}'"],
	['[1 2]', "line 1, column 4: Expected ',' or ']' after array element"],
	['{} {}', 'line 1, column 4: Unexpected non-whitespace character after JSON'],
	['{"note": "one\ntwo"}', 'line 1, column 14: Bad control character in string literal'],
	['{\n "name": "Ada}', 'line 2, column 15: Unterminated string'],
	['hello', "line 1, column 1: Unexpected token 'h'"],
	['', 'line 1, column 1: Unexpected end of JSON input'],
	['{"a": NaN}', "line 1, column 7: Unexpected token 'N'"],
	// Of these, the parser says something else as soon as they are complete.
	['[object Object]', "line 1, column 2: Unexpected token 'o'"],
	['undefined', "line 1, column 1: Unexpected token 'u'"],
	[`[${' '.repeat(100)}\n${' '.repeat(100)}x${' '.repeat(100)}]`, "line 2, column 101: Unexpected token 'x'"],
])('%j: %s', (text, mistake) => {
	expect(jsonMistake(text)).toBe(mistake);
});

const valid = JSON.stringify(
	{ name: 'Ad\u0007a \u007f', list: [1, -2.5e10, 0, true, false, null, [], {}, 'ü😀'], deep: { a: { b: ['"\\/\n'] } } },
	undefined,
	2,
);

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
	...[...'",:{}[]\\\n\t0-e.u \u00a0'].map((char) => valid.slice(0, index) + char + valid.slice(index + 1)),
	valid.slice(0, index),
]);

test('finds the first place up to which a text could become valid JSON', () => {
	expect(changed.length).toBeGreaterThan(2000);
	expect(jsonMistake(valid)).toBeUndefined();
	const placeOf = (text: string) => /^line (\d+), column (\d+)(?=: [A-Z])/.exec(jsonMistake(text) ?? '') ?? undefined;
	for (const text of changed) {
		const [place, line, column] = placeOf(text) ?? [];
		expect({ text, isValid: place === undefined }).toEqual({ text, isValid: isValid(text) });
		if (place !== undefined) {
			const lines = text.split('\n').slice(0, Number(line));
			const before = [...lines.slice(0, -1), lines.at(-1)?.slice(0, Number(column) - 1)].join('\n');
			// What is before it lacks nothing but its end.
			expect({ text, place: placeOf(before)?.[0] ?? place }).toEqual({ text, place });
		}
	}
});

test('quotes nothing of the text', () => {
	for (const text of ['{"password": hunter2}', '{"password": "hunter2}', '{"password" hunter2', '"\nhunter2"']) {
		expect(jsonMistake(text)).not.toMatch(/hunter|password/);
	}
});

test.each([
	['{"to": 1, "is_testing": true, "to": 2}', 'line 1, column 31'],
	['{"a": {"b": [{}, {"c": 1,\n"c": 2}]}}', 'line 2, column 1'],
	['{"a": {"b": 1}, "b": 2, "a" : 3}', 'line 1, column 25'],
	['{"to": 1, "\\u0074o": 2}', 'line 1, column 11'],
	['{"__proto__": 1, "__proto__": 2}', 'line 1, column 18'],
	['{"a": "\\"a\\":", "b": "{", "c": ["a", "a", {"a": 1}, {"a": "b"}], "d": ["}"]}', undefined],
	['["a", "a"]', undefined],
	[valid, undefined],
])('%s: a name that its object has before: %s', (text, place) => {
	expect(repeatedNameIn(text)).toBe(place);
});

test('reads a large text at once', () => {
	expect(repeatedNameIn(`[${'{"a": {"b": "\\"\\n"}},'.repeat(100_000)}0]`)).toBeUndefined();
	const large = `[${'"x\\n",'.repeat(100_000)}`;
	expect(jsonMistake(large)).toBe('line 1, column 600002: Unexpected end of JSON input');
	expect(jsonMistake(`${large}x]`)).toBe("line 1, column 600002: Unexpected token 'x'");
});
