import { setTimeout as sleep } from 'node:timers/promises';

import type { Execution } from '../../scripts/n8n/editor.mts';
import { EventStream, executionsByEvent, MOST_UNDERWAY, retry } from './eventStream.mts';
import { eventOf } from './executionData.mts';
import { Instance } from './instance.mts';
import { doesN8n } from './olderN8n.mts';

let n8n: Instance;
let campaigns: { active: string; paused: string };

beforeAll(async () => {
	n8n = await Instance.start({ speed: 120, options: ['--rate-limit', '100000'] });
	campaigns = (await n8n.service.get('/_sandbox/seed')).data.campaigns;
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** How n8n ended, and the deliveries and executions of each event. */
interface Ended {
	how: string;
	workflowId: string;
	executions: Array<{ answers: string[] | undefined; of: Execution[] }>;
}

/** Ends n8n in the middle of a stream of deliveries and starts it again. */
async function endAmidDeliveries(campaign: string, signal: 'SIGTERM' | 'SIGKILL'): Promise<Ended> {
	const trigger = n8n.trigger(campaign);
	const workflowId = await n8n.createWorkflow(signal, [trigger]);
	await n8n.editor.publish(workflowId);
	const [webhook] = await n8n.webhooksWhen(campaign, ({ length }) => length === 1);
	await n8n.delivered(webhook.id);
	const stream = new EventStream(n8n, webhook.id);
	const sending = stream.send(Infinity);
	await Promise.race([sending, stream.arrived(30, 60)]);
	const { ended } = n8n.n8n.process;
	const again = n8n.restartN8n(signal, async () => {
		await sending;
		for (let more = 0; more < 5; more++) {
			await stream.sendOne();
		}
	});
	// During shutdown n8n still accepts requests on open connections: an endless stream would keep it running.
	await sleep(500);
	stream.stop();
	await again;
	const how = await ended;

	const fates = await stream.settle();
	const failed = [...fates.values()].flatMap(({ answers }) => answers).filter((answer) => answer !== '200');
	expect(failed.length).toBeGreaterThanOrEqual(5);
	const notRun = doesN8n('leavesNoneQueued') ? [] : ['new'];
	const byEvent = await executionsByEvent(n8n, await n8n.finished(workflowId, fates.size + 1, notRun));
	expect([...fates.keys()].filter((id) => !byEvent.has(id))).toEqual([]);
	// Plus the delivery that checked the workflow after publishing.
	expect(byEvent.size).toBe(fates.size + 1);
	const executions = [...byEvent].map(([id, of]) => ({ answers: fates.get(id)?.answers, of }));
	return { how, workflowId, executions };
}

/**
 * Only an event whose delivery was cut off may have a second execution. Even at a normal end n8n exits as soon as its
 * executions are over, and does not wait for the responses that it still has to send.
 */
function expectOnlyUnacknowledgedTwice(executions: Ended['executions']): void {
	const twice = executions.filter(({ of }) => of.length > 1);
	expect(twice.filter(({ of, answers = [] }) => of.length > 2 || answers.every((answer) => answer === '200'))).toEqual(
		[],
	);
	expect(twice.length).toBeLessThanOrEqual(MOST_UNDERWAY);
}

test('A restart of n8n during deliveries loses no event, and starts only unacknowledged ones twice', async () => {
	const { how, workflowId, executions } = await endAmidDeliveries(campaigns.active, 'SIGTERM');
	expect(how).toBe('ended with status 0');
	expectOnlyUnacknowledgedTwice(executions);
	expect(executions.filter(({ of }) => of.some(({ status }) => status !== 'success'))).toEqual([]);
	await n8n.unpublish(workflowId);
}, 180_000);

const killTest = doesN8n('storesBeforeItAcknowledges') ? test : test.skip;

killTest(
	'A kill of n8n during deliveries loses no event, and starts only unacknowledged ones twice',
	async () => {
		const { how, workflowId, executions } = await endAmidDeliveries(campaigns.paused, 'SIGKILL');
		expect(how).toBe('was ended by SIGKILL');
		const crashed = executions.flatMap(({ of }) => of).filter(({ status }) => status === 'crashed');
		expectOnlyUnacknowledgedTwice(executions);
		// Acknowledged and not finished: n8n has the event, and its Retry continues with it.
		for (const { id } of crashed) {
			const retried = await retry(n8n, id);
			expect(retried.status).toBe('success');
			expect(await eventOf(n8n.editor, retried.id, 'Events')).toEqual(await eventOf(n8n.editor, id, 'Events'));
		}
		await n8n.unpublish(workflowId);
	},
	180_000,
);
