import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createCompoundSchema } from 'genson-js';
import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import type { NodeSpec } from './harness.mts';
import { byId, startService } from './service.mts';
import type { Service } from './service.mts';
import { publishTrigger } from './triggers.mts';

const nodes = join(__dirname, '..', '..', 'nodes');

let service: Service;
beforeAll(async () => {
	service = await startService();
});

/** Runs that show every field which an operation can give, by resource and operation. */
function runs(): Record<string, Array<NodeSpec['parameters']>> {
	const { agents, campaigns } = service.seed;
	const agent = byId(agents.published);
	const campaign = byId(campaigns.active);
	const phoneNumber = '+12025550111';
	const hook = { campaign, name: 'Hook', webhookUrl: 'https://example.com/hook' };
	const end = { initial_node_id: 'bye', nodes: [{ id: 'bye', type: 'end' }] };
	return {
		'agent/getAll': [{ returnAll: true }],
		'agentFlow/validate': [{ agent, flow: end }, { agent, flow: { ...end, initial_node_id: 'hello' } }],
		'call/place': [{ agent, phoneNumber }],
		'campaign/get': Object.values(campaigns).map((id) => ({ campaign: byId(id) })),
		'campaign/getAll': [{ returnAll: true }],
		// The second one is there already.
		'campaign/queueCall': [{ campaign, phoneNumber }, { campaign, phoneNumber }],
		'campaign/setStatus': ['paused', 'paused', 'active'].map((status) => ({ campaign, status })),
		'campaignWebhook/create': [hook],
		'campaignWebhook/getAll': [{ campaign }],
		'campaignWebhook/delete': [],
		'service/checkHealth': [{}],
	};
}

/** Field names and types alone: n8n shows no more before the first run. */
function withoutRequired(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(withoutRequired);
	if (typeof schema !== 'object' || schema === null) return schema;
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

test('the editor shows the fields of each operation before its first run, as the service gives them', async () => {
	const all = runs();
	for (const [path, parameterSets] of Object.entries(all)) {
		const [resource, operation] = path.split('/');
		const items: unknown[] = [];
		for (const parameters of parameterSets) {
			const { outputs, run } = await service.run({ ...parameters, resource, operation });
			expect({ path, status: run.status }).toEqual({ path, status: 'success' });
			items.push(...(outputs[0] ?? []).map(({ json }) => json));
		}
		if (operation === 'delete') items.push({ deleted: true });
		expectSchema(join(nodes, 'VoiceAgentCalling', '__schema__', 'v1.0.0', `${path}.json`), items);
	}
	const { properties } = new VoiceAgentCalling().description;
	const offered = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			options.map((option) => `${String(displayOptions?.show?.resource)}/${'value' in option ? String(option.value) : ''}`),
		);
	expect(Object.keys(all).sort()).toEqual(offered.sort());
});

test('the editor shows the fields of the events before the first one', async () => {
	await service.reset();
	const kinds = ['queued', 'started', 'completed', 'failed', 'retry_scheduled'].map((kind) => `campaign_call.${kind}`);
	const { instance } = await publishTrigger(service, { events: kinds });
	const queue = {
		resource: 'campaign',
		operation: 'queueCall',
		campaign: byId(service.seed.campaigns.active),
		phoneNumber: '={{ $json.to }}',
		specifyContext: 'json',
		contextJson: '{"contact_id": "contact-1"}',
	};
	await service.run(queue, ['+12025550001', '+12025550002', '+12025550004'].map((to) => ({ to })));
	await service.advance(120);
	const events = instance.executions.flatMap(({ items }) => items);
	expect(new Set(events.map(({ event }) => event)).size).toBeGreaterThan(3);
	expectSchema(join(nodes, 'VoiceAgentCallingTrigger', '__schema__', 'v1.0.0.json'), events);
});
