import { artifactIn, awaitedKinds, requiredKinds } from '../../../../nodes/VoiceAgentCalling/waiting/artifacts.ts';
import type { AwaitedCall } from '../../../../nodes/VoiceAgentCalling/waiting/state.ts';
import type { Answers } from '../../n8n.mts';
import { useFakeClock } from '../sending/modelService.mts';
import { startN8n } from './processes.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const envelope = {
	...{ event: 'event_call_report', id: 'd', timestamp: '2026-11-21T06:00:00Z', webhook_id: 'w', call_id: 'call-0' },
	...{ campaign_id: 'c', campaign_name: 'C', agent_id: 'a', agent_name: 'A', to: '+1', status: 'completed' },
	...{ retries: 0, duration: 3, is_testing: true, context: { contact: 'https://crm.example/7' } },
};

test.each([
	['report', { report: { score: 1 }, more: 2 }, { score: 1 }],
	['report', { summary: 'Reached', outcome: 'completed' }, { summary: 'Reached', outcome: 'completed' }],
	['transcript', { transcript: [{ role: 'agent' }] }, [{ role: 'agent' }]],
	['transcript', { messages: ['Hello'] }, { messages: ['Hello'] }],
	[
		'recording',
		{ recording_url: 'https://files.example/a.mp3', page_url: 'https://x.example' },
		'https://files.example/a.mp3',
	],
	['recording', { recording: 'https://files.example/b' }, 'https://files.example/b'],
	['recording', { seconds: 3, media: 'http://files.example/c' }, 'http://files.example/c'],
	['recording', { recording: { id: 7 } }, { id: 7 }],
	['recording', { file: 7 }, { file: 7 }],
	['report', { data: { report: { score: 1 }, id: 'x' } }, { score: 1 }],
	['report', { data: { call: { id: 'x' }, summary: 'Reached' } }, { summary: 'Reached' }],
	['transcript', { call_transcript: ['Hello'] }, ['Hello']],
	['recording', { data: { call: { recording_url: 'https://files.example/d' } } }, 'https://files.example/d'],
] as const)('The %s in an event with %j is %j', (artifact, fields, value) => {
	expect(artifactIn(artifact, { ...envelope, ...fields } as never)).toEqual(value);
});

test('A wait requires the events of the end and of each artifact, and takes those of a machine if there are any', () => {
	expect(requiredKinds('campaignId', ['report', 'recording'])).toEqual([
		...['campaign_call.completed', 'campaign_call.failed'],
		...['event_call_report', 'event_recording'],
	]);
	expect(requiredKinds('campaignId')).toEqual(awaitedKinds('campaignId'));
	expect(awaitedKinds('agentId', ['recording']).slice(requiredKinds('agentId', ['recording']).length)).toEqual([
		...['event_voicemail_detected', 'event_voicemail_message_left'],
	]);
});

const completed = { ...envelope, event: 'campaign_call.completed' };
const failed = { ...envelope, event: 'campaign_call.failed', status: 'failed', reason: 'busy' };
const report = { ...envelope, summary: 'Reached' };
const transcript = { ...envelope, event: 'event_call_transcript', transcript: ['Hello'] };
const recording = (second: number, name = 'a') => ({
	...envelope,
	event: 'event_recording',
	timestamp: `2026-11-21T06:00:0${second}Z`,
	recording_url: `https://files.example/${name}.mp3?signature=s`,
});
const both: Pick<AwaitedCall, 'artifacts'> = { artifacts: ['report', 'transcript'] };
const one = { complete: true, processes: 1 };

describe('An execution that waits for a report and a transcript', () => {
	test.each([
		['in the order of the service', [completed, report, transcript]],
		['before the end of the call', [report, transcript, completed]],
		['around it', [transcript, completed, report]],
		['twice', [report, report, completed, completed, transcript]],
	])('goes on when both have arrived %s, and not before', async (_what, events) => {
		const { deliver, outputs } = await startN8n({ ...one, calls: [both] });
		for (const event of events) {
			expect(outputs).toEqual([]);
			expect(await deliver(event)).toBe(200);
		}
		expect(outputs).toMatchObject([[{ outcome: 'completed', transcript: ['Hello'], missing: [] }]]);
		expect(outputs[0][0]).toMatchObject({ report: { summary: 'Reached' }, event: completed });
		expect(outputs[0][0]).not.toHaveProperty('recording');
	});

	test('goes on at once if the call reached nobody, with nothing missing', async () => {
		const { deliver, outputs } = await startN8n({ ...one, calls: [both] });
		await deliver(failed);
		expect(outputs).toEqual([
			[
				{
					id: 'call-0',
					outcome: 'busy',
					status: 'failed',
					duration: 3,
					event: failed,
					report: null,
					transcript: null,
					missing: [],
				},
			],
		]);
	});

	test('says at the time limit what is missing', async () => {
		const service: Answers = [{ body: { data: { calls: [{ id: 'call-0', status: 'queued' }] } } }];
		const never = await startN8n({ ...one, calls: [both], service });
		await never.deliver(report);
		await never.timeUp();
		expect(never.outputs).toMatchObject([
			[{ outcome: 'timedOut', report: { summary: 'Reached' }, transcript: null, missing: ['transcript'] }],
		]);
		const ended = await startN8n({ ...one, calls: [both], service });
		await ended.deliver(completed);
		await ended.timeUp();
		expect(ended.outputs).toMatchObject([[{ outcome: 'completed', missing: ['report', 'transcript'] }]]);
	});

	test('takes nothing of another call', async () => {
		const { deliver, outputs } = await startN8n({ ...one, calls: [both, both] });
		expect(await deliver({ ...report, call_id: 'call-1' })).toBe(409);
		await deliver(completed);
		await deliver(transcript);
		expect(outputs).toEqual([]);
	});

	test('does not wait for an event of another kind, which changes nothing', async () => {
		const { deliver, outputs } = await startN8n({ ...one, calls: [{}] });
		expect(await deliver({ ...envelope, event: 'campaign_call.retry_scheduled' })).toBe(200);
		expect(outputs).toEqual([]);
	});
});

test('Of two recordings the later one counts, in whatever order they arrive', async () => {
	for (const [first, second] of [
		[1, 2],
		[2, 1],
	]) {
		const { deliver, outputs } = await startN8n({ ...one, calls: [{ artifacts: ['recording'] }] });
		await deliver(recording(first, `${first}`));
		await deliver(recording(second, `${second}`));
		await deliver(completed);
		expect(outputs).toMatchObject([[{ recording: recording(2, '2').recording_url }]]);
	}
});
