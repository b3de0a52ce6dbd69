import { randomInt } from 'node:crypto';

import type { Execution } from '../../scripts/lib/editor.mts';
import { waitFor } from '../../scripts/lib/process.mts';
import { CallAndWait } from './callAndWait.mts';
import { EventStream, executionsByEvent, MOST_UNDERWAY, retry, unansweredOf } from './eventStream.mts';
import { comes } from './eventually.mts';
import { postJson } from './handmade.mts';
import { byId, type Instance } from './instance.mts';
import { publishMcpServer, toolNode } from './mcpServer.mts';
import { QueueMode } from './queueMode.mts';

/** How many events are sent around each of the two kills. */
const EVENTS = 500;

/** So many executions a worker runs at a time, when nothing else is said. */
const CONCURRENCY = 10;

let queueMode: QueueMode;
let n8n: Instance;

// At this speed the ten retries take eight minutes.
beforeAll(async () => {
	queueMode = await QueueMode.start({ speed: 20, options: ['--rate-limit', '1000000'] });
	n8n = queueMode.n8n;
}, 600_000);

afterAll(async () => await queueMode?.stop(), 60_000);

/** All executions of a workflow, once none is going on; those that still are after a minute are among them. */
async function allOver(workflowId: string): Promise<Execution[]> {
	const isGoingOn = ({ status }: Execution) => ['new', 'running'].includes(status);
	await waitFor(async () => !(await n8n.editor.executions(workflowId)).some(isGoingOn) || undefined, { seconds: 60 });
	// One that ended while n8n listed the others can be missing: now all are over.
	return await n8n.editor.executions(workflowId);
}

test('In queue mode each worker holds a tool of the MCP Server Trigger to Max Calls per Hour', async () => {
	const limit = 2;
	const phoneNumber = "={{ $fromAI('phone') }}";
	const call = { resource: 'call', operation: 'place', agent: byId(n8n.sandbox.agentId), phoneNumber };
	const { url, id } = await publishMcpServer(n8n, [toolNode(n8n, 'Phone', { ...call, maxCallsPerHour: limit })]);
	const client = await harness.connectMcp(url);
	const answers: string[] = [];
	for (let index = 0; index < 8; index++) {
		answers.push(await client.call('Phone', { phone: `+1202555013${index}` }));
	}
	await client.close();
	await n8n.editor.unpublish(id);
	const { length } = await n8n.placed();
	const refused = answers.filter((answer) => answer.includes(`limit of ${limit} calls per hour`));
	// Bull hands the jobs to whichever worker is free: one of them may have had all.
	expect(length).toBeGreaterThanOrEqual(limit);
	expect(length).toBeLessThanOrEqual(2 * limit);
	expect(refused).toHaveLength(answers.length - length);
});

test('In queue mode two webhook processes together learn all that calls bring, and that voicemail answered a call', async () => {
	const calls = new CallAndWait(n8n);
	await calls.publishTriggers(['event_voicemail_detected']);
	await n8n.delay(1, 'event_call_report');
	await n8n.delay(20, 'event_call_transcript');
	await n8n.delay(40, 'campaign_call.completed');
	const timeLimit = { values: { amount: 15, unit: 'minutes' } };
	const options = { timeLimit, waitFor: ['report', 'transcript', 'recording'] };
	const started = Date.now();
	const all = [1, 2, 3, 4].map(String);
	const queued = await Promise.all(
		all.map(async (each) => {
			const numbers = [`+120255${each}0001`, `+120256${each}0001`];
			return await calls.begin(numbers, { ...calls.queued, options });
		}),
	);
	const placed = await Promise.all(
		all.map(
			async (each) => await calls.begin([`+120257${each}0005`, `+120258${each}0001`], { options: { timeLimit } }),
		),
	);
	const complete = { outcome: 'completed', missing: [], transcript: [{}, {}], report: { summary: expect.any(String) } };
	for (const executionId of queued) {
		expect(await calls.itemsOf(executionId, 600)).toMatchObject([complete, complete]);
	}
	for (const executionId of placed) {
		const outcomes = [{ outcome: 'voicemail' }, { outcome: 'completed' }];
		expect(await calls.itemsOf(executionId, 600)).toMatchObject(outcomes);
	}
	// None of them has waited until the time was up.
	expect(Date.now() - started).toBeLessThan(14 * 60_000);
	await n8n.editor.unpublish(calls.agentTrigger);
	await n8n.editor.unpublish(calls.campaignTrigger);
	expect(await n8n.webhooks(calls.campaignId)).toEqual([]);
	await n8n.delay(0, 'event_call_report', 'event_call_transcript', 'campaign_call.completed');
}, 900_000);

test('In queue mode nobody is called twice when the worker is killed that calls, nor by Retry', async () => {
	const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((last) => `+1202559000${last}`);
	const people = n8n.given(
		'Numbers',
		numbers.map((to) => ({ to })),
	);
	const oneByOne = { phoneNumber: '={{ $json.to }}', sending: { maxConcurrentRequests: 1 } };
	const hook = n8n.webhook();
	const workflowId = await n8n.published('Killed', [hook, people, n8n.placing(n8n.sandbox.agentId, oneByOne)]);
	const slow = { kind: 'latency', ms: 2000, times: 100 };
	await n8n.fault('POST', `/api/v1/agents/${n8n.sandbox.agentId}/call`, slow);
	/** How often each number was sent to the service. */
	const dialed = async () => await Promise.all(numbers.map(async (to) => (await n8n.dialed(to)).length));

	await postJson(`${n8n.n8n.url}/webhook/${hook.parameters.path}`, {});
	await comes(async () => (await dialed())[3] === 1, 'the fourth call', 60);
	const [{ id }] = (await n8n.editor.executions(workflowId)) as [Execution];
	await queueMode.killWorkerOf(id);
	expect(await n8n.ended(id)).toBe('error');
	await n8n.noFaults();
	expect((await retry(n8n, id)).status).toBe('error');
	const counts = await dialed();
	expect([Math.max(...counts), counts.at(-1)]).toEqual([1, 0]);
	await n8n.editor.unpublish(workflowId);
	await queueMode.startAgain('worker');
}, 300_000);

test(`In queue mode a kill loses none of ${2 * EVENTS} events that are not running at that moment`, async () => {
	const workflowId = await n8n.published('Many', [n8n.trigger(n8n.sandbox.campaignId)]);
	const webhook = await n8n.soleWebhook();
	await n8n.delivered(webhook.id);

	const stream = new EventStream(n8n, webhook.id);
	/** Sends events, and kills a process in the middle of them. @returns the events that were in flight at the kill */
	const sendAndKill = async (command: 'worker' | 'webhook', earlier: number) => {
		// Each kill has events of its own: while a process starts again, the others would take all that is left.
		const sending = stream.send(EVENTS, () => randomInt(1, 5));
		const count = earlier + randomInt(EVENTS * 0.4, EVENTS * 0.6);
		await Promise.race([sending, stream.arrived(count, 900)]);
		const fellUpon = await stream.during(() => queueMode.kill(command));
		await queueMode.startAgain(command);
		await sending;
		return fellUpon;
	};
	await sendAndKill('worker', 0);
	const sentBefore = new Set((await stream.fates()).keys());
	const fellUpon = await sendAndKill('webhook', EVENTS);
	const fates = await stream.settle();
	const executions = await allOver(workflowId);
	const byEvent = await executionsByEvent(n8n, executions);
	const cutOff = byEvent.get('') ?? [];
	const counted = [...fates].map(([id, fate]) => {
		const of = byEvent.get(id) ?? [];
		const at = Number(fellUpon.has(id));
		// Each of the two processes may start it once; a killed process forgets, and may start it once more. Without an
		// answer, the service cannot know that the event was taken.
		return { id, copies: fate.copies, of, at, most: Math.min(fate.copies, 2) + unansweredOf(fate) + at };
	});
	const lost = counted.filter(({ of }) => of.length === 0);
	expect(fates.size).toBe(2 * EVENTS);
	// n8n marks the executions of a killed worker as failed and keeps no data of them.
	expect(cutOff.length).toBeLessThanOrEqual(CONCURRENCY);
	expect(cutOff.map(({ status }) => status)).toEqual(cutOff.map(() => 'error'));
	// An event without another execution is that of one of these.
	expect(lost.length).toBeLessThanOrEqual(cutOff.length);
	// The worker was killed before the other half was sent: the kill of the webhook process loses none.
	expect(lost.map(({ id }) => id).filter((id) => !sentBefore.has(id))).toEqual([]);
	expect(counted.filter((event) => event.of.length > event.most)).toEqual([]);
	expect(fellUpon.size).toBeGreaterThan(0);
	expect(fellUpon.size).toBeLessThanOrEqual(2 * MOST_UNDERWAY);

	// Stored, but not started or not finished: n8n has the event, and its Retry continues with it.
	const left = counted.filter(({ of }) => of.length > 0 && !of.some(({ status }) => status === 'success'));
	const notBegun = left.filter(({ of }) => of.every(({ status }) => status === 'new'));
	for (const { of } of left.filter((event) => !notBegun.includes(event))) {
		const begun = of.find(({ status }) => status !== 'new') as Execution;
		expect((await retry(n8n, begun.id)).status).toBe('success');
	}
	// The webhook process was killed before it put the stored execution in the queue, or the worker before it began what it
	// had taken. n8n's queue recovery, every three hours by default, marks such an execution as crashed. Until then n8n
	// refuses a retry.
	expect(notBegun.length).toBeLessThanOrEqual(fellUpon.size + CONCURRENCY);
}, 1_800_000);
