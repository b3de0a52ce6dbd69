import type { SchemaObject as Schema } from 'ajv';

import { CONTROLS } from '../../../sandbox/control/routes.mts';
import { completeDocument } from '../../../sandbox/openApi/document.mts';
import { schemaWriter } from '../../../sandbox/openApi/jsonSchema.mts';
import fc from '../../fastCheck.mts';

/** A request, with references such as `<agent_id:3>`, which become the ids of objects when it is sent. */
export interface FuzzRequest {
	method: string;
	path: string;
	headers?: Record<string, string>;
	body?: string;
}

const { paths, components }: Schema = await completeDocument();

/** The variable after a part of a path, such as `agent_id` after `agents`: the type of the ids in that list. */
export const kinds = new Map(
	[...Object.keys(paths), '/calls/{call_id}', '/deliveries/{delivery_id}'].flatMap((path) =>
		[...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, list = '', kind = '']): [string, string] => [list, kind]),
	),
);

// Values that every route has to handle.
const words = (text: string) => text.split(' ');
const VALUES: unknown[] = [
	null,
	true,
	-1,
	1.5,
	2 ** 53,
	1e308,
	'',
	'\u0000',
	'\ud800',
	'x'.repeat(70_000),
	[],
	{},
	...words('__proto__ {{#each}} $& 9999-12-31 2026-02-30 24:00 http://[::1 +1'),
];
const PARTS = [...words('% %zz %00 ..%2f.. __proto__ a%2Fb 0'), '', 'x'.repeat(8000)];
const QUERIES = words('page=-1 page=1&page=2 page[]=1 limit=0 __proto__[x]=1 %zz=%zz q=%00 && q=.* date=0001-01-01');
const BODIES = [...words('{ null [] {"a":1e999} {"__proto__":{"x":1}} {}{} \u0000'), '', '['.repeat(10_000)];
const HEADERS = [
	...['', 'Bearer TOKEN-expired', 'Bearer TOKEN-readonly'].map((Authorization) => ({ Authorization })),
	...['text/plain', 'nonsense'].map((type) => ({ 'Content-Type': type })),
	{ 'Content-Encoding': 'gzip' },
	{ Host: 'evil.example' },
];

/** Generates mostly the first, and rarely one of the other values. */
const rarely = <Value,>(usual: fc.Arbitrary<Value>, odd: readonly unknown[], weight = 30): fc.Arbitrary<Value> =>
	fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...(odd as Value[])) });

const idOf = (kind: string) => fc.constantFrom(0, 0, 0, 1, 1, 2, 7).map((index) => `<${kind}:${index}>`);
const day = fc.date({ min: new Date('2026-01-01'), max: new Date('2032-01-01'), noInvalidDate: true });
const TEXTS: Record<string, fc.Arbitrary<string>> = {
	uuid: fc.uuid(),
	uri: fc.constantFrom('<url:0>', '<url:1>'),
	date: day.map((date) => date.toISOString().slice(0, 10)),
	'date-time': day.map((date) => date.toISOString()),
};

/** Generates values that a schema accepts, except for one in thirty of their parts. @param name of the property */
function valuesOf(schema: Schema, name = '', depth = 0): fc.Arbitrary<unknown> {
	return depth > 6 ? fc.constant(null) : rarely(usual(schema, name, depth + 1), VALUES);
}

function usual(schema: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
	const { type, properties = {}, items = {}, required = [], minimum = 0, maximum = 1e6, pattern } = schema;
	const reference = schema.$ref?.split('/').at(-1);
	if (reference !== undefined) {
		return valuesOf(components.schemas[reference] ?? {}, name, depth);
	}
	const fixed = 'const' in schema ? [schema.const] : schema.enum;
	if (fixed) {
		return fc.constantFrom(...fixed);
	}
	if (schema.anyOf || Array.isArray(type)) {
		const parts: Schema[] = schema.anyOf ?? type.map((one: string) => ({ ...schema, type: one }));
		return fc.oneof(...parts.map((part) => valuesOf(part, name, depth)));
	}
	if (type === 'object') {
		const fields = Object.entries<Schema>(properties).map(([key, inner]) => [key, valuesOf(inner, key, depth)]);
		return fc.record(Object.fromEntries(fields), { requiredKeys: required });
	}
	if (type === 'array') {
		return fc.array(valuesOf(items, name.replace(/s$/, ''), depth), { maxLength: 4 });
	}
	if (type === 'integer' || type === 'number') {
		const limits = { min: Math.ceil(minimum), max: Math.min(maximum, 1e6) };
		return type === 'integer' ? fc.integer(limits) : fc.double({ ...limits, noNaN: true });
	}
	if (type !== 'string') {
		return type === 'boolean' ? fc.boolean() : fc.jsonValue();
	}
	if (/(_id|^id|Id)$/.test(name)) {
		return idOf(name.replace('Id', '_id'));
	}
	const known = TEXTS[/url/i.test(name) ? 'uri' : (schema.format ?? '')];
	const numbers = pattern?.startsWith('^\\+[1-9]') && fc.constantFrom('+12025550001', '+442071838750');
	return known ?? (numbers || (pattern ? fc.stringMatching(new RegExp(pattern)) : fc.string({ maxLength: 30 })));
}

const asJson = (value: unknown) => JSON.stringify(value);

/** Replaces the ids and addresses in an example by references, as JSON. */
const referring = (example: unknown) =>
	asJson(example ?? null)
		.replace(/"(\w+_id)":"[^"]*"/g, '"$1":"<$1:0>"')
		.replace(/"https?:[^"]*"/g, '"<url:0>"');

/** The beginning of each sequence: one more object in each list. */
export const beginning = Object.entries<Schema>(paths).flatMap(([path, { post }]): FuzzRequest[] => {
	const [media] = Object.values<Schema>(post?.requestBody?.content ?? {});
	const body = kinds.has(path.split('/').at(-1) ?? '') && media ? referring(media.example) : undefined;
	return body ? [{ method: 'POST', path: path.replace(/\{(\w+)\}/g, '<$1:0>'), body }] : [];
});

/** Generates requests to a route. @param example a body that is accepted more often: schemas lack some rules */
function requestTo(method: string, path: string, query: Schema, body?: Schema, example?: unknown) {
	const parts = path.split('/').map((part, index, all) => {
		const [, name] = /^[:{](\w+)\}?$/.exec(part) ?? [];
		const kind = name === 'id' ? (kinds.get(all[index - 1] ?? '') ?? 'any_id') : name;
		return kind === undefined ? fc.constant(part) : rarely(idOf(kind), PARTS, 10);
	});
	const searched = usual({ ...query, type: 'object' }, '', 1).map((all) => `${new URLSearchParams(all as never)}`);
	const bodies = body && fc.oneof(valuesOf(body).map(asJson), fc.constant(referring(example)));
	return fc.record({
		method: rarely(fc.constant(method), ['HEAD', 'OPTIONS', 'TRACE', 'DELETE', 'PATCH'], 40),
		path: fc
			.tuple(fc.tuple(...parts), fc.oneof(fc.constant(''), rarely(searched, QUERIES, 5)))
			.map(([all, search]) => `${all.join('/')}?${search.replace(/%3C(\w+)%3A(\d)%3E/g, '<$1:$2>')}`),
		headers: rarely(fc.constant<Record<string, string>>({}), HEADERS),
		...(bodies && { body: rarely(bodies, BODIES) }),
	});
}

const apiRequests = Object.entries<Schema>(paths).flatMap(([path, operations]) =>
	Object.entries<Schema>(operations).map(([method, { parameters = [], requestBody }]) => {
		const queries = parameters.filter((one: Schema) => one.in === 'query').map((one: Schema) => [one.name, one.schema]);
		const [{ schema, example } = {}] = Object.values<Schema>(requestBody?.content ?? {});
		return requestTo(method.toUpperCase(), path, { properties: Object.fromEntries(queries) }, schema, example);
	}),
);

/** Faults would break the responses of other routes, and an event stream does not end. */
const controlRequests = CONTROLS.filter(({ path }) => !/^(faults|events)/.test(path)).map((route) => {
	const { write } = schemaWriter(new Map());
	const body = route.method === 'POST' ? write(route.body) : undefined;
	return requestTo(route.method, `/_sandbox/${route.path}`, write(route.query), body);
});

/** Steps that keep the world alive: calls are placed and time passes. */
const lively = fc.constantFrom(
	...[
		'POST /api/v1/campaigns/<campaign_id:0>/call {"to":"+12025550001"}',
		'POST /api/v1/agents/<agent_id:0>/call {"to":"+12025550100"}',
		'POST /_sandbox/mode {"calls":"manual"}',
		'POST /_sandbox/advance {"seconds":10}',
		'POST /_sandbox/advance {"seconds":31536000}',
		'POST /_sandbox/calls/<call_id:0>/act {"action":"answer"}',
		'GET /_sandbox/calls?active=true',
	]
		.map((line) => line.split(' '))
		.map(([method = '', path = '', body]): FuzzRequest => ({ method, path, body })),
);

/** Generates sequences of requests to all routes. */
export const sequences: fc.Arbitrary<FuzzRequest[]> = fc.array(
	fc.oneof(
		{ weight: 4, arbitrary: fc.oneof(...apiRequests) },
		{ weight: 2, arbitrary: fc.oneof(...controlRequests) },
		{ weight: 1, arbitrary: lively },
	),
	{ minLength: 1, maxLength: 40, size: 'max' },
);
