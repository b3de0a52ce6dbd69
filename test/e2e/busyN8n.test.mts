import { EventStream, executionsByEvent } from './eventStream.mts';
import { comes } from './eventually.mts';
import { Instance } from './instance.mts';

/** How many executions n8n runs at a time. The others wait for a place, and their senders for a response. */
const PLACES = 2;
const EVENTS = 8;

/** How long the service waits for a response: the shortest time that it allows, in seconds. */
const TIME_OUT = 5;

let n8n: Instance;

beforeAll(async () => {
	const env = { N8N_CONCURRENCY_PRODUCTION_LIMIT: String(PLACES) };
	n8n = await Instance.start({ speed: 60, options: ['--rate-limit', '100000'], env });
});

test('Each event calls one phone, also where n8n answers later than the service waits, so that all come again', async () => {
	const { agentId, campaignId } = n8n.sandbox;
	const agent = { __rl: true, mode: 'id', value: agentId };
	const phoneNumber = '={{ $json.to }}';
	const place = n8n.action('Place', { resource: 'call', operation: 'place', agent, phoneNumber });
	const wait = n8n.node('Wait', 'n8n-nodes-base.wait', 1.1, { amount: TIME_OUT + 1, unit: 'seconds' });
	const workflowId = await n8n.published('Busy', [n8n.trigger(campaignId), wait, place]);
	const webhook = await n8n.soleWebhook();
	await n8n.delivered(webhook.id);
	await n8n.service.put(`/api/v1/campaigns/${campaignId}/webhooks/${webhook.id}`, { timeout: TIME_OUT });
	await n8n.finished(workflowId, 1);
	const before = (await n8n.placed()).length;

	const stream = new EventStream(n8n, webhook.id);
	for (let event = 0; event < EVENTS; event++) {
		await stream.sendOne();
	}
	await comes(async () => (await stream.open()).length === 0, 'the acknowledgement of all events', 120);
	const fates = [...(await stream.fates()).values()];
	// Without a repeated delivery while the first one is in flight, this would prove nothing.
	expect(fates.filter(({ answers }) => answers.length > 1).length).toBeGreaterThanOrEqual(EVENTS - 2 * PLACES);
	const byEvent = await executionsByEvent(n8n, await n8n.finished(workflowId, 1 + EVENTS));
	expect([...byEvent.values()].map((executions) => executions.length)).toEqual(Array(1 + EVENTS).fill(1));
	expect((await n8n.placed()).length - before).toBe(EVENTS);
});
