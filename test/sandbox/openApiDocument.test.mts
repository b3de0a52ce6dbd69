import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { AGENT_EVENTS, CAMPAIGN_EVENTS } from '../../sandbox/engine/deliveries/eventTypes.mts';
import { cache, root } from '../../scripts/lib/places.mts';
import { expectGenerated } from '../docs/generated.mts';
import { responseFieldsSource } from '../docs/responseFields.mts';

type Node = Record<string, unknown>;
type Media = { schema: Node; example?: unknown; examples?: Record<string, { value: unknown }> };
type Response = { $ref?: string; content?: Record<string, Media> };
interface Operation {
	parameters?: Array<{ name: string; description: string; schema: Node; example?: unknown }>;
	requestBody?: { required: boolean; content: Record<string, Media> };
	responses: Record<string, Response>;
}

const document = globalThis.sandbox.document as unknown as {
	paths: Record<string, Record<string, Operation>>;
	webhooks: Record<string, { post: Operation }>;
	components: Record<string, Node> & { responses: Record<string, Response> };
};
const text = JSON.stringify(document, null, 2);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
	Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'openapi', ...document } as Node);

const compiled = new Map<string, ValidateFunction>();

/** Returns the errors of a value. The references of the schema resolve within the document. */
function wrong(schema: Node, value: unknown): string | undefined {
	const own = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components');
	const validate = compiled.get(own) ?? ajv.compile(JSON.parse(own));
	compiled.set(own, validate);
	return validate(value)
		? undefined
		: `${ajv.errorsText(validate.errors)} in ${String(JSON.stringify(value)).slice(0, 500)}`;
}

function examplesOf({ example, examples = {} }: Media): unknown[] {
	return example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
}

test('the nodes know the fields of large objects as the routes have them', () => {
	expectGenerated('nodes/VoiceAgentCalling/operation/responseFields.ts', responseFieldsSource(document));
});

test('the OpenAPI document is valid', () => {
	mkdirSync(cache, { recursive: true });
	const file = join(cache, 'openapi.json');
	writeFileSync(file, text);
	const program = join(root, 'node_modules', '@seriousme', 'openapi-schema-validator', 'bin', 'validate-api-cli.js');
	const { stdout, stderr } = spawnSync(process.execPath, [program, file], { encoding: 'utf8' });
	expect({ stdout: JSON.parse(stdout) as unknown, stderr }).toEqual({ stdout: { valid: true }, stderr: '' });
});

test('every parameter has a description, and every example of a parameter, a request and a response fits its schema', () => {
	let examples = 0;
	expect(operations.length).toBeGreaterThanOrEqual(99);
	for (const [name, { parameters = [], requestBody, responses }] of operations) {
		for (const { name: variable, description, schema, example } of parameters) {
			const what = [name, variable, typeof description];
			examples += example === undefined ? 0 : 1;
			const mistake = example === undefined ? undefined : wrong(schema, example);
			expect([...what, mistake]).toEqual([name, variable, 'string', undefined]);
		}
		const contents = Object.entries({ ...responses, ...(requestBody && { body: requestBody }) }).map(
			([where, { $ref, content }]: [string, Response]) =>
				[where, ($ref ? document.components.responses[$ref.split('/').at(-1)!]!.content : content)!] as const,
		);
		for (const [where, content] of contents) {
			const media = content['application/json'];
			if (!media) {
				expect([name, Object.keys(content)]).toEqual([name, ['audio/mpeg']]);
				continue;
			}
			for (const example of examplesOf(media)) {
				examples += 1;
				expect([name, where, wrong(media.schema, example)]).toEqual([name, where, undefined]);
			}
		}
	}
	// None of the examples of today gets lost.
	expect(examples).toBeGreaterThanOrEqual(1134);
});

test('every event type that a webhook can subscribe to has a delivery with an example that fits its schema', () => {
	const kinds = [...AGENT_EVENTS, ...CAMPAIGN_EVENTS, 'webhook.test'];
	expect(Object.keys(document.webhooks).sort()).toEqual([...new Set(kinds)].sort());
	for (const [kind, { post }] of Object.entries(document.webhooks)) {
		const { schema, example } = post.requestBody!.content['application/json']!;
		expect([kind, wrong(schema, example)]).toEqual([kind, undefined]);
		expect([kind, wrong(schema, { ...(example as Node), event: 'another' })]).not.toEqual([kind, undefined]);
		const described = document.components.schemas!.DeliveredEvent as { properties: Node };
		expect(Object.keys(described.properties)).toEqual(expect.arrayContaining(Object.keys(example as Node)));
	}
});

test('an update has no defaults: what is not sent stays as it is', () => {
	const updates = operations.filter(([name, { requestBody }]) => name.startsWith('PUT') && !requestBody!.required);
	expect(updates.length).toBeGreaterThanOrEqual(7);
	const withDefaults = updates.filter(([, { requestBody }]) => JSON.stringify(requestBody).includes('"default"'));
	expect(withDefaults.map(([name]) => name)).toEqual([]);
});

test('dates, moments and URLs have their formats in responses', () => {
	const formats: Record<string, string> = { _at: 'date-time', _date: 'date', _url: 'uri' };
	let checked = 0;
	const visit = (node: unknown, where: string) => {
		for (const [key, value] of typeof node === 'object' ? Object.entries(node ?? {}) : []) {
			const format = formats[/_(?:at|date|url)$/.exec(key)?.[0] ?? ''];
			const shown = JSON.stringify(value);
			if (format && where.endsWith('properties') && shown.includes('"string"')) {
				checked += 1;
				expect([where, key, shown]).toEqual([where, key, expect.stringContaining(`"format":"${format}"`)]);
			}
			visit(value, `${where}.${key}`);
		}
	};
	visit(document.components.schemas, 'schemas');
	expect(checked).toBeGreaterThanOrEqual(70);
});

test('every component is used', () => {
	const all = ['schemas', 'responses', 'headers', 'parameters'].flatMap((kind) =>
		Object.keys(document.components[kind]!).map((name) => `"#/components/${kind}/${name}"`),
	);
	expect(all.filter((reference) => !text.includes(reference))).toEqual([]);
});
