import {
	artifactIn,
	awaitedEventTypes,
	requiredEventTypes,
} from '../../../../nodes/VoiceAgentCalling/waiting/artifacts.ts';
import { useFakeClock } from '../../shared/client/modelService.mts';
import { startN8n } from './processes.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const envelope = {
	event: 'event_call_report',
	id: 'd',
	timestamp: '2026-11-21T06:00:00Z',
	webhook_id: 'w',
	webhook_name: 'W',
	call_id: 'call-0',
	campaign_id: 'c',
	campaign_name: 'C',
	agent_id: 'a',
	agent_name: 'A',
	to: '+1',
	from: '+2',
	status: 'completed',
	retries: 0,
	duration: 3,
	is_testing: true,
	test: true,
	type: 'event',
	event_type: 'event',
	payload: { name: 'Ada' },
	campaign_call: { id: 'x' },
	context: { contact: 'https://crm.example/7' },
};
const file = 'https://files.example/a.mp3';

test.each([
	['report', { report: { score: 1 }, more: 2 }, { score: 1 }],
	['report', { summary: 'Reached', outcome: 'completed' }, { summary: 'Reached', outcome: 'completed' }],
	['report', { data: { report: { score: 1 }, id: 'x' } }, { score: 1 }],
	['report', { data: { call: { id: 'x' }, summary: 'Reached' } }, { summary: 'Reached' }],
	['transcript', { transcript: [{ role: 'agent' }] }, [{ role: 'agent' }]],
	['transcript', { messages: ['Hello'] }, { messages: ['Hello'] }],
	['transcript', { call_transcript: ['Hello'] }, ['Hello']],
	['recording', { recording_url: file, page_url: 'https://x.example' }, file],
	['recording', { recording: file }, file],
	['recording', { seconds: 3, media: 'http://files.example/c' }, 'http://files.example/c'],
	['recording', { recording: 'See https://files.example', url: file }, file],
	['recording', { links: ['https://files.example'], file }, file],
	['recording', { recording: { id: 7 } }, { id: 7 }],
	['recording', { file: 7 }, { file: 7 }],
	['recording', { data: { call: { recording_url: file } } }, file],
] as const)('The %s in an event with %j is %j', (artifact, fields, value) => {
	expect(artifactIn(artifact, { ...envelope, ...fields } as never)).toEqual(value);
});

test('A wait requires the events of the end and of each artifact, and takes those of a machine if there are any', () => {
	const ofCampaign = ['campaign_call.completed', 'campaign_call.failed'];
	expect(requiredEventTypes('campaignId', ['report', 'recording'])).toEqual([
		...ofCampaign,
		'event_call_report',
		'event_recording',
	]);
	expect([requiredEventTypes('campaignId'), awaitedEventTypes('campaignId')]).toEqual([ofCampaign, ofCampaign]);
	expect(
		awaitedEventTypes('agentId', ['recording']).slice(requiredEventTypes('agentId', ['recording']).length),
	).toEqual(['event_voicemail_detected', 'event_voicemail_message_left']);
});

const completed = { ...envelope, event: 'campaign_call.completed' };
const failed = { ...envelope, event: 'campaign_call.failed', status: 'failed', reason: 'busy' };
const report = { ...envelope, summary: 'Reached' };
const transcript = { ...envelope, event: 'event_call_transcript', transcript: ['Hello'] };
const both = { artifacts: ['report', 'transcript'] as Array<'report' | 'transcript'> };

/** An execution that waits in one process. */
const waiting = async (...calls: NonNullable<Parameters<typeof startN8n>[0]>['calls'] & object) =>
	await startN8n({ complete: true, processes: 1, calls });

describe('An execution that waits for a report and a transcript', () => {
	test.each([
		['before the end of the call', [report, transcript, completed]],
		['around it', [transcript, completed, report]],
		['twice', [report, report, completed, completed, transcript]],
	])('goes on when both have arrived %s, and not before', async (_what, events) => {
		const { deliver, outputs } = await waiting(both);
		for (const event of events) {
			expect(outputs).toEqual([]);
			expect(await deliver(event)).toBe(200);
		}
		const artifacts = { report: { summary: 'Reached' }, transcript: ['Hello'], missing: [] };
		const end = { id: 'call-0', outcome: 'completed', status: 'completed', duration: 3, event: completed };
		expect(outputs).toEqual([[{ ...end, ...artifacts }]]);
	});

	test('goes on at once if the call reached nobody, with nothing missing', async () => {
		const { deliver, outputs } = await waiting(both);
		await deliver(failed);
		const end = { id: 'call-0', outcome: 'busy', status: 'failed', duration: 3, event: failed };
		expect(outputs).toEqual([[{ ...end, report: null, transcript: null, missing: [] }]]);
	});

	test.each([
		[report, { outcome: 'timedOut', report: { summary: 'Reached' }, transcript: null, missing: ['transcript'] }],
		[completed, { outcome: 'completed', missing: ['report', 'transcript'] }],
	])('says at the time limit what is missing: %#', async (event, output) => {
		const { deliver, timeUp, outputs } = await waiting(both);
		await deliver(event);
		await timeUp();
		expect(outputs).toMatchObject([[output]]);
	});

	test('takes nothing of another call, and nothing of an event of another kind', async () => {
		const { deliver, outputs } = await waiting(both, both);
		expect(await deliver({ ...report, call_id: 'call-1' })).toBe(409);
		expect(await deliver({ ...envelope, event: 'campaign_call.retry_scheduled' })).toBe(200);
		await deliver(completed);
		await deliver(transcript);
		expect(outputs).toEqual([]);
	});
});

test.each([[[1, 2]], [[2, 1]]])('Of two recordings the later one counts, if they arrive as %j', async (order) => {
	const { deliver, outputs } = await waiting({ artifacts: ['recording'] });
	for (const n of order) {
		const at = { timestamp: `2026-11-21T06:00:0${n}Z`, recording_url: `https://files.example/${n}?signature=s` };
		await deliver({ ...envelope, event: 'event_recording', ...at });
	}
	await deliver(completed);
	expect(outputs).toMatchObject([[{ recording: 'https://files.example/2?signature=s' }]]);
});
