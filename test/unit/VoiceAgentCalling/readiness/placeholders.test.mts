import { missingFrom, placeholdersIn, valuesFor } from '../../../../nodes/VoiceAgentCalling/readiness/placeholders.ts';

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
	expect(missingFrom(values, names)).toEqual(names.filter((name) => missingFrom(item, [name]).length > 0));
});

test('a placeholder named like the prototype of objects changes no other object', () => {
	const item = JSON.parse('{"__proto__": {"polluted": 1, "other": 2}}');
	expect(JSON.stringify(valuesFor(['__proto__'], item))).toBe('{"__proto__":{"polluted":1,"other":2}}');
	expect(JSON.stringify(valuesFor(['__proto__.polluted'], item))).toBe('{"__proto__":{"polluted":1}}');
	expect({}).not.toHaveProperty('polluted');
});

test('an empty text and what is no number count as missing, 0, false and a part of an object do not', () => {
	const payload = { a: '', b: 0, c: false, d: { e: '' }, f: Number.NaN };
	expect(missingFrom(payload, ['a', 'b', 'c', 'd.e', 'f', 'g'])).toEqual(['a', 'f', 'g']);
	expect(missingFrom(undefined, ['a'])).toEqual(['a']);
});
