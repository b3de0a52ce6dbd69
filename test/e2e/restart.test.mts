import { setTimeout as sleep } from 'node:timers/promises';

import type { Execution } from '../../scripts/lib/editor.mts';
import { EventStream, executionsByEvent, MOST_UNDERWAY } from './eventStream.mts';
import { Instance } from './instance.mts';

let n8n: Instance;

beforeAll(async () => {
	n8n = await Instance.start({ speed: 120, options: ['--rate-limit', '100000'] });
});

/** Ends n8n in the middle of a stream of deliveries and starts it again. @returns how it ended, and all executions */
async function endAmidDeliveries(signal: 'SIGTERM' | 'SIGKILL'): Promise<{ how: string; executions: Execution[] }> {
	const workflowId = await n8n.published(signal, [n8n.trigger(n8n.sandbox.campaignId)]);
	const webhook = await n8n.soleWebhook();
	await n8n.delivered(webhook.id);
	const stream = new EventStream(n8n, webhook.id);
	const sending = stream.send(Infinity);
	await Promise.race([sending, stream.arrived(20, 60)]);
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

	const fates = await stream.settle();
	const failed = [...fates.values()].flatMap(({ answers }) => answers).filter((answer) => answer !== '200');
	expect(failed.length).toBeGreaterThanOrEqual(5);
	const executions = await n8n.finished(workflowId, fates.size + 1);
	const byEvent = await executionsByEvent(n8n, executions);
	expect([...fates.keys()].filter((id) => !byEvent.has(id))).toEqual([]);
	// Plus the delivery that checked the workflow after publishing.
	expect(byEvent.size).toBe(fates.size + 1);
	// Only an event whose delivery was cut off may have a second execution. Even at a normal end n8n exits as soon as its
	// executions are over, and does not wait for the responses that it still has to send.
	const twice = [...byEvent].filter(([, of]) => of.length > 1);
	const wasCutOff = (id: string) => fates.get(id)?.answers.some((answer) => answer !== '200');
	expect(twice.filter(([id, of]) => of.length > 2 || !wasCutOff(id))).toEqual([]);
	expect(twice.length).toBeLessThanOrEqual(MOST_UNDERWAY);
	await n8n.editor.unpublish(workflowId);
	return { how: await ended, executions };
}

test('A restart of n8n during deliveries loses no event, and starts only unacknowledged ones twice', async () => {
	const { how, executions } = await endAmidDeliveries('SIGTERM');
	expect(how).toBe('ended with status 0');
	expect(executions.filter(({ status }) => status !== 'success')).toEqual([]);
});
