import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { root } from '../../scripts/lib/places.mts';
import { waitFor } from '../../scripts/lib/waiting.mts';
import { runsOf } from '../integration/schemaRuns/run.mts';
import type { Parameters } from '../integration/schemaRuns/runs.mts';
import { Service } from '../integration/service.mts';
import { outputOf } from './executionData.mts';
import { Instance } from './instance.mts';

const type = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';
const schemas = join(root, 'nodes', 'VoiceAgentCalling', '__schema__', 'v1.0.0');

let n8n: Instance;
let service: Service;

beforeAll(async () => {
	// As slow as the service itself: a call to end is still there when n8n comes to it.
	n8n = await Instance.share({ speed: 1 });
	const seed = (await n8n.service.get('/_sandbox/seed')).data;
	service = new Service({ url: n8n.sandbox.url, token: n8n.sandbox.token, seed, close: async () => undefined });
	service.publishTrigger = async (source, options = {}) => {
		const agent = { __rl: true, mode: 'id', value: seed.agents.published };
		const events = source === 'agent' ? ['event_phone_call_ended'] : ['campaign_call.completed'];
		const id = await n8n.createWorkflow(`Events of the ${source}`, [
			n8n.trigger(seed.campaigns.active, { source, agent, events, options }),
		]);
		const owner = source === 'agent' ? seed.agents.published : seed.campaigns.active;
		const triggers = async () => {
			const webhooks = await service.webhooks(owner, `${source}s`);
			return webhooks.filter(({ webhook_url }) => webhook_url.startsWith(n8n.n8n.url)).length;
		};
		const before = await triggers();
		await n8n.editor.publish(id);
		await waitFor(async () => (await triggers()) > before || undefined, { seconds: 20 });
	};
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** Runs an operation with each of these parameters, one after the other; gives what came out of all of them. */
async function run(resource: string, operation: string, sets: Parameters[]): Promise<Array<Record<string, unknown>>> {
	const start = n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {});
	// A list of many gives the next one a single item to run for, and so does an empty one.
	const settings = { executeOnce: true, alwaysOutputData: true };
	const nodes = sets.map((parameters, index) => ({
		...n8n.node(`Run ${index}`, type, 1, { ...parameters, resource, operation }),
		...settings,
	}));
	const names = ['Start', ...nodes.map(({ name }) => name)];
	const id = await n8n.createWorkflow(`${resource} ${operation}`, [start, ...nodes], names);
	await n8n.editor.run(id, 'Start');
	const [execution] = await n8n.finished(id, 1);
	expect({ resource, operation, status: execution.status }).toEqual({ resource, operation, status: 'success' });
	const outputs = await Promise.all(nodes.map(async ({ name }) => await outputOf(n8n.editor, execution.id, name)));
	return outputs.flat();
}

/** The fields that the editor shows for an operation before its first run. */
function fieldsOf(resource: string, operation: string): string[] {
	const schema = JSON.parse(readFileSync(join(schemas, resource, `${operation}.json`), 'utf8')) as {
		properties?: object;
	};
	return Object.keys(schema.properties ?? {});
}

test.each(resources.map(({ value }) => value))(
	'every operation of %s runs in n8n, and its output has the fields of its schema',
	async (resource) => {
		await service.reset();
		for (const [operation, parameters] of runsOf(service, resource)) {
			const items = await run(resource, operation, await parameters());
			const fields = fieldsOf(resource, operation);
			expect({ resource, operation, items }).not.toEqual({ resource, operation, items: items.map(() => ({})) });
			for (const item of items) {
				expect({ resource, operation, fields }).toEqual({
					resource,
					operation,
					fields: expect.arrayContaining(Object.keys(item)),
				});
			}
		}
	},
	120_000,
);
