import { readEvent } from '../../../../nodes/shared/deliveries/event.ts';
import {
	type CallOutcome,
	finalKinds,
	outcomeOfCall,
	outcomeOfEvent,
	TIMED_OUT,
	withOutcome,
} from '../../../../nodes/VoiceAgentCalling/waiting/callOutcome.ts';

test.each([
	[{ event: 'event_phone_call_ended', status: 'completed', duration: 30 }, 'completed'],
	[{ event: 'event_phone_call_ended' }, 'completed'],
	[{ event: 'event_phone_call_did_not_connect', status: 'busy', reason: 'busy' }, 'busy'],
	[{ event: 'event_phone_call_did_not_connect', status: 'no-answer' }, 'noAnswer'],
	[{ event: 'event_phone_call_did_not_connect' }, 'noAnswer'],
	[{ event: 'event_phone_call_error', status: 'failed', error: 'disconnected' }, 'failed'],
	[{ event: 'event_phone_call_error' }, 'failed'],
	[{ event: 'campaign_call.completed', status: 'completed', outcome: 'voicemail' }, 'voicemail'],
	[{ event: 'campaign_call.failed', status: 'failed', reason: 'no-answer' }, 'noAnswer'],
	[{ event: 'campaign_call.failed', status: 'failed', reason: 'do_not_call' }, 'failed'],
	[{ event: 'campaign_call.failed', status: 'ended' }, 'failed'],
	[{ event: 'campaign_call.completed', status: 'cancelled' }, 'cancelled'],
	[{ event: 'event_call_report', status: 'completed', outcome: { score: 1 } }, 'completed'],
	[{ event: 'event_phone_call_ended', status: 'canceled' }, 'cancelled'],
	[{ event: 'event_phone_call_ended', status: 'no answer' }, 'noAnswer'],
	[{ event: 'event_phone_call_ended', status: 'NoAnswer' }, 'noAnswer'],
	[{ event: 'event_phone_call_ended', status: 'Failed' }, 'failed'],
	[{ event: 'event_phone_call_ended', status: 'error' }, 'failed'],
	[{ event: 'event_phone_call_ended', status: 'completed', reason: 'BUSY' }, 'busy'],
	[{ event: 'event_phone_call_ended', status: ' Completed ' }, 'completed'],
	[{ event: 'event_phone_call_ended', status: 'answered' }, 'completed'],
	[{ event: 'event_phone_call_ended', status: 'ended' }, 'completed'],
	[{ event: 'event_phone_call_ended', status: 'completed', reason: 'caller hung up' }, 'completed'],
	[{ event: 'event_phone_call_ended', reason: 'caller hung up' }, 'completed'],
	[{ event: 'event_phone_call_ended', status: 'rejected' }, 'unknown'],
	[{ event: 'campaign_call.completed', outcome: 'rejected' }, 'unknown'],
	[{ event: 'event_phone_call_did_not_connect', status: 'completed' }, 'noAnswer'],
	[{ event: 'event_phone_call_did_not_connect', status: 'rejected' }, 'noAnswer'],
	[{ event: 'event_phone_call_error', status: 'completed' }, 'failed'],
	[{ event: 'campaign_call.failed', status: 'completed' }, 'failed'],
])('The event %j has the outcome %s', (event, outcome) => {
	const { status, duration } = event as { status?: string; duration?: number };
	expect(outcomeOfEvent(readEvent(event))).toEqual({
		outcome,
		status,
		...(duration !== undefined && { duration }),
		event,
	});
});

test.each([
	[{ event: 'campaign_call.completed', call: { status: 'no-answer', duration: 7 } }, 'noAnswer', 'no-answer'],
	[{ event: 'event_phone_call_ended', data: { status: 'busy', duration: 7 } }, 'busy', 'busy'],
	[{ event: 'event_phone_call_ended', data: { call: { status: 'busy', duration: 7 } } }, 'busy', 'busy'],
	[
		{ event: 'event_phone_call_ended', status: 'completed', duration: 7, call: { reason: 'busy' } },
		'busy',
		'completed',
	],
	[{ event: 'event_phone_call_ended', duration: 7, data: { status: 'rejected' } }, 'unknown', 'rejected'],
	[{ event: 'event_phone_call_ended', duration: 7, data: { to: '+12025550001' } }, 'completed', undefined],
	[{ event: 'event_phone_call_error', duration: 7, data: { status: 'completed' } }, 'failed', 'completed'],
])('The event %j, which nests what it says, has the outcome %s', (event, outcome, status) => {
	expect(outcomeOfEvent(readEvent(event))).toEqual({ outcome, status, duration: 7, event });
});

test.each([
	['agentId', 'completed', 'completed'],
	['agentId', 'busy', 'busy'],
	['agentId', 'no-answer', 'noAnswer'],
	['agentId', 'no_answer', 'noAnswer'],
	['agentId', 'voicemail', 'voicemail'],
	['agentId', 'Canceled', 'cancelled'],
	['agentId', 'no answer', 'noAnswer'],
	['campaignId', 'canceled', 'cancelled'],
	['campaignId', 'No Answer', undefined],
	['agentId', 'failed', 'failed'],
	['agentId', 'cancelled', 'cancelled'],
	['agentId', 'ringing', undefined],
	['agentId', 'initiated', undefined],
	['agentId', 'answered', undefined],
	['campaignId', 'completed', 'completed'],
	['campaignId', 'failed', 'failed'],
	['campaignId', 'cancelled', 'cancelled'],
	// The next try follows.
	['campaignId', 'busy', undefined],
	['campaignId', 'no-answer', undefined],
	['campaignId', 'scheduled', undefined],
	['campaignId', 'queued', undefined],
] as const)('A call by %s with the status %s has the outcome %s', (callerIdField, status, outcome) => {
	expect(outcomeOfCall({ status, duration: 5 }, callerIdField)?.outcome).toBe(outcome);
});

test('The outcome of a listed call has its status, and its duration if it is known', () => {
	expect(outcomeOfCall({ id: 'a', status: 'no_answer' }, 'agentId')).toStrictEqual({
		outcome: 'noAnswer',
		status: 'no_answer',
	});
	expect(outcomeOfCall({ id: 'a', status: 'voicemail', duration: 0 }, 'agentId')).toStrictEqual({
		outcome: 'voicemail',
		status: 'voicemail',
		duration: 0,
	});
});

test('The outcome of an event has only what the event says', () => {
	const event = { event: 'event_call_report' };
	expect(outcomeOfEvent(readEvent(event))).toStrictEqual({ outcome: 'completed', event });
});

test('The final kinds are those that end a call of the agent or campaign, its failure included', () => {
	expect(finalKinds('agentId')).toEqual([
		'event_phone_call_ended',
		'event_phone_call_did_not_connect',
		'event_phone_call_error',
	]);
	expect(finalKinds('campaignId')).toEqual(['campaign_call.completed', 'campaign_call.failed']);
});

test('The outcome of a call is added to its output, and a call without an outcome is unchanged', () => {
	const busy: CallOutcome = { outcome: 'busy', status: 'busy' };
	expect(withOutcome({ id: 'a', status: 'initiated' }, busy)).toEqual({ id: 'a', ...busy });
	expect(withOutcome({ id: 'a', status: 'initiated' }, TIMED_OUT)).toEqual({
		...{ id: 'a', status: 'initiated' },
		outcome: 'timedOut',
	});
	const open = { id: 'b' };
	expect(withOutcome(open, undefined)).toBe(open);
});
