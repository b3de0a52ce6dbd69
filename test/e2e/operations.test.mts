import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { root } from '../../scripts/lib/places.mts';
import { runsOf } from '../integration/schemaRuns/run.mts';
import type { Parameters } from '../integration/schemaRuns/runs.mts';
import { Service } from '../integration/service.mts';
import { comes } from './eventually.mts';
import { byId, Instance } from './instance.mts';

const schemas = join(root, 'nodes', 'VoiceAgentCalling', '__schema__', 'v1.0.0');

let n8n: Instance;
let service: Service;

beforeAll(async () => {
	// As slow as the service itself: a call to end is still there when n8n comes to it.
	n8n = await Instance.share({ speed: 1 });
	const seed = (await n8n.service.get('/_sandbox/seed')).data;
	service = new Service({ url: n8n.sandbox.url, token: n8n.sandbox.token, seed, close: async () => undefined });
	service.publishTrigger = async (source, options = {}) => {
		const events = source === 'agent' ? ['event_phone_call_ended'] : ['campaign_call.completed'];
		const parameters = { source, agent: byId(seed.agents.published), events, options };
		const owner = source === 'agent' ? seed.agents.published : seed.campaigns.active;
		const triggers = async () => {
			const webhooks = await service.webhooks(owner, `${source}s`);
			return webhooks.filter(({ webhook_url }) => webhook_url.startsWith(n8n.n8n.url)).length;
		};
		const before = await triggers();
		await n8n.published(`Events of the ${source}`, [n8n.trigger(seed.campaigns.active, parameters)]);
		await comes(async () => (await triggers()) > before, 'the webhook of a trigger');
	};
});

/** Runs an operation with each of these parameters, one after the other; gives what came out of all of them. */
async function run(resource: string, operation: string, sets: Parameters[]) {
	// A list of many gives the next one a single item to run for, and so does an empty one.
	const nodes = sets.map((parameters, index) => ({
		...n8n.action(`Run ${index}`, { ...parameters, resource, operation }),
		executeOnce: true,
		alwaysOutputData: true,
	}));
	const { id, status } = await n8n.runOnce(nodes);
	expect({ resource, operation, status }).toEqual({ resource, operation, status: 'success' });
	return (await Promise.all(nodes.map(({ name }) => n8n.outputOf(id, name)))).flat();
}

/** The fields that the editor shows for an operation before its first run. */
function fieldsOf(resource: string, operation: string): string[] {
	const text = readFileSync(join(schemas, resource, `${operation}.json`), 'utf8');
	return Object.keys((JSON.parse(text) as { properties?: object }).properties ?? {});
}

test.each(resources.map(({ value }) => value))(
	'every operation of %s runs in n8n, and its output has the fields of its schema',
	async (resource) => {
		await service.reset();
		for (const [operation, parameters] of runsOf(service, resource)) {
			const items = await run(resource, operation, await parameters());
			const fields = fieldsOf(resource, operation);
			const unknown = items.flatMap(Object.keys).filter((name) => !fields.includes(name));
			expect({ resource, operation, unknown }).toEqual({ resource, operation, unknown: [] });
			expect(items.some((item) => Object.keys(item).length > 0)).toBe(true);
		}
	},
);
