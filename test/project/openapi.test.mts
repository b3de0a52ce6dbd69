import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { AGENT_EVENTS, CAMPAIGN_EVENTS } from '../../sandbox/engine/deliveries/eventKinds.mts';
import { root } from '../../scripts/lib/places.mts';

type Node = Record<string, unknown>;
type Media = { schema: Node; example?: unknown; examples?: Record<string, { value: unknown }> };
type Response = { $ref?: string; content?: Record<string, Media> };
interface Operation {
	parameters?: Array<{ name: string; schema: Node; example?: unknown }>;
	requestBody?: { required: boolean; content: Record<string, Media> };
	responses: Record<string, Response>;
}

const file = join(root, 'docs', 'openapi.json');
const document = JSON.parse(readFileSync(file, 'utf8')) as {
	paths: Record<string, Record<string, Operation>>;
	webhooks: Record<string, { post: Operation }>;
	components: Record<string, Node> & { responses: Record<string, Response> };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
	Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'openapi', ...document } as Node);

/** What is wrong with a value. The references of the schema lead into the document. */
function wrong(schema: Node, value: unknown): string | undefined {
	const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')));
	return validate(value) ? undefined : `${ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 500)}`;
}

function examplesOf({ example, examples = {} }: Media): unknown[] {
	return example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
}

test('docs/openapi.json is a valid OpenAPI document', () => {
	const program = join(root, 'node_modules', '@seriousme', 'openapi-schema-validator', 'bin', 'validate-api-cli.js');
	const { stdout, stderr } = spawnSync(process.execPath, [program, file], { encoding: 'utf8' });
	expect({ stdout: JSON.parse(stdout) as unknown, stderr }).toEqual({ stdout: { valid: true }, stderr: '' });
});

test('every body of a request, every parameter and every JSON response has an example that fits its schema', () => {
	expect(operations.length).toBeGreaterThanOrEqual(99);
	for (const [name, { parameters = [], requestBody, responses }] of operations) {
		for (const parameter of parameters) {
			const what = [name, parameter.name];
			expect([...what, wrong(parameter.schema, parameter.example)]).toEqual([...what, undefined]);
		}
		const contents = Object.entries(responses).map(([status, { $ref, content }]) => [
			status,
			($ref ? document.components.responses[$ref.split('/').at(-1)!]!.content : content)!,
		]);
		for (const [where, content] of [...contents, ...(requestBody ? [['body', requestBody.content]] : [])] as Array<
			[string, Record<string, Media>]
		>) {
			const media = content['application/json'];
			if (!media) {
				expect([name, Object.keys(content)]).toEqual([name, ['audio/mpeg']]);
				continue;
			}
			const examples = examplesOf(media);
			expect([name, where, examples.length > 0]).toEqual([name, where, true]);
			for (const example of examples) {
				expect([name, where, wrong(media.schema, example)]).toEqual([name, where, undefined]);
			}
		}
	}
});

test('every event type that a webhook can subscribe to has a delivery with an example that fits its schema', () => {
	const kinds = [...AGENT_EVENTS, ...CAMPAIGN_EVENTS, 'webhook.test'];
	expect(Object.keys(document.webhooks).sort()).toEqual([...new Set(kinds)].sort());
	for (const [kind, { post }] of Object.entries(document.webhooks)) {
		const { schema, example } = post.requestBody!.content['application/json']!;
		expect([kind, wrong(schema, example)]).toEqual([kind, undefined]);
		expect([kind, wrong(schema, { ...(example as Node), event: 'another' })]).not.toEqual([kind, undefined]);
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
			const text = JSON.stringify(value);
			if (format && where.endsWith('properties') && text.includes('"string"')) {
				checked += 1;
				expect([where, key, text]).toEqual([where, key, expect.stringContaining(`"format":"${format}"`)]);
			}
			visit(value, `${where}.${key}`);
		}
	};
	visit(document.components.schemas, 'schemas');
	expect(checked).toBeGreaterThanOrEqual(70);
});

test('every component is used', () => {
	const text = JSON.stringify(document);
	const all = ['schemas', 'responses', 'headers'].flatMap((kind) =>
		Object.keys(document.components[kind]!).map((name) => `"#/components/${kind}/${name}"`),
	);
	expect(all.filter((reference) => !text.includes(reference))).toEqual([]);
});
