import { missingFrom, placeholdersIn, valuesFor } from '../../../../nodes/VoiceAgentCalling/callRules/placeholders.ts';

test('placeholders are found once each, in their order, and only in the notation of the service', () => {
	const texts = ['Hi {{ b }} and {{a.b}}', undefined, '{{b}} {single} {{}} {{#if x}} {{größe}} {{first name}}'];
	expect(placeholdersIn(texts)).toEqual(['b', 'a.b', 'größe', 'first name']);
});

test.each([
	['a field of the name', ['a'], { a: 1, b: 2 }, { a: 1 }],
	['0, false and an empty text', ['a', 'b', 'c'], { a: 0, b: false, c: '' }, { a: 0, b: false, c: '' }],
	['neither null nor undefined', ['a', 'b', 'c'], { a: null, b: undefined }, {}],
	['a field whose name has a dot', ['a.b'], { 'a.b': 1, a: { b: 2 } }, { 'a.b': 1 }],
	[
		'a part of an object, and not its other parts',
		['a.b', 'a.c.d'],
		{ a: { b: 1, c: { d: 2, e: 3 }, f: 4 } },
		{ a: { b: 1, c: { d: 2 } } },
	],
	['the whole object where it is a placeholder itself', ['a.b', 'a'], { a: { b: 1, c: 2 } }, { a: { b: 1, c: 2 } }],
	['nothing within a text', ['a.length'], { a: 'text' }, {}],
	['nothing that the item inherits', ['constructor', 'toString', 'a.constructor'], { a: {} }, {}],
])('an item gives %s', (_what, names, item, values) => {
	expect(valuesFor(names, item)).toEqual(values);
	expect(missingFrom(values, names)).toEqual(missingFrom(item, names));
});

test('a placeholder named like the prototype of objects changes no other object', () => {
	const item = JSON.parse('{"__proto__": {"polluted": 1, "other": 2}}');
	expect(JSON.stringify(valuesFor(['__proto__'], item))).toBe('{"__proto__":{"polluted":1,"other":2}}');
	expect(JSON.stringify(valuesFor(['__proto__.polluted'], item))).toBe('{"__proto__":{"polluted":1}}');
	expect({}).not.toHaveProperty('polluted');
});

const date = new Date('2027-01-02');

test.each<[what: string, value: unknown, ...instead: string[]]>([
	['nothing', undefined],
	['null', null],
	['an empty text', ''],
	['spaces', '   '],
	['a tab and line breaks', '\t\r\n\u2028'],
	['no-break, narrow and ideographic spaces', '\u00a0\u202f\u2009\u3000'],
	['zero-width characters', '\u200b\u200c\u200d\u2060\ufeff\u00ad'],
	['directions, fillers and control characters', '\u200e\u202a\u2069\u3164\u2800\u0000'],
	['what is no number', Number.NaN],
	['an infinite number', Number.POSITIVE_INFINITY],
	['an object', { a: 1 }, 'an object'],
	['an empty object', {}, 'an object'],
	['a list', ['x', 'y'], 'a list'],
	['an empty list', [], 'a list'],
	['an object that became a text', 'Dear [object Object],', '[object Object]'],
	['a date that could not be read', 'on Invalid DateTime', 'Invalid DateTime'],
	['an error of a spreadsheet', '#N/A', '#N/A'],
	['a formula that is not calculated yet', 'Loading...', 'Loading...'],
	['what JavaScript has for nothing', 'undefined', 'undefined'],
	['a placeholder', 'Dear {{name}}', '{{name}}'],
	['another date that could not be read', 'Invalid Date', 'Invalid Date'],
])('%s is no value', (_what, value, ...instead) => {
	expect(missingFrom({ name: value }, ['name'])).toEqual([{ name: 'name', instead: instead[0] }]);
});

test.each([0, -1.5, false, true, 'Ada', ' Ada ', '0', '-', '?', 'null', 'Null', 'NaN', '👋', 'علي', date])(
	'%j is a value',
	(value) => {
		expect(missingFrom({ name: value }, ['name'])).toEqual([]);
	},
);

const namesOf = (payload: unknown, names: string[]) => missingFrom(payload, names).map(({ name }) => name);

test('names with hyphens, spaces and letters of any language need a value, too', () => {
	const names = ['user-name', 'first name', 'größe', '名前', '1'];
	expect(namesOf({}, names)).toEqual(names);
	expect(namesOf(undefined, names)).toEqual(names);
	expect(namesOf(Object.fromEntries(names.map((name) => [name, 'x'])), names)).toEqual([]);
});

test('an object is a value where a placeholder is a path into it', () => {
	expect(namesOf({ a: { b: 'x' } }, ['a', 'a.b'])).toEqual([]);
	expect(namesOf({ a: { b: 'x' } }, ['a', 'ab.c'])).toEqual(['a']);
	expect(namesOf({ a: { b: { c: 'x' } } }, ['a.b'])).toEqual(['a.b']);
});

test('a name with a dot may be of the service: it counts only where a value is given', () => {
	expect(namesOf({}, ['call.id'])).toEqual([]);
	expect(namesOf({ company: {} }, ['company.name'])).toEqual([]);
	expect(namesOf({ company: { name: ' ' } }, ['company.name'])).toEqual(['company.name']);
	expect(namesOf({ 'company.name': '\u200b' }, ['company.name'])).toEqual(['company.name']);
	expect(namesOf({ 'company.name': 'ACME' }, ['company.name'])).toEqual([]);
});
