import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';

import { CONTROLS } from '../../../sandbox/control/routes.mts';
import { schemaWriter } from '../../docs/openApi/jsonSchema.mts';
import { mutated, mutations } from './mutations.mts';
import { kindOf } from './references.mts';
import { type JsonSchema, placeOf, valuesOf } from './schemaValues.mts';

/** A request, with references such as `<agent_id:3>` in path and body, which `resolve` replaces. */
export interface FuzzRequest {
	method: string;
	path: string;
	/** The path with its variables: which route it is for. */
	route: string;
	headers: Record<string, string>;
	/** Null for none. */
	body: string | null;
	/** How the body becomes bytes. */
	encoding: 'utf8' | 'latin1' | 'gzip';
}

interface Operation {
	parameters?: Array<{ name: string; in: string; schema?: JsonSchema }>;
	requestBody?: { content: Record<string, { schema: JsonSchema; example?: unknown }> };
}
interface Document {
	paths: Record<string, Record<string, Operation>>;
	components: { schemas: Record<string, JsonSchema> };
}

const file = join(import.meta.dirname, '..', '..', '..', 'docs', 'openapi.json');
const document = JSON.parse(readFileSync(file, 'utf8')) as Document;

/** A route as the fuzz test sees it. */
interface Target {
	method: string;
	path: string;
	body: Arbitrary<unknown> | undefined;
	query: Arbitrary<unknown>;
}

const schemaAt = (reference: string) => document.components.schemas[reference.split('/').at(-1)!]!;

const apiTargets: Target[] = Object.entries(document.paths).flatMap(([path, operations]) =>
	Object.entries(operations).map(([method, { parameters = [], requestBody }]) => {
		const [media] = Object.values(requestBody?.content ?? {});
		const queries = parameters.filter((parameter) => parameter.in === 'query');
		const properties = Object.fromEntries(queries.map(({ name, schema = {} }) => [name, schema]));
		const generated = media && valuesOf(media.schema, schemaAt);
		return {
			method: method.toUpperCase(),
			path,
			// The example is accepted more often: not all rules are in the schema.
			body: generated && fc.oneof(generated, fc.constant(referring(media.example))),
			query: valuesOf({ type: 'object', properties }, schemaAt),
		};
	}),
);

/** Bodies of control routes whose rules are not all in their schemas. */
const CONTROL_BODIES: Record<string, unknown[]> = {
	advance: [0, 1, 30, 3600, 86_400, 604_800, 31_536_000, 1e9, 2e11].map((seconds) => ({ seconds })),
	script: [
		{
			to: '+12025550001',
			times: 3,
			steps: [
				{ after: 1, do: 'answer' },
				{ do: 'say', text: 'Yes' },
				{ do: 'press', keys: '1#' },
				{ do: 'useAction', action: 'book_appointment', arguments: {} },
				{ after: 60, do: 'hangUp' },
			],
		},
	],
	inbound: [{ to: '<number:0>', from: '+12025550001' }],
	mode: [{ calls: 'manual', ringSeconds: 1 }, { calls: 'manual' }, { calls: 'automatic' }],
	deliver: [{ webhookId: '<webhook_id:0>', event: 'campaign_call.completed', times: 3 }],
	'campaigns/:id/sftp': [{ name: 'a.csv', content: 'to,name\n+12025550001,Ada\nnobody,Grace\n' }],
	'calls/:id/act': ['answer', 'decline', 'voicemail', 'hangUp', 'noAnswer'].map((action) => ({ action })),
	'calls/:id/action': [{ action: 'book_appointment', arguments: { day: '2030-01-15', date: '2030-01-15' } }],
	// Faults stay away from the routes, which have to answer correctly.
	faults: [],
};
/** No route has this path: what faults do there is not the sandbox's mistake. */
export const FAULT_PATH = '/api/v1/fault-target';

const controlTargets: Target[] = CONTROLS.map(({ method, path, query, body }) => {
	const { write } = schemaWriter(new Map());
	const known = CONTROL_BODIES[path] ?? [];
	const bySchema = valuesOf(write(body) as JsonSchema, schemaAt);
	const generated =
		path === 'faults'
			? bySchema.map((fault) => ({ ...(fault as object), ms: 5, match: { path: FAULT_PATH } }))
			: bySchema;
	return {
		method,
		path: `/_sandbox/${path}`,
		body: method === 'POST' ? fc.oneof(generated, ...known.map((value) => fc.constant(value))) : undefined,
		query: valuesOf(write(query) as JsonSchema, schemaAt),
	};
});

const pageTargets: Target[] = [
	...['/', '/docs', '/docs/openapi.json', '/docs/start.js', '/console/app.js', '/console/preact.js'],
	...['/nothing', '/api', '/api/v1', '/api/v1/', '/api/v1/agents/', '/_sandbox', '/_sandbox/', '/console/../main.mts'],
	...['/docs/..%2f..%2fpackage.json', '/console/%2e%2e/index.html', '//', '/%', '/%zz', '/%00', FAULT_PATH],
].map((path) => ({ method: 'GET', path, body: undefined, query: fc.constant({}) }));

/** An example with references in place of its ids and addresses. */
function referring(example: unknown, name = ''): unknown {
	if (Array.isArray(example)) {
		return example.map((item) => referring(item, name.replace(/s$/, '')));
	}
	if (typeof example === 'object' && example !== null) {
		return Object.fromEntries(Object.entries(example).map(([key, value]) => [key, referring(value, key)]));
	}
	if (typeof example !== 'string') {
		return example;
	}
	if (/^https?:/.test(example)) {
		return '<url:0>';
	}
	return /_id$/.test(name) ? `<${name}:0>` : example;
}

const ODD_IDS = [
	...['00000000-0000-4000-8000-000000000000', '__proto__', 'constructor', '..%2f', '%2e%2e', '..%2f..%2f_sandbox'],
	...['%', '%zz', '%C0%80', '%00', '%E2%82', '%F0%9F%98%80', 'é', '*', ':id', '0', '-1', 'null', 'undefined', 'NaN'],
	...['x'.repeat(501), 'x'.repeat(8000), "'%20OR%201=1", '%0d%0aX-Header:%201', ';jsessionid=1', 'a%2Fb', ''],
];

/** What a variable of a path is filled with, by its name and what stands before it. */
function variable(name: string, before: string): Arbitrary<string> {
	const kind = name === 'id' ? kindOf(before) : name;
	const own = placeOf.map((index) => `<${kind}:${index}>`);
	const other = fc
		.constantFrom('agent_id', 'campaign_id', 'webhook_id', 'calendar_id', 'call_id', 'any_id')
		.map((of) => `<${of}:0>`);
	return fc.oneof(
		{ weight: 12, arbitrary: own },
		{ weight: 1, arbitrary: other },
		{ weight: 2, arbitrary: fc.constantFrom(...ODD_IDS) },
	);
}

function pathOf({ path }: Target): Arbitrary<string> {
	const parts = path.split('/').map((part, index, all) => {
		const [, name] = /^(?::|\{)(\w+)\}?$/.exec(part) ?? [];
		return name === undefined ? fc.constant(part) : variable(name, all[index - 1] ?? '');
	});
	return fc.tuple(...parts).map((found) => found.join('/'));
}

const ODD_QUERIES = [
	...['page=-1', 'page=0', 'page=NaN', 'page=1e308', 'page=999999999999999', 'page=9007199254740993', 'page[]=1'],
	...['page=1&page=2', 'per_page=101', 'per_page=0.5', 'limit=0', 'limit=501', 'limit=1&before=', 'before=x&limit=2'],
	...[
		'a[b][c]=1',
		'__proto__=1',
		'__proto__[x]=1',
		'constructor=1',
		'%',
		'%zz=%zz',
		'=',
		'&&&',
		'?',
		'q',
		'q=',
		'q=%00',
	],
	...['q=%F0%9F%98%80', 'q=.*', 'q=a', 'from=9999-12-31&to=9999-12-31', 'from=0001-01-01&to=0001-02-01', 'minutes=5'],
	...[
		'from=2026-01-01&to=2026-03-01&minutes=5',
		`q=${'x'.repeat(10_000)}`,
		'a=1&'.repeat(2000),
		'status=4xx',
		'status=9xx',
	],
	...['date=9999-12-31', 'date=0001-01-01', 'date=2026-02-30', 'duration_minutes=1e9', 'from=2030-01-01&to=2029-01-01'],
];

function queryOf({ query }: Target): Arbitrary<string> {
	const known = query.map((values) => {
		const texts = Object.entries((values ?? {}) as object).flatMap(([name, value]) =>
			[value as unknown]
				.flat()
				.map((item): [string, string] => [name, typeof item === 'string' ? item : (JSON.stringify(item) ?? '')]),
		);
		return new URLSearchParams(texts).toString().replace(/%3C(\w+)%3A(\d)%3E/g, '<$1:$2>');
	});
	return fc.oneof(
		{ weight: 6, arbitrary: fc.constant('') },
		{ weight: 3, arbitrary: known },
		{ weight: 1, arbitrary: fc.constantFrom(...ODD_QUERIES) },
		{ weight: 1, arbitrary: fc.array(fc.constantFrom(...ODD_QUERIES), { maxLength: 3 }).map((all) => all.join('&')) },
	);
}

const ODD_BODIES = [
	...[
		'',
		' ',
		'{',
		'}',
		'null',
		'true',
		'0',
		'-0',
		'""',
		'[]',
		'{}',
		'[{}]',
		'"text"',
		'\ufeff{}',
		'{"a":1,}',
		"{'a':1}",
	],
	...['{"__proto__":{"status":"active"}}', '{"constructor":{"prototype":{"x":1}}}', '<deep:10000>', '<deep:513>'],
	...[
		'{"a":<deep:10000>}',
		'<many:100000>',
		'{"a":NaN}',
		'{"a":1e999}',
		'{"a":01}',
		'{"a":"\\ud800"}',
		'\u0000',
		'{}{}',
	],
];
const CONTENT_TYPES = [
	...['application/json', 'Application/JSON; charset=UTF-8', 'application/json; charset=latin1', 'text/plain', ''],
	...[
		'application/x-www-form-urlencoded',
		'multipart/form-data; boundary=x',
		'application/xml',
		'nonsense',
		'/',
		';;;',
	],
];

type Body = Pick<FuzzRequest, 'body' | 'encoding'>;

function bodyOf({ body }: Target): Arbitrary<Body> {
	const odd = fc.constantFrom(...ODD_BODIES).map((text): Body => ({ body: text, encoding: 'utf8' }));
	const none: Arbitrary<Body> = fc.constant({ body: null, encoding: 'utf8' });
	if (!body) {
		return fc.oneof({ weight: 12, arbitrary: none }, { weight: 1, arbitrary: odd });
	}
	const valid = body.map((value): Body => ({ body: JSON.stringify(value) ?? '', encoding: 'utf8' }));
	const changed = fc.tuple(body, mutations).map(([value, changes]): Body => {
		const text = JSON.stringify(changes.reduce(mutated, value)) ?? '';
		return { body: text, encoding: 'utf8' };
	});
	const broken = fc.tuple(body, fc.constantFrom('cut', 'twice', 'latin1', 'gzip', 'tail')).map(([value, how]): Body => {
		const text = JSON.stringify(value) ?? '';
		switch (how) {
			case 'cut':
				return { body: text.slice(0, -1), encoding: 'utf8' };
			case 'twice':
				return { body: text.replace(/^\{/, `${text.slice(0, -1)},`), encoding: 'utf8' };
			case 'tail':
				return { body: `${text}\u0000`, encoding: 'utf8' };
			default:
				return { body: text.replace(/"$|"\}$/, '\xff\xfe$&'), encoding: how as 'latin1' | 'gzip' };
		}
	});
	return fc.oneof(
		{ weight: 6, arbitrary: valid },
		{ weight: 5, arbitrary: changed },
		{ weight: 1, arbitrary: broken },
		{ weight: 1, arbitrary: odd },
		{ weight: 1, arbitrary: none },
	);
}

const TOKENS = [
	...[
		'Bearer TOKEN-expired',
		'Bearer TOKEN-readonly',
		'Bearer wrong',
		'bearer   TOKEN',
		'Bearer',
		'TOKEN',
		'Basic VE9LRU4=',
	],
	...['Bearer TOKEN TOKEN', 'Bearer ', '\xff', `Bearer ${'x'.repeat(4000)}`],
];
const headersOf = fc.record({
	authorization: fc.oneof(
		{ weight: 20, arbitrary: fc.constant('Bearer TOKEN') },
		{ weight: 1, arbitrary: fc.constantFrom(...TOKENS, null) },
	),
	type: fc.oneof(
		{ weight: 8, arbitrary: fc.constant('application/json') },
		{ weight: 1, arbitrary: fc.constantFrom(...CONTENT_TYPES, null) },
	),
	more: fc.oneof(
		{ weight: 15, arbitrary: fc.constant({}) },
		{
			weight: 1,
			arbitrary: fc.constantFrom<Array<Record<string, string>>>(
				{ 'Content-Encoding': 'gzip' },
				{ 'If-None-Match': '*' },
				{ Accept: 'text/html' },
				{ 'Last-Event-ID': 'x-1' },
				{ 'Last-Event-ID': '-1' },
				{ Range: 'bytes=0-0' },
				{ 'X-HTTP-Method-Override': 'DELETE' },
				{ 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'gopher' },
				{ Expect: '100-continue' },
				{ Host: 'evil.example' },
				{ Origin: 'https://evil.example' },
				{ Cookie: 'a=b;'.repeat(500) },
				{ 'x-ODD-casing': '\xe9' },
				{ 'accept-version': '1.0.0' },
			),
		},
	),
});
const METHODS = [
	'GET',
	'POST',
	'PUT',
	'PATCH',
	'DELETE',
	'HEAD',
	'OPTIONS',
	'TRACE',
	'PROPFIND',
	'QUERY',
	'SEARCH',
	'LOCK',
];

function requestTo(target: Target): Arbitrary<FuzzRequest> {
	const method = fc.oneof(
		{ weight: 30, arbitrary: fc.constant(target.method) },
		{ weight: 1, arbitrary: fc.constantFrom(...METHODS) },
	);
	return fc
		.tuple(method, pathOf(target), queryOf(target), bodyOf(target), headersOf)
		.map(([chosen, path, query, body, { authorization, type, more }]) => ({
			method: chosen,
			path: query === '' ? path : `${path}?${query}`,
			route: target.path,
			headers: {
				...(authorization === null ? {} : { Authorization: authorization }),
				...(type === null || body.body === null ? {} : { 'Content-Type': type }),
				...more,
			},
			...body,
		}));
}

/** A request as a program would send it. */
const plain = (method: string, path: string, body?: unknown): FuzzRequest => ({
	method,
	path,
	route: path.split('?')[0]!.replace(/<(\w+):\d>/g, '{$1}'),
	headers: { Authorization: 'Bearer TOKEN', 'Content-Type': 'application/json' },
	body: body === undefined ? null : JSON.stringify(body),
	encoding: 'utf8',
});
const step = (request: FuzzRequest) => fc.constant(request);
const to = fc.constantFrom('+12025550001', '+12025550100', '+12025550107');

/** Steps that keep the world alive: calls are placed and time passes. */
const lively: Arbitrary<FuzzRequest> = fc.oneof(
	to.map((number) => plain('POST', '/api/v1/campaigns/<campaign_id:0>/call', { to: number })),
	to.map((number) => plain('POST', '/api/v1/agents/<agent_id:0>/call', { to: number })),
	fc.nat(5).map((index) => plain('PATCH', `/api/v1/campaigns/<campaign_id:${index}>/status`, { status: 'active' })),
	step(plain('POST', '/_sandbox/mode', { calls: 'manual' })),
	step(plain('POST', '/_sandbox/mode', { calls: 'automatic' })),
	fc
		.constantFrom(1, 10, 60, 3600, 86_400, 31_536_000)
		.map((seconds) => plain('POST', '/_sandbox/advance', { seconds })),
	step(plain('POST', '/_sandbox/advance', { to: 'nextEvent' })),
	fc
		.constantFrom('answer', 'voicemail', 'decline', 'hangUp')
		.map((action) => plain('POST', '/_sandbox/calls/<call_id:0>/act', { action })),
	step(plain('POST', '/_sandbox/calls/<call_id:0>/act', { action: 'say', text: 'Yes' })),
	step(plain('POST', '/_sandbox/calls/<call_id:0>/action', { action: 'book_appointment', arguments: {} })),
	step(
		plain('PUT', '/api/v1/agents/<agent_id:0>/calling', {
			direction: 'inbound',
			phone_number_ids: ['<phone_number_id:0>'],
		}),
	),
	step(plain('POST', '/api/v1/agents/<agent_id:0>/publish')),
	step(plain('POST', '/_sandbox/inbound', { to: '<number:0>', from: '+12025550001' })),
	step(plain('GET', '/_sandbox/calls?active=true')),
	step(plain('GET', '/_sandbox/deliveries')),
	step(plain('GET', '/_sandbox/webhooks')),
);

/** A request with the document's example as its body. */
function example(path: string): FuzzRequest {
	const [media] = Object.values(document.paths[path]!.post!.requestBody!.content);
	return plain('POST', path.replace(/\{(\w+)\}/g, '<$1:0>'), referring(media!.example));
}

/** What each sequence begins with, so that there is an object of each kind. */
export const beginning: FuzzRequest[] = [
	...['campaigns/{campaign_id}/webhooks', 'agents/{agent_id}/webhooks', 'campaigns/{campaign_id}/sftp'].map((path) =>
		example(`/api/v1/${path}`),
	),
	example('/api/v1/calendars/{calendar_id}/members'),
	example('/api/v1/campaigns/{campaign_id}/call'),
	plain('POST', '/_sandbox/advance', { seconds: 60 }),
	plain('GET', '/_sandbox/deliveries?limit=5'),
	plain('GET', '/_sandbox/calls?limit=5'),
	plain('GET', '/_sandbox/phone-numbers'),
	plain('GET', '/api/v1/agents/<agent_id:0>/actions'),
	plain('GET', '/api/v1/agents/<agent_id:0>/trainings'),
	plain('GET', '/api/v1/agents/<agent_id:0>/webhooks/<webhook_id:1>/logs'),
	plain('GET', '/api/v1/campaigns/<campaign_id:0>/webhooks/<webhook_id:0>/logs'),
];

/** Sequences of requests to all routes. */
export const sequences: Arbitrary<FuzzRequest[]> = fc.array(
	fc.oneof(
		{ weight: 12, arbitrary: fc.oneof(...apiTargets.map(requestTo)) },
		{ weight: 6, arbitrary: fc.oneof(...controlTargets.map(requestTo)) },
		{ weight: 1, arbitrary: fc.oneof(...pageTargets.map(requestTo)) },
		{ weight: 3, arbitrary: lively },
	),
	{ minLength: 1, maxLength: 40, size: 'max' },
);

/** The bytes of a body, after its references were replaced. */
export function bytesOf(text: string, encoding: FuzzRequest['encoding']): Buffer {
	return encoding === 'gzip' ? gzipSync(text) : Buffer.from(text, encoding);
}
