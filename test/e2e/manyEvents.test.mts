import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { EventStream, executionsByEvent, type Fate, MOST_UNDERWAY, retry, unansweredOf } from './eventStream.mts';
import { eventOf } from './executionData.mts';
import { Instance } from './instance.mts';
import { inWords, size } from './size.mts';

const EVENTS = size({ small: 60, full: 1000 });

let n8n: Instance;

beforeAll(async () => {
	n8n = await Instance.start({ speed: 20, options: ['--rate-limit', '1000000'] });
});

test(`Of ${inWords(EVENTS)} events, each delivered once to four times, a kill of n8n loses none, and only those on their way start twice`, async () => {
	const workflowId = await n8n.published('Many', [n8n.trigger(n8n.sandbox.campaignId)]);
	const webhook = await n8n.soleWebhook();
	await n8n.delivered(webhook.id);

	const stream = new EventStream(n8n, webhook.id);
	const sending = stream.send(EVENTS, () => randomInt(1, 5));
	const killAt = randomInt(EVENTS * 0.4, EVENTS * 0.6);
	await Promise.race([sending, stream.arrived(killAt, 600)]);
	const { ended } = n8n.n8n.process;
	let atKill = new Map<string, Fate>();
	await n8n.restartN8n('SIGKILL', async () => {
		// What n8n has answered arrives. It starts again only after this, so all of these answers are from before the kill.
		await sleep(500);
		atKill = await stream.fates();
		await stream.full(60);
	});
	expect(await ended).toBe('was ended by SIGKILL');
	await sending;
	const fates = await stream.settle();
	const executions = await n8n.finished(workflowId, EVENTS + 1);
	const byEvent = await executionsByEvent(n8n, executions);
	const counted = [...fates].map(([id, fate]) => {
		const before = atKill.get(id);
		const fellUpon = before !== undefined && before.acknowledged < before.copies;
		const acknowledgedBefore = before?.acknowledged ?? 0;
		// Of the deliveries that a process acknowledges, one starts an execution. Without an answer, the service cannot know
		// that the event was taken.
		const processes = Number(acknowledgedBefore > 0) + Number(fate.acknowledged > acknowledgedBefore);
		const count = (byEvent.get(id) ?? []).length;
		return { id, count, most: processes + unansweredOf(fate), fellUpon };
	});
	const fellUpon = counted.filter((event) => event.fellUpon).length;
	// Plus the delivery that checked the workflow after publishing.
	expect([fates.size, byEvent.size]).toEqual([EVENTS, EVENTS + 1]);
	expect(counted.filter(({ count }) => count === 0)).toEqual([]);
	expect(counted.filter(({ count, most }) => count > most)).toEqual([]);
	// Without events in flight the kill would prove nothing.
	expect(fellUpon).toBeGreaterThan(0);
	expect(fellUpon).toBeLessThanOrEqual(MOST_UNDERWAY);

	// Started and not finished: n8n has the event, and its Retry continues with it.
	for (const { id, status } of executions.filter((one) => one.status !== 'success')) {
		const retried = await retry(n8n, id);
		expect([status, retried.status]).toEqual(['crashed', 'success']);
		expect(await eventOf(n8n.editor, retried.id, 'Events')).toEqual(await eventOf(n8n.editor, id, 'Events'));
	}
}, 1_200_000);
