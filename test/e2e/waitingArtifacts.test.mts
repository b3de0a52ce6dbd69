import { until } from '../../scripts/lib/waiting.mts';
import { byId, CallAndWait, seconds, stillClock } from './callAndWait.mts';
import { outputOf } from './executionData.mts';
import { Instance } from './instance.mts';

const VOICEMAIL = ['event_voicemail_detected', 'event_voicemail_message_left'] as const;

let n8n: Instance;
let calls: CallAndWait;

beforeAll(async () => {
	n8n = await Instance.start(stillClock);
	calls = new CallAndWait(n8n);
	await calls.publishTriggers([...VOICEMAIL, 'event_recording']);
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** Nothing comes late, unless a test wants so. */
beforeEach(
	async () =>
		await calls.delay(
			0,
			...VOICEMAIL,
			...['event_recording', 'event_phone_call_ended', 'event_call_report', 'event_call_transcript'],
			'campaign_call.completed',
		),
);

const queued = () => ({ resource: 'campaign', operation: 'queueCallAndWait', campaign: byId(calls.campaignId) });

/** The items that the node gave to the next one, when the execution is over. */
async function itemsOf(executionId: string, upToSeconds = 60): Promise<Array<Record<string, unknown>>> {
	await calls.statusBecomes(executionId, 'success', upToSeconds);
	return await outputOf(n8n.editor, executionId, 'After');
}

test('Voicemail answered the call: n8n is killed between the event that says so and the end of the call', async () => {
	await calls.delay(null, 'event_voicemail_message_left');
	const { executionId } = await calls.start('Killed', ['+12025550005'], {});
	await calls.statusBecomes(executionId, 'waiting');
	await calls.advance(10);
	expect(await calls.status(executionId)).toBe('waiting');
	await n8n.restartN8n('SIGKILL');
	await calls.advance(20);
	expect(await itemsOf(executionId)).toMatchObject([
		{ outcome: 'voicemail', status: 'completed', duration: 15, event: { event: 'event_phone_call_ended' } },
	]);
}, 120_000);

test('The event that voicemail answered makes the outcome voicemail also if it comes after the end', async () => {
	await calls.delay(null, ...VOICEMAIL);
	const number = '+12025510005';
	const { executionId } = await calls.start('Late', [number], {});
	await calls.statusBecomes(executionId, 'waiting');
	const [{ id }] = await calls.agentWebhooksWhen(1);
	const advanced = calls.advance(30);
	const isHeld = async () => {
		const { data } = await n8n.service.get(`/api/v1/agents/${calls.agentId}/webhooks/${id}/logs`);
		const log = data.data as Array<{ event: string; status: string; request_payload: { to: string; call_id: string } }>;
		return log.find(
			({ event, status, request_payload: { to } }) =>
				event === 'event_phone_call_ended' && status === 'pending' && to === number,
		);
	};
	const otherwise = () => new Error('The delivery of the end is not held');
	const held = await until(isHeld, { seconds: 30, otherwise });
	expect(await calls.status(executionId)).toBe('waiting');
	const { context } = (await calls.sentCalls()).findLast(({ to }) => to === number)!;
	const { call_id } = held.request_payload;
	await n8n.delivered(id, { event: 'event_voicemail_message_left', data: { context, call_id, to: number } });
	expect(await itemsOf(executionId)).toMatchObject([{ outcome: 'voicemail', to: number }]);
	await advanced;
}, 120_000);

test('Without such an event the outcome is completed', async () => {
	const { executionId } = await calls.start('Person', ['+12025520001'], {});
	await calls.statusBecomes(executionId, 'waiting');
	await calls.advance(45);
	expect(await itemsOf(executionId)).toMatchObject([{ outcome: 'completed' }]);
}, 60_000);

test('The recording that came before the end of the call survives a kill of n8n', async () => {
	await calls.delay(30, 'event_phone_call_ended');
	const { executionId } = await calls.start('Recorded', ['+12025530001', '+12025530002'], {
		options: { waitFor: ['recording'] },
	});
	await calls.statusBecomes(executionId, 'waiting');
	await calls.advance(45);
	expect(await calls.status(executionId)).toBe('waiting');
	await n8n.restartN8n('SIGKILL');
	await calls.advance(30);
	const items = await itemsOf(executionId);
	const recording = `${n8n.sandbox.url}/recordings/${items[0].id}.mp3`;
	expect(items).toMatchObject([
		{ outcome: 'completed', recording, missing: [] },
		{ outcome: 'busy', recording: null, missing: [] },
	]);
}, 120_000);

test('Report, transcript and recording arrive before the end of the call, and one after it; forged ones do not count', async () => {
	await calls.delay(30, 'campaign_call.completed');
	await calls.delay(40, 'event_call_transcript');
	const number = '+12025540001';
	const { executionId } = await calls.start('All', [number, '+12025540002'], {
		...queued(),
		options: { waitFor: '={{ $itemIndex === 0 ? ["transcript", "report", "recording"] : [] }}' },
	});
	await calls.statusBecomes(executionId, 'waiting');
	const { context } = (await calls.sentCalls()).findLast(({ to }) => to === number)!;
	const [webhook] = await n8n.webhooksWhen(calls.campaignId, ({ length }) => length === 1);
	const { data } = await n8n.service.get(`/api/v1/campaigns/${calls.campaignId}`);
	const other = (data.data as { calls: Array<{ id: string; to: string }> }).calls.find(({ to }) => to !== number)!;
	const forged = { event: 'event_call_transcript', data: { context, call_id: other.id, transcript: 'forged' } };
	await n8n.delivered(webhook.id, forged);
	await n8n.service.post('/_sandbox/deliver', { webhookId: webhook.id, ...forged, tamper: 'signature' });
	await calls.advance(40);
	expect(await calls.status(executionId)).toBe('waiting');
	// The line of the other number is busy: the campaign calls it again, days later.
	await n8n.service.post('/_sandbox/advance', { seconds: 30 });
	expect(await calls.status(executionId)).toBe('waiting');
	await n8n.service.post('/_sandbox/advance', { seconds: 30 * 86_400 });
	await calls.advance(60);
	const [first, second] = await itemsOf(executionId);
	expect(first).toMatchObject({
		...{ to: number, outcome: 'completed', event: { event: 'campaign_call.completed' }, missing: [] },
		report: { summary: expect.stringContaining('The person was reached.') },
		transcript: [{ role: 'agent' }, { role: 'user' }],
		recording: expect.stringContaining('/recordings/'),
	});
	expect(second).toMatchObject({ outcome: 'busy' });
	expect(second).not.toHaveProperty('missing');
}, 180_000);

test('What never comes, or came to a process that was killed, is missing when the time is up', async () => {
	await calls.delay(null, 'event_call_transcript');
	await calls.delay(60, 'event_recording');
	const { executionId } = await calls.start('Never', ['+12025560001'], {
		...queued(),
		options: { waitFor: ['report', 'transcript', 'recording'], timeLimit: seconds(42) },
	});
	await calls.statusBecomes(executionId, 'waiting');
	await calls.advance(45);
	await n8n.restartN8n('SIGKILL');
	// The recording reaches the new process, which asks the service for the rest.
	await calls.advance(60);
	expect(await itemsOf(executionId, 90)).toMatchObject([
		{
			...{ outcome: 'completed', report: null, transcript: null, missing: ['report', 'transcript'] },
			recording: expect.stringContaining('/recordings/'),
		},
	]);
}, 150_000);
