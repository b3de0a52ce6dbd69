import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createCompoundSchema } from 'genson-js';

import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { runsByResource } from './schemaRuns/index.mts';
import { makeRuns } from './schemaRuns/run.mts';
import type { Service } from './service.mts';
import { byId, startService } from './service.mts';
import { publishTrigger } from './triggers.mts';

const nodes = join(__dirname, '..', '..', 'nodes');

let service: Service;
beforeAll(async () => {
	service = await startService();
});

/** Field names and types alone: n8n shows no more before the first run. */
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

/** The file holds the schema of these items; with WRITE_SCHEMAS set it is written first. */
function expectSchema(file: string, items: unknown[]): void {
	// Items come from n8n's own realm: as JSON they are plain again.
	const schema = withoutRequired(createCompoundSchema(JSON.parse(JSON.stringify(items))));
	if (process.env.WRITE_SCHEMAS) {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, `${JSON.stringify(schema, null, '\t')}\n`);
	}
	expect({ file, schema: existsSync(file) && JSON.parse(readFileSync(file, 'utf8')) }).toEqual({ file, schema });
}

test.each(Object.keys(runsByResource))(
	'the editor shows the fields of each operation of %s before its first run, as the service gives them',
	async (resource) => {
		for (const [operation, { items }] of await makeRuns(service, resource)) {
			expectSchema(join(nodes, 'VoiceAgentCalling', '__schema__', 'v1.0.0', resource, `${operation}.json`), items);
		}
	},
	20_000,
);

test('every operation has such runs', () => {
	const { properties } = new VoiceAgentCalling().description;
	const offered = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			options.map(
				(option) => `${String(displayOptions?.show?.resource)}/${'value' in option ? String(option.value) : ''}`,
			),
		);
	const all = Object.entries(runsByResource).flatMap(([resource, runsOf]) =>
		Object.keys(runsOf(service)).map((operation) => `${resource}/${operation}`),
	);
	expect(all.sort()).toEqual(offered.sort());
});

test('the editor shows the fields of the events before the first one', async () => {
	await service.reset();
	const kinds = ['queued', 'started', 'completed', 'failed', 'retry_scheduled'].map((kind) => `campaign_call.${kind}`);
	const { instance, webhookId } = await publishTrigger(service, { events: kinds });
	const queue = {
		resource: 'campaign',
		operation: 'queueCall',
		campaign: byId(service.seed.campaigns.active),
		phoneNumber: '={{ $json.to }}',
		specifyContext: 'json',
		contextJson: '{"contact_id": "contact-1"}',
	};
	await service.run(
		queue,
		['+12025550001', '+12025550002', '+12025550004'].map((to) => ({ to })),
	);
	await service.advance(120);
	const { call_id } = instance.executions[0]?.items[0] ?? {};
	await service.deliver({ webhookId, data: { call_id, timestamp: '2020-01-01T00:00:00.000Z', context: {} } });
	const events = instance.executions.flatMap(({ items }) => items);
	expect(new Set(events.map(({ event }) => event)).size).toBeGreaterThan(3);
	expectSchema(join(nodes, 'VoiceAgentCallingTrigger', '__schema__', 'v1.0.0.json'), events);
});
