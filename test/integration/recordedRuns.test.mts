import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createCompoundSchema } from 'genson-js';

import { listSearch, loadOptions } from '../../nodes/shared/pickers/listSearch.ts';
import type { Operation, Resource } from '../../nodes/VoiceAgentCalling/operation/operation.ts';
import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { VoiceAgentCallingTrigger } from '../../nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts';
import { CAMPAIGN_EVENTS } from '../../sandbox/engine/deliveries/eventTypes.mts';
import { openApiDocument } from '../../sandbox/openApi/document.mts';
import type { RequestRecord } from '../../sandbox/world/requestRecord.mts';
import { root } from '../../scripts/lib/places.mts';
import { type Uses, withOperations } from '../docs/coverage.mts';
import { expectGenerated } from '../docs/generated.mts';
import { ALWAYS, type ListedOutput, listedOutput } from '../docs/operationOutput.mts';
import { pageOf } from '../docs/operations.mts';
import { harness } from './harness.mts';
import { pickerRequest } from './pickerRequest.mts';
import { makeRuns } from './schemaRuns/run.mts';
import { to, useService } from './service.mts';
import { publishTrigger } from './triggers.mts';

const service = useService();

const uses: Uses[] = [];
const recorded: RequestRecord[] = [];

/** The output items of each operation in its runs, by `resource/operation`. */
const answers = new Map<string, Array<Record<string, unknown>>>();

const allOperations = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({ resource, operation })),
);

/** The fields that all items have, and the others. */
function fieldsOf(items: Array<Record<string, unknown>> = []): Omit<ListedOutput, 'raw'> {
	const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
	const isInAll = (name: string) => items.every((item) => name in item);
	return { always: names.filter(isInAll), sometimes: names.filter((name) => !isInAll(name)) };
}

/** Field names and types only: n8n shows nothing else before the first run. */
function withoutRequired(schema: unknown): unknown {
	if (Array.isArray(schema)) {
		return schema.map(withoutRequired);
	}
	if (typeof schema !== 'object' || schema === null) {
		return schema;
	}
	const entries = Object.entries(schema).filter(([key, value]) => !(key === 'required' && Array.isArray(value)));
	return Object.fromEntries(entries.map(([key, value]) => [key, withoutRequired(value)]));
}

function expectSchema(file: string, items: unknown[]): void {
	const schema = withoutRequired(createCompoundSchema(items as never));
	expectGenerated(`nodes/${file}`, `${JSON.stringify(schema, null, '\t')}\n`);
}

test.each(resources.map((resource) => [resource.name, resource] as const))(
	'the editor shows the output fields of each operation of %s before its first run',
	async (_name, { name, value, operations }) => {
		const runs = await makeRuns(service, value);
		// Record the requests first: the pages below need them even if a schema is out of date.
		for (const operation of operations) {
			uses.push({
				name: `${name} → ${operation.name}`,
				runs: (runs.get(operation.value)?.byRun ?? []).map((requests) => requests.filter(isOfApi)),
			});
		}
		for (const [operation, { items, requests }] of runs) {
			recorded.push(...requests);
			const isCall = operations.some((one) => one.value === operation && one.callerIdField !== undefined);
			// Items come from another realm; JSON converts them to plain objects of this one.
			const json = JSON.parse(JSON.stringify(items), (name, field) => (isCall && ofUser(name) ? {} : field));
			answers.set(`${value}/${operation}`, json);
			expectSchema(`VoiceAgentCalling/__schema__/v1.0.0/${value}/${operation}.json`, json);
		}
	},
);

/** Whether the fields in this one are the user's own: the variables and the metadata of a call. */
const ofUser = (name: string) => ['context', 'payload'].includes(name);

/** Whether a request is one to the API: file downloads have other paths. */
const isOfApi = ({ path }: { path: string }) => path.startsWith('/api/');

/** Without the requests of all operations, the pages would lose those of the missing operations. */
function assertAllRan(): void {
	const missing = resources.flatMap(({ operations }) => operations).length - uses.length;
	if (missing > 0) {
		throw new Error(`${missing} operations did not run: see the tests of their resources.`);
	}
}

test('test/docs/endpoints.json has the endpoints that each operation uses', () => {
	assertAllRan();
	expectGenerated('test/docs/endpoints.json', withOperations(uses));
});

test('test/docs/outputs.json has the fields that each answer to an operation has', () => {
	assertAllRan();
	const always = [...answers].map(([operation, items]) => [operation, fieldsOf(items).always]);
	expectGenerated(ALWAYS, `${JSON.stringify(Object.fromEntries(always), null, '\t')}\n`);
});

/** What the pages list. While they are generated, they may still be the former ones. */
function listed(resource: Resource, operation: Operation): ListedOutput | undefined {
	return process.env.GENERATE
		? undefined
		: listedOutput(readFileSync(join(root, pageOf(resource)), 'utf8'), operation.name);
}

const sorted = ({ always, sometimes }: Omit<ListedOutput, 'raw'>) => ({
	always: [...always].sort(),
	sometimes: [...sometimes].sort(),
});

const isFree = ({ value }: Operation) => value === 'makeApiRequest';

test('each of the pages of operations lists the fields that the operation returns, and no other', () => {
	assertAllRan();
	const differing = allOperations
		.filter(({ operation }) => !isFree(operation))
		.map(({ resource, operation }) => {
			const returned = fieldsOf(answers.get(`${resource.value}/${operation.value}`));
			return { name: `${resource.name} → ${operation.name}`, returned, page: listed(resource, operation) };
		})
		.filter(({ returned, page }) => page && !isDeepStrictEqual(sorted(returned), sorted(page)));
	expect(differing).toEqual([]);
	expect(allOperations.length).toBeGreaterThanOrEqual(99);
});

/** The query parameters that each path documents for GET; paths with fewer parameters first. */
function documentedQueries(): Array<{ matches: RegExp; names: string[] }> {
	interface Endpoint {
		parameters?: Array<{ in: string; name: string }>;
	}
	const paths = openApiDocument().paths as Record<string, { get?: Endpoint }>;
	const parametersIn = (path: string) => path.split('{').length;
	return Object.entries(paths)
		.sort(([one], [other]) => parametersIn(one) - parametersIn(other))
		.map(([path, { get }]) => ({
			matches: new RegExp(`${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
			names: get?.parameters?.filter((parameter) => parameter.in === 'query').map(({ name }) => name) ?? [],
		}));
}

test('no operation, picker or menu sends a query parameter that is not documented: the service may refuse it', async () => {
	assertAllRan();
	for (const method of Object.keys(listSearch)) {
		await harness.listSearch(await pickerRequest(service, method)).catch(() => undefined);
	}
	for (const method of Object.keys(loadOptions)) {
		await harness.loadOptions(await pickerRequest(service, method)).catch(() => undefined);
	}
	const documented = documentedQueries();
	const requests = [...recorded, ...(await service.requests())].filter(({ method }) => method === 'GET');
	const unknown = requests.flatMap(({ path, query }) => {
		const names = documented.find(({ matches }) => matches.test(path))?.names ?? [];
		return Object.keys(query).flatMap((name) => (names.includes(name) ? [] : [`${path} ${name}`]));
	});
	expect([requests.length > 100, unknown]).toEqual([true, []]);
});

test('the editor shows the fields of the events before the first one', async () => {
	const kinds = CAMPAIGN_EVENTS.filter((kind) => kind.startsWith('campaign_call.'));
	const { instance, webhookId } = await publishTrigger(service, { events: kinds });
	const queue = service.queue({ metadataJson: '{"contact_id": "contact-1"}' });
	await service.run(queue, to('+12025550001', '+12025550002', '+12025550004'));
	await service.advance(120);
	const { call_id } = instance.executions[0]?.items[0] ?? {};
	await service.deliver({ webhookId, data: { call_id, timestamp: '2020-01-01T00:00:00.000Z', context: {} } });
	const events = instance.executions.flatMap(({ items }) => items);
	expect(new Set(events.map(({ event }) => event)).size).toBeGreaterThan(3);
	// The editor only looks for the schema of the node's version.
	for (const version of [new VoiceAgentCallingTrigger().description.version].flat()) {
		const file = `v${Number(version).toFixed(1)}.0.json`;
		expectSchema(`VoiceAgentCallingTrigger/__schema__/${file}`, events);
	}
});
