import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import {
	EventStream,
	executionsByEvent,
	type Fate,
	histogram,
	MOST_UNDERWAY,
	retry,
	unansweredOf,
} from './eventStream.mts';
import { eventOf } from './executionData.mts';
import { Instance } from './instance.mts';
import { inWords, size } from './size.mts';

const EVENTS = size({ small: 120, full: 1000 });

let n8n: Instance;

/** What happened when, also for a test that failed. */
const log: string[] = [];
afterEach(() => console.log(log.splice(0).join('\n')));

beforeAll(async () => {
	n8n = await Instance.start({ speed: 20, options: ['--rate-limit', '1000000'] });
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

test(`Of ${inWords(EVENTS)} events, each delivered once to four times, a kill of n8n loses none, and only those on their way start twice`, async () => {
	const campaign = n8n.sandbox.campaignId;
	const trigger = n8n.trigger(campaign);
	const workflowId = await n8n.createWorkflow('Many', [trigger]);
	await n8n.editor.publish(workflowId);
	const [webhook] = await n8n.webhooksWhen(campaign, ({ length }) => length === 1);
	await n8n.delivered(webhook.id);

	const stream = new EventStream(n8n, webhook.id);
	const started = Date.now();
	const seconds = (since = started) => ((Date.now() - since) / 1000).toFixed(1);
	const sending = stream.send(EVENTS, () => randomInt(1, 5));
	const killAt = randomInt(EVENTS * 0.4, EVENTS * 0.6);
	await Promise.race([sending, stream.arrived(killAt, 600)]);
	log.push(`${killAt} events arrived in ${seconds()} s: n8n is killed`);

	const { ended } = n8n.n8n.process;
	const killed = Date.now();
	let atKill = new Map<string, Fate>();
	await n8n.restartN8n('SIGKILL', async () => {
		// What n8n has answered arrives. It starts again only after this, so all of these answers are from before the kill.
		await sleep(500);
		atKill = await stream.fates();
		await stream.full(60);
	});
	expect(await ended).toBe('was ended by SIGKILL');
	log.push(`killed at ${new Date(killed).toISOString()}, n8n is there again after ${seconds(killed)} s`);
	await sending;
	const fates = await stream.settle();
	log.push(`all have arrived after ${seconds()} s; what n8n wrote: ${join(n8n.folder, 'n8n.log')}`);

	const executions = await n8n.finished(workflowId, EVENTS + 1);
	const byEvent = await executionsByEvent(n8n, executions);
	const counted = [...fates].map(([id, fate]) => {
		const { copies, acknowledged } = fate;
		const before = atKill.get(id);
		const fellUpon = before !== undefined && before.acknowledged < before.copies;
		const acknowledgedBefore = before?.acknowledged ?? 0;
		// Without an answer, the service cannot know that the event was taken.
		const unanswered = unansweredOf(fate);
		// Of the deliveries that a process acknowledges, one starts an execution.
		const processes = Number(acknowledgedBefore > 0) + Number(acknowledged > acknowledgedBefore);
		const count = (byEvent.get(id) ?? []).length;
		return { id, copies, count, most: processes + unanswered, processes, unanswered, fellUpon };
	});
	const fellUpon = counted.filter((event) => event.fellUpon);
	const twice = counted.filter(({ count }) => count > 1);
	const crashed = executions.filter(({ status }) => status !== 'success');
	const deliveries = counted.reduce((sum, { copies }) => sum + copies, 0);
	log.push(
		`${deliveries} deliveries of ${fates.size} events; how each attempt ended: ${histogram([...fates.values()].flatMap(({ answers }) => answers))}`,
		`executions for an event: ${histogram(counted.map(({ count }) => count))}; ended as: ${histogram(executions.map(({ status }) => status))}`,
		`the kill fell upon ${fellUpon.length} events; two executions have ${twice.length}, of which ${twice.filter(({ unanswered }) => unanswered > 0).length} have a delivery without an answer, and ${twice.filter(({ processes }) => processes > 1).length} one that n8n acknowledged before the kill and one after it`,
	);

	expect(fates.size).toBe(EVENTS);
	expect(counted.filter(({ count }) => count === 0)).toEqual([]);
	const tooMany = counted.filter(({ count, most }) => count > most);
	const evidence = tooMany.map(({ id }) => stream.evidence(id, byEvent.get(id) ?? []));
	expect(await Promise.all(evidence)).toEqual([]);
	// Without events in flight the kill would prove nothing.
	expect(fellUpon.length).toBeGreaterThan(0);
	expect(fellUpon.length).toBeLessThanOrEqual(MOST_UNDERWAY);
	// Plus the delivery that checked the workflow after publishing.
	expect(byEvent.size).toBe(EVENTS + 1);

	// Started and not finished: n8n has the event, and its Retry continues with it.
	for (const { id, status } of crashed) {
		const retried = await retry(n8n, id);
		expect([status, retried.status]).toEqual(['crashed', 'success']);
		expect(await eventOf(n8n.editor, retried.id, 'Events')).toEqual(await eventOf(n8n.editor, id, 'Events'));
	}
	await n8n.unpublish(workflowId);
}, 1_200_000);
