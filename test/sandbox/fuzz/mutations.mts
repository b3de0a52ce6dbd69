import fc, { type Arbitrary } from 'fast-check';

/** One change of a JSON value: at which of its parts, and what becomes of it. */
export interface Mutation {
	at: number;
	change: 'replace' | 'delete' | 'add' | 'wrap';
	key: string;
	value: unknown;
}

/** What a body should survive. `<json:…>` stands for JSON that `JSON.stringify` does not write; see `resolve`. */
const ODD_VALUES: unknown[] = [
	null,
	true,
	0,
	-0,
	-1,
	1.5,
	2 ** 53,
	-(2 ** 53),
	1e308,
	5e-324,
	8.64e15,
	'<json:1e999>',
	'<json:-1e999>',
	'<json:1E400>',
	'<deep:10000>',
	'<deep:500>',
	'<many:20000>',
	'',
	' ',
	'\u0000',
	'\ud800',
	'\udc00\ud800',
	'😀'.repeat(300),
	'x'.repeat(70_000),
	'__proto__',
	'constructor',
	'../../etc/passwd',
	'{{first_name}}',
	'{{#each}}',
	'$&$1',
	'NaN',
	'9999-12-31',
	'9999-12-31T23:59:59Z',
	'0000-01-01',
	'0001-01-01T00:00:00+23:59',
	'2026-02-30',
	'2026-13-01T25:61:61Z',
	'+275760-09-13T00:00:00Z',
	'1970-01-01',
	'24:00',
	'23:59',
	'UTC',
	'Pacific/Apia',
	'+00:00',
	'Etc/GMT+12',
	'http://',
	'javascript:alert(1)',
	'http://[::1',
	'http://127.0.0.1:99999/',
	'http://user:pass@127.0.0.1:1/',
	'+1',
	'+0000000',
	[],
	[[]],
	[null],
	{},
	{ __proto__: null, toString: 1 },
	JSON.parse('{"__proto__":{"polluted":true}}'),
	{ length: 1e9 },
];
const KEYS = ['__proto__', 'constructor', 'toString', 'length', '', 'id', 'a.b', '0', 'status', 'extra'];

/** Changes of a JSON value. */
export const mutations: Arbitrary<Mutation[]> = fc.array(
	fc.record({
		at: fc.nat(60),
		change: fc.constantFrom<Mutation['change'][]>('replace', 'replace', 'replace', 'delete', 'add', 'wrap'),
		key: fc.constantFrom(...KEYS),
		value: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...ODD_VALUES) }, fc.jsonValue()),
	}),
	{ minLength: 1, maxLength: 3 },
);

/** The value with one of its parts changed, counted from the outside in; the whole value is part 0. */
export function mutated(value: unknown, { at, change, key, value: odd }: Mutation): unknown {
	let left = at % countParts(value);
	const visit = (node: unknown): unknown => {
		if (left === 0) {
			left = -1;
			return changed(node);
		}
		left -= 1;
		if (Array.isArray(node)) {
			return node.map((item) => (left < 0 ? item : visit(item))).filter((item) => item !== undefined);
		}
		if (typeof node === 'object' && node !== null) {
			return Object.fromEntries(Object.entries(node).map(([name, item]) => [name, left < 0 ? item : visit(item)]));
		}
		return node;
	};
	const changed = (node: unknown): unknown => {
		switch (change) {
			case 'delete':
				return undefined;
			case 'wrap':
				return [node];
			case 'add':
				return typeof node === 'object' && node !== null && !Array.isArray(node)
					? Object.fromEntries([...Object.entries(node), [key, odd]])
					: [node, odd];
			default:
				return odd;
		}
	};
	return visit(value);
}

function countParts(value: unknown): number {
	if (typeof value !== 'object' || value === null) {
		return 1;
	}
	return Object.values(value).reduce<number>((sum, part) => sum + countParts(part), 1);
}
