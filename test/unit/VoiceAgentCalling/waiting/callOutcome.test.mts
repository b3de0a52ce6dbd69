import type { IDataObject } from 'n8n-workflow';

import type { CallEnd } from '../../../../nodes/shared/client/statuses.ts';
import { readEvent } from '../../../../nodes/shared/events/event.ts';
import {
	addEvent,
	addOutcome,
	artifactIn,
	awaitedEventTypes,
	awaitedOutcome,
	type CallFacts,
	type CallOutcome,
	finalEventTypes,
	missingArtifacts,
	outcomeOfCall,
	outcomeOfEvent,
	outcomesInWords,
	requiredEventTypes,
	TIMED_OUT,
	voicemailUntil,
	withOutcome,
} from '../../../../nodes/VoiceAgentCalling/waiting/callOutcome.ts';

const ENDED = 'event_phone_call_ended';
const NOT_CONNECTED = 'event_phone_call_did_not_connect';
const ERROR = 'event_phone_call_error';
const COMPLETED = 'campaign_call.completed';
const FAILED = 'campaign_call.failed';

test.each<[event: string, outcome: string, what: Array<Record<string, unknown>>]>([
	[ENDED, 'completed', [{ status: 'completed', duration: 30 }, {}, { status: ' Completed ' }, { status: 'answered' }]],
	[ENDED, 'completed', [{ status: 'ended' }, { status: 'completed', reason: 'caller hung up' }, { reason: 'hung up' }]],
	[ENDED, 'completed', [{ status: '' }, { status: ' ' }, { status: 7 }, { outcome: { score: 1 } }]],
	[ENDED, 'cancelled', [{ status: 'canceled' }]],
	[ENDED, 'noAnswer', [{ status: 'no answer' }, { status: 'NoAnswer' }]],
	[ENDED, 'failed', [{ status: 'Failed' }, { status: 'error' }]],
	[ENDED, 'busy', [{ status: 'completed', reason: 'BUSY' }]],
	[ENDED, 'unknown', [{ status: 'rejected' }]],
	[NOT_CONNECTED, 'busy', [{ status: 'busy', reason: 'busy' }]],
	[NOT_CONNECTED, 'noAnswer', [{ status: 'no-answer' }, {}, { status: 'completed' }, { status: 'rejected' }]],
	[ERROR, 'failed', [{ status: 'failed', error: 'disconnected' }, {}, { status: 'completed' }]],
	[COMPLETED, 'voicemail', [{ status: 'completed', outcome: 'voicemail' }]],
	[COMPLETED, 'cancelled', [{ status: 'cancelled' }]],
	[COMPLETED, 'unknown', [{ outcome: 'rejected' }]],
	[FAILED, 'noAnswer', [{ status: 'failed', reason: 'no-answer' }]],
	[FAILED, 'failed', [{ status: 'failed', reason: 'agent_inactive' }, { status: 'ended' }, { status: 'completed' }]],
	['event_call_report', 'completed', [{ status: 'completed', outcome: { score: 1 } }, {}]],
])('The event %s has the outcome %s with %j, and only what it says', (kind, outcome, all) => {
	for (const fields of all) {
		const event = { event: kind, ...fields };
		const { status, duration } = fields;
		const said = { ...(status !== undefined && { status }), ...(duration !== undefined && { duration }) };
		expect(outcomeOfEvent(readEvent(event as never))).toStrictEqual({ outcome, ...said, event });
	}
});

const duration = 7;

test.each([
	[{ event: COMPLETED, call: { status: 'no-answer', duration } }, 'noAnswer', 'no-answer'],
	[{ event: ENDED, duration, data: { status: 'completed', reason: 'dnc' } }, 'completed', 'completed'],
	[{ event: ENDED, duration, data: { status: 'ended', reason: 'dnc' } }, 'completed', 'ended'],
	[{ event: ENDED, data: { status: 'busy', duration } }, 'busy', 'busy'],
	[{ event: ENDED, data: { call: { status: 'busy', duration } } }, 'busy', 'busy'],
	[{ event: ENDED, status: 'completed', duration, call: { reason: 'busy' } }, 'busy', 'completed'],
	[{ event: ENDED, duration, data: { status: 'rejected' } }, 'unknown', 'rejected'],
	[{ event: ENDED, duration, data: { to: '+12025550001' } }, 'completed', undefined],
	[{ event: ERROR, duration, data: { status: 'completed' } }, 'failed', 'completed'],
])('The event %j, which nests what it says, has the outcome %s', (event, outcome, status) => {
	expect(outcomeOfEvent(readEvent(event))).toEqual({ outcome, status, duration, event });
});

test('A number on a do-not-call list is named, whatever else the event says of the call that did not take place', () => {
	for (const fields of [{ status: 'failed' }, { outcome: 'failed' }, { status: 'failed', duration: 0 }]) {
		const event = readEvent({ event: FAILED, reason: 'do_not_call', ...fields });
		expect(outcomeOfEvent(event).outcome).toBe('doNotCall');
	}
});

/** The outcomes of listed calls, by their status. */
const listed: Record<'agentId' | 'campaignId', Record<string, string | undefined>> = {
	agentId: {
		completed: 'completed',
		busy: 'busy',
		voicemail: 'voicemail',
		failed: 'failed',
		cancelled: 'cancelled',
		Canceled: 'cancelled',
		'no-answer': 'noAnswer',
		no_answer: 'noAnswer',
		'no answer': 'noAnswer',
		ringing: undefined,
		initiated: undefined,
		answered: undefined,
	},
	// After a busy line, the next try follows.
	campaignId: {
		completed: 'completed',
		failed: 'failed',
		do_not_call: 'doNotCall',
		cancelled: 'cancelled',
		canceled: 'cancelled',
		busy: undefined,
		'no-answer': undefined,
		'No Answer': undefined,
		scheduled: undefined,
		queued: undefined,
	},
};

test.each(['agentId', 'campaignId'] as const)('The status of a listed call by %s tells whether it is over', (by) => {
	const outcomeOf = (status: string) => outcomeOfCall({ status, duration: 5 }, by)?.outcome;
	const found = Object.keys(listed[by]).map((status) => [status, outcomeOf(status)]);
	expect(Object.fromEntries(found)).toEqual(listed[by]);
	const voicemail = { outcome: 'voicemail', status: 'voicemail' };
	expect(outcomeOfCall({ id: 'a', status: 'voicemail', duration: 0 }, 'agentId')).toStrictEqual({
		...voicemail,
		duration: 0,
	});
	expect(outcomeOfCall({ id: 'a', status: 'voicemail' }, 'agentId')).toStrictEqual(voicemail);
});

test('The final kinds are those that end a call of the agent or campaign, its failure included', () => {
	expect(finalEventTypes('agentId')).toEqual([ENDED, NOT_CONNECTED, ERROR]);
	expect(finalEventTypes('campaignId')).toEqual([COMPLETED, FAILED]);
});

test('The outcome of a call is added to its output, and a call without an outcome is unchanged', () => {
	const open = { id: 'a', status: 'initiated' };
	const busy: CallOutcome = { outcome: 'busy', status: 'busy' };
	const message = expect.any(String);
	expect(withOutcome(open, busy)).toEqual({ id: 'a', message, ...busy });
	expect(withOutcome(open, TIMED_OUT)).toEqual({ ...open, message, outcome: 'timedOut' });
	expect(withOutcome(open, undefined)).toBe(open);
});

test.each<[CallEnd, string]>([
	['completed', 'The call was completed.'],
	['voicemail', 'Voicemail answered.'],
	['busy', 'The line was busy.'],
	['noAnswer', 'Nobody answered.'],
	['failed', 'The call failed.'],
	['doNotCall', 'The number is on a do-not-call list of the service, which does not call it.'],
	['cancelled', 'The call was cancelled.'],
	['unknown', 'The call is over, in a word of the service that the node does not know.'],
	['timedOut', 'The call was not over within the time limit, and may continue.'],
])('The message of a call that was %s says so, and no longer that it was placed', (outcome, message) => {
	expect(withOutcome({ id: 'a', message: 'Call placed.' }, { outcome })).toEqual({ id: 'a', outcome, message });
});

test.each([0, '0'])('A completed call with the duration %j does not read as a talk', (duration) => {
	const message = (outcome: CallOutcome) => withOutcome({}, outcome).message;
	const short = 'The call ended after 0 seconds: perhaps nobody was reached.';
	expect(message({ outcome: 'completed', duration })).toBe(short);
	expect(withOutcome({}, { outcome: 'completed', duration })).toMatchObject({ outcome: 'completed', duration });
	for (const outcome of [
		{ outcome: 'completed', duration: 1 },
		{ outcome: 'completed', duration: null },
		{ outcome: 'completed', duration: '' },
		{ outcome: 'busy', duration },
	] as const) {
		expect(message(outcome)).not.toBe(short);
	}
});

test('The hint counts each outcome of a call, in one order, and nothing else', () => {
	const ends = ['busy', 'timedOut', 'completed', 'notCalled', undefined, 'completed'];
	expect(outcomesInWords(ends)).toEqual(['Outcomes: 2 completed, 1 busy, 1 timedOut.']);
	expect(outcomesInWords(['notCalled', undefined])).toEqual([]);
});

test('A table shows first who was called and how it ended, and last what to do', () => {
	const call = { id: 'a', advice: '', code: 'X', message: 'No', payload: {}, to: '+12025550101', result: 'placed' };
	const columns = (json: IDataObject) => Object.keys(withOutcome(json, { outcome: 'busy', status: 'busy' })).join(' ');
	expect(columns({ ...call, context: {}, isTest: true })).toBe(
		'result to outcome context isTest message id payload status code advice',
	);
	expect(columns(call)).toBe('result to outcome payload message id status code advice');
	expect(columns({ id: 'a' })).toBe('outcome message id status');
});

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

const nothing = (): CallFacts => ({ outcomes: new Map(), findings: new Map() });
const call = { item: 0, id: 'call-0', owner: 'agent-1' };
const recorded = { ...call, artifacts: ['recording' as const] };

/** What is known after these events and outcomes. */
function known(...all: object[]): CallFacts {
	const facts = nothing();
	for (const one of all) {
		if ('event' in one && typeof one.event === 'string') {
			addEvent(facts, 'agentId', 0, readEvent(one as never));
		} else {
			addOutcome(facts, 0, one as never);
		}
	}
	return facts;
}

const ended = { event: 'event_phone_call_ended', status: 'completed' };
const recording = (url: string, timestamp?: string) => ({
	event: 'event_recording',
	recording_url: `https://files.example/${url}`,
	...(timestamp !== undefined && { timestamp }),
});
const [early, late] = ['2026-11-21T06:00:01Z', '2026-11-21T06:00:02Z'];

test.each([
	['the later one', [recording('a', early), recording('b', late)], 'b'],
	['the later one, whichever comes first', [recording('b', late), recording('a', early)], 'b'],
	['the one that came last of the same time', [recording('a', early), recording('b', early)], 'b'],
	['the one that came last, if either has no time', [recording('a', early), recording('b')], 'b'],
	['the one that came last, whichever has a time', [recording('a'), recording('b', early)], 'b'],
])('Of two recordings, %s counts', (_what, events, url) => {
	expect(awaitedOutcome(recorded, known(...events))).toMatchObject({ recording: `https://files.example/${url}` });
});

test('Of two recordings in the log of a webhook, which is read backwards, the later one counts, also without a time', () => {
	for (const [newest, older] of [
		[recording('b', late), recording('a', early)],
		[recording('b', early), recording('a', early)],
		[recording('b'), recording('a', early)],
	]) {
		const facts = nothing();
		addEvent(facts, 'agentId', 0, readEvent(newest as never), true);
		addEvent(facts, 'agentId', 0, readEvent(older as never), true);
		expect(awaitedOutcome(recorded, facts)).toMatchObject({ recording: 'https://files.example/b' });
	}
});

test('An outcome that the service lists replaces none that an event has told; an event replaces any', () => {
	const listed = { outcome: 'busy' };
	const told = { ...ended, summary: 'Reached' };
	const outcome = { outcome: 'completed', event: { summary: 'Reached' } };
	expect(awaitedOutcome(call, known(told, listed))).toMatchObject(outcome);
	expect(awaitedOutcome(call, known(listed, told))).toMatchObject(outcome);
	expect(awaitedOutcome(call, known(listed, { outcome: 'failed' }))).toEqual(listed);
});

test.each<[CallEnd, boolean]>([
	['completed', true],
	['voicemail', true],
	['unknown', true],
	['timedOut', true],
	['busy', false],
	['noAnswer', false],
	['failed', false],
	['cancelled', false],
])('After a call that was %s, a recording is missing: %s', (outcome, isMissing) => {
	expect(missingArtifacts(recorded, known({ outcome }))).toEqual(isMissing ? ['recording'] : []);
});

test('Only an event about a machine says that voicemail answered', () => {
	const outcomeAfter = (kind: string) => awaitedOutcome(call, known(ended, { event: kind })).outcome;
	expect(['event_call_started', 'event_voicemail_detected'].map(outcomeAfter)).toEqual(['completed', 'voicemail']);
});

test('No late event is awaited for a call whose end is not known, and none without a time for it', () => {
	const facts = nothing();
	facts.outcomes.set(0, { outcome: 'completed' });
	expect([voicemailUntil({ ...call, voicemailWaitMs: 5000 }, facts), voicemailUntil(call, known(ended))]).toEqual([
		undefined,
		undefined,
	]);
});
