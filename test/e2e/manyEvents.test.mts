import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { EventStream, executionsByEvent, histogram, MOST_UNDERWAY, retry } from './eventStream.mts';
import { eventOf } from './executionData.mts';
import { Instance } from './instance.mts';
import { inWords, size } from './size.mts';

const EVENTS = size({ small: 120, full: 1000 });

let n8n: Instance;

beforeAll(async () => {
	// At this speed the ten retries go on for eight minutes: longer than n8n is away on any machine.
	n8n = await Instance.start({ speed: 20, options: ['--rate-limit', '1000000'] });
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

test(`Of ${inWords(EVENTS)} events, each delivered once to four times, a kill of n8n loses none, and only those on their way start twice`, async () => {
	const campaign = n8n.sandbox.campaignId;
	const trigger = n8n.trigger(campaign, { options: { deliveryRetries: 10 } });
	const workflowId = await n8n.createWorkflow('Many', [trigger]);
	await n8n.editor.publish(workflowId);
	const [webhook] = await n8n.webhooksWhen(campaign, ({ length }) => length === 1);
	await n8n.delivered(webhook.id);

	const stream = new EventStream(n8n, webhook.id);
	const started = Date.now();
	const seconds = (since = started) => ((Date.now() - since) / 1000).toFixed(1);
	const log: string[] = [];
	const sending = stream.send(EVENTS, () => randomInt(1, 5));
	const killAt = randomInt(EVENTS * 0.4, EVENTS * 0.6);
	await Promise.race([sending, stream.arrived(killAt, 600)]);
	log.push(`${killAt} events arrived in ${seconds()} s: n8n is killed`);

	const { ended } = n8n.n8n.process;
	const killed = Date.now();
	const again = n8n.restartN8n('SIGKILL');
	expect(await ended).toBe('was ended by SIGKILL');
	// The last answers come in; n8n needs seconds to be able to give more.
	await sleep(500);
	const atKill = await stream.fates();
	await again;
	log.push(`n8n is there again after ${seconds(killed)} s`);
	await sending;
	const fates = await stream.settle();
	log.push(`all have arrived after ${seconds()} s`);

	const executions = await n8n.finished(workflowId, EVENTS + 1);
	const byEvent = await executionsByEvent(n8n, executions);
	const counted = [...fates].map(([id, { copies, answers }]) => {
		const before = atKill.get(id);
		const fellUpon = before !== undefined && before.acknowledged < before.copies;
		const started = byEvent.get(id) ?? [];
		const executions = started.map((execution) => `${execution.id} ${execution.status}`);
		// Without an answer, the service cannot know that the event was taken.
		const unanswered = answers.filter((answer) => answer === 'none').length;
		return {
			copies,
			count: started.length,
			executions,
			unanswered,
			fellUpon,
			acknowledged: before !== undefined && before.acknowledged > 0,
		};
	});
	const fellUpon = counted.filter((event) => event.fellUpon);
	const twice = counted.filter(({ count }) => count > 1);
	const crashed = executions.filter(({ status }) => status !== 'success');
	const deliveries = counted.reduce((sum, { copies }) => sum + copies, 0);
	log.push(
		`${deliveries} deliveries of ${fates.size} events; how each attempt ended: ${histogram([...fates.values()].flatMap(({ answers }) => answers))}`,
		`executions for an event: ${histogram(counted.map(({ count }) => count))}; ended as: ${histogram(executions.map(({ status }) => status))}`,
		`the kill fell upon ${fellUpon.length} events; two executions have ${twice.length}: ${twice.filter(({ acknowledged }) => !acknowledged).length} that were stored and not acknowledged, ${twice.filter(({ acknowledged }) => acknowledged).length} that came again after they had been acknowledged`,
	);
	console.log(log.join('\n'));

	expect(fates.size).toBe(EVENTS);
	expect(counted.filter(({ count }) => count === 0)).toEqual([]);
	// On a machine that is very busy an answer can be too late, at any time.
	expect(twice.filter(({ count, fellUpon, unanswered }) => count > (fellUpon ? 2 : 1 + unanswered))).toEqual([]);
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
