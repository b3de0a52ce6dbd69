import { readEvent } from '../../../../nodes/shared/events/event.ts';
import {
	type CallOutcome,
	finalKinds,
	outcomeOfCall,
	outcomeOfEvent,
	TIMED_OUT,
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
	[FAILED, 'failed', [{ status: 'failed', reason: 'do_not_call' }, { status: 'ended' }, { status: 'completed' }]],
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
	[{ event: ENDED, data: { status: 'busy', duration } }, 'busy', 'busy'],
	[{ event: ENDED, data: { call: { status: 'busy', duration } } }, 'busy', 'busy'],
	[{ event: ENDED, status: 'completed', duration, call: { reason: 'busy' } }, 'busy', 'completed'],
	[{ event: ENDED, duration, data: { status: 'rejected' } }, 'unknown', 'rejected'],
	[{ event: ENDED, duration, data: { to: '+12025550001' } }, 'completed', undefined],
	[{ event: ERROR, duration, data: { status: 'completed' } }, 'failed', 'completed'],
])('The event %j, which nests what it says, has the outcome %s', (event, outcome, status) => {
	expect(outcomeOfEvent(readEvent(event))).toEqual({ outcome, status, duration, event });
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
	expect(finalKinds('agentId')).toEqual([ENDED, NOT_CONNECTED, ERROR]);
	expect(finalKinds('campaignId')).toEqual([COMPLETED, FAILED]);
});

test('The outcome of a call is added to its output, and a call without an outcome is unchanged', () => {
	const open = { id: 'a', status: 'initiated' };
	const busy: CallOutcome = { outcome: 'busy', status: 'busy' };
	expect(withOutcome(open, busy)).toEqual({ id: 'a', ...busy });
	expect(withOutcome(open, TIMED_OUT)).toEqual({ ...open, outcome: 'timedOut' });
	expect(withOutcome(open, undefined)).toBe(open);
	const call = { id: 'a', code: 'X', message: 'No', to: '+12025550101', result: 'placed' };
	expect(Object.entries(withOutcome(call, busy))).toEqual([
		['result', 'placed'],
		['outcome', 'busy'],
		['to', '+12025550101'],
		['message', 'No'],
		['code', 'X'],
		['id', 'a'],
		['status', 'busy'],
	]);
	expect(Object.keys(withOutcome(open, busy))).toEqual(['outcome', 'id', 'status']);
});
