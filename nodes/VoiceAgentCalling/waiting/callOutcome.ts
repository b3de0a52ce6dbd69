import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../operation/operation';

/**
 * The kinds of event that say how a call ended. The events of a single try do not end the wait for a campaign's call:
 * the service may call again.
 */
export function finalKinds(calledBy: Operation['calledBy']): string[] {
	return calledBy === 'agentId'
		? ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error']
		: ['campaign_call.completed', 'campaign_call.failed'];
}

/** How a call ended; `timedOut` if it was not known to be over when the time was up. */
export type CallEnd = 'completed' | 'voicemail' | 'busy' | 'noAnswer' | 'failed' | 'cancelled' | 'timedOut';

/** What is added to the output of a call that was awaited. */
export interface CallOutcome extends IDataObject {
	outcome: CallEnd;
	status?: IDataObject[string];
	duration?: IDataObject[string];
	/** The final event, unless the outcome was polled. */
	event?: IDataObject;
}

/** The outcome of a call that was not known to be over when the time was up. */
export const TIMED_OUT: CallOutcome = { outcome: 'timedOut' };

/** By the words of the service, which has two spellings of some. */
const ENDS_BY_WORD: ReadonlyMap<unknown, CallEnd> = new Map([
	['completed', 'completed'],
	['voicemail', 'voicemail'],
	['busy', 'busy'],
	['no-answer', 'noAnswer'],
	['no_answer', 'noAnswer'],
	['failed', 'failed'],
	['cancelled', 'cancelled'],
]);

/** By the kind of an event that has none of these words. */
const ENDS_BY_KIND: ReadonlyMap<unknown, CallEnd> = new Map([
	['event_phone_call_did_not_connect', 'noAnswer'],
	['event_phone_call_error', 'failed'],
	['campaign_call.failed', 'failed'],
]);

/** The outcome of a call, from its final event. */
export function outcomeOfEvent(event: IDataObject): CallOutcome {
	const { outcome, reason, status, duration } = event;
	const end = [outcome, reason, status].map((word) => ENDS_BY_WORD.get(word)).find((known) => known !== undefined);
	return {
		outcome: end ?? ENDS_BY_KIND.get(event.event) ?? 'completed',
		...(status !== undefined && { status }),
		...(duration !== undefined && { duration }),
		event,
	};
}

/** The outcome of a call as the service lists it; undefined if it is not over. */
export function outcomeOfCall(call: IDataObject, calledBy: Operation['calledBy']): CallOutcome | undefined {
	const { status, duration } = call;
	// `busy` and `no-answer` are the end of one try of a campaign's call: the next try follows.
	const isOver =
		calledBy === 'agentId' ? ENDS_BY_WORD.has(status) : ['completed', 'failed', 'cancelled'].includes(String(status));
	const outcome = ENDS_BY_WORD.get(status);
	if (!isOver || outcome === undefined) {
		return undefined;
	}
	return { outcome, status, ...(duration !== undefined && { duration }) };
}

/** Adds the outcome, if there is one, to the output of a placed call. */
export function withOutcome<Call extends object>(call: Call, outcome: CallOutcome | undefined): Call {
	return outcome ? { ...call, ...outcome } : call;
}
