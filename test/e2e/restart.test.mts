import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../scripts/lib/waiting.mts';
import type { Execution } from '../../scripts/n8n/editor.mts';
import { eventOf } from './executionData.mts';
import { Instance } from './instance.mts';

/** So many events are on their way at a time; more would only wait for each other. */
const MOST_UNDERWAY = 8;

let n8n: Instance;
let campaigns: { active: string; paused: string };

beforeAll(async () => {
	// At this speed the ten retries go on for more than a minute: longer than n8n is away.
	n8n = await Instance.start({}, { speed: 120, options: ['--rate-limit', '100000'] });
	campaigns = (await n8n.service.get('/_sandbox/seed')).data.campaigns;
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** Has the service deliver an event, with retries. */
async function send(campaign: string, webhookId: string): Promise<void> {
	await n8n.service.post(`/api/v1/campaigns/${campaign}/webhooks/${webhookId}/test`);
}

/** Sends one event after the other until it is stopped, which gives how many it sent. */
function startStream(campaign: string, webhookId: string): () => Promise<number> {
	let running = true;
	let sent = 0;
	const done = (async () => {
		while (running) {
			const { acknowledged } = await deliveries(webhookId);
			for (let open = sent - acknowledged.size; open < MOST_UNDERWAY; open++) {
				await send(campaign, webhookId);
				sent++;
			}
			await sleep(100);
		}
		return sent;
	})();
	return async () => {
		running = false;
		return await done;
	};
}

/** The ids of the events that a webhook was to get, and of those whose delivery was acknowledged. */
async function deliveries(webhookId: string) {
	const attempts = (await n8n.sandbox.deliveries()).filter(({ webhook_id }) => webhook_id === webhookId);
	const ids = (of: typeof attempts) => new Set(of.map(({ delivery_id }) => delivery_id));
	const failed = attempts.filter(({ status }) => status !== 200);
	return { all: ids(attempts), acknowledged: ids(attempts.filter(({ status }) => status === 200)), failed: failed.length };
}

/** The executions that an event has started, by its id, once there are that many or more. */
async function executionsByEvent(workflowId: string, count: number): Promise<Map<string, Execution[]>> {
	const byEvent = new Map<string, Execution[]>();
	for (const execution of await n8n.finished(workflowId, count)) {
		const id = String((await eventOf(n8n.editor, execution.id, 'Events')).id);
		byEvent.set(id, [...(byEvent.get(id) ?? []), execution]);
	}
	return byEvent;
}

/** Ends n8n in the middle of a stream of deliveries and starts it again; gives what became of the events. */
async function endAmidDeliveries(campaign: string, signal: 'SIGTERM' | 'SIGKILL') {
	const trigger = n8n.trigger(campaign, { options: { deliveryRetries: 10 } });
	const workflowId = await n8n.createWorkflow(signal, [trigger]);
	await n8n.editor.publish(workflowId);
	const [webhook] = await n8n.webhooksWhen(campaign, ({ length }) => length === 1);
	await n8n.delivered(webhook.id);
	const before = (await deliveries(webhook.id)).acknowledged.size;

	const stop = startStream(campaign, webhook.id);
	const underWay = async () => (await deliveries(webhook.id)).acknowledged.size > 30 || undefined;
	await until(underWay, { seconds: 60, otherwise: () => new Error('The deliveries do not arrive') }).catch(async (error) => {
		await stop();
		throw error;
	});
	const { ended } = n8n.n8n.process;
	const again = n8n.restartN8n(signal);
	// While it shuts down n8n takes what comes by an open connection. A stream without end would keep it from ending.
	await sleep(500);
	let sent = await stop();
	const how = await ended;
	for (let more = 0; more < 5; more++, sent++) await send(campaign, webhook.id);
	await again;

	// What waits for its next try gets it now; the answer comes when all are done.
	let last = await deliveries(webhook.id);
	await until(
		async () => {
			await n8n.service.post('/_sandbox/advance', { seconds: 3000 });
			last = await deliveries(webhook.id);
			return last.acknowledged.size === before + sent || undefined;
		},
		{ seconds: 60, otherwise: () => new Error(`Of ${before + sent} only ${last.acknowledged.size} arrived`) },
	);
	expect(last.failed).toBeGreaterThanOrEqual(5);
	const byEvent = await executionsByEvent(workflowId, last.acknowledged.size);
	expect([...byEvent.keys()].sort()).toEqual([...last.acknowledged].sort());
	return { how, workflowId, executions: [...byEvent.values()] };
}

test('An n8n that is restarted amid deliveries loses none and takes none twice', async () => {
	const { how, workflowId, executions } = await endAmidDeliveries(campaigns.active, 'SIGTERM');
	expect(how).toBe('ended with status 0');
	expect(executions.map((of) => of.map(({ status }) => status))).toEqual(executions.map(() => ['success']));
	await n8n.unpublish(workflowId);
}, 180_000);

test('An n8n that is killed amid deliveries loses none, and takes twice only what it had not acknowledged', async () => {
	const { how, workflowId, executions } = await endAmidDeliveries(campaigns.paused, 'SIGKILL');
	expect(how).toBe('was ended by SIGKILL');
	const crashed = executions.flat().filter(({ status }) => status === 'crashed');
	const twice = executions.filter(({ length }) => length > 1);
	expect(executions.filter(({ length }) => length > 2)).toEqual([]);
	expect(twice.length).toBeLessThanOrEqual(MOST_UNDERWAY);
	// Acknowledged and not run to the end: n8n has the event, and its Retry goes on with it.
	for (const [index, { id }] of crashed.entries()) {
		const { id: retryId } = await n8n.editor.request<{ id: string }>('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false });
		await n8n.finished(workflowId, executions.flat().length + index + 1);
		expect((await n8n.editor.execution(retryId)).status).toBe('success');
		const [event, retried] = [await eventOf(n8n.editor, id, 'Events'), await eventOf(n8n.editor, retryId, 'Events')];
		expect(retried).toEqual(event);
	}
	await n8n.unpublish(workflowId);
}, 180_000);
