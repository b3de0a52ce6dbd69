import type { IDataObject } from 'n8n-workflow';

import { type Operation } from '../operation/operation';

/** What a waiting operation can wait for. */
export type WaitFor = 'end' | 'report' | 'transcript' | 'recording';

/**
 * The kinds of event that end the wait for a call. The kinds inside a campaign's call do not: the service may call again.
 * A call that failed brings no report, transcript or recording.
 */
export function finalKinds(calledBy: Operation['calledBy'], waitFor: WaitFor = 'end'): string[] {
	if (calledBy === 'agentId') {
		return ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
	}
	const brought: Record<WaitFor, string> = {
		end: 'campaign_call.completed',
		report: 'event_call_report',
		transcript: 'event_call_transcript',
		recording: 'event_recording',
	};
	return [brought[waitFor], 'campaign_call.failed'];
}

/** What became of a call, in one word; `timedOut` only where the node itself looked for it. */
export type Outcome = 'completed' | 'voicemail' | 'busy' | 'noAnswer' | 'failed' | 'cancelled' | 'timedOut';

/** What is added to a call that was waited for. */
export interface CallOutcome extends IDataObject {
	outcome: Outcome;
	status?: IDataObject[string];
	duration?: IDataObject[string];
	/** The event that told it, where an event did. */
	event?: IDataObject;
}

/** The words of the service, which writes some of them in more than one way ("States and transitions"). */
const WORDS: ReadonlyMap<unknown, Outcome> = new Map([
	['completed', 'completed'],
	['voicemail', 'voicemail'],
	['busy', 'busy'],
	['no-answer', 'noAnswer'],
	['no_answer', 'noAnswer'],
	['failed', 'failed'],
	['cancelled', 'cancelled'],
]);

/** Where an event says nothing more exact: what its kind says. */
const KINDS: ReadonlyMap<unknown, Outcome> = new Map([
	['event_phone_call_did_not_connect', 'noAnswer'],
	['event_phone_call_error', 'failed'],
	['campaign_call.failed', 'failed'],
]);

/** What became of a call, by a final event of it. */
export function outcomeOfEvent(event: IDataObject): CallOutcome {
	const { outcome, reason, status, duration } = event;
	const word = [outcome, reason, status].map((told) => WORDS.get(told)).find((known) => known !== undefined);
	return {
		outcome: word ?? KINDS.get(event.event) ?? 'completed',
		...(status !== undefined && { status }),
		...(duration !== undefined && { duration }),
		event,
	};
}

/** What became of a call as the service lists it; undefined: it is not over. */
export function outcomeOfCall(call: IDataObject, calledBy: Operation['calledBy']): CallOutcome | undefined {
	const { status, duration } = call;
	// Between two tries a campaign's call is not over, however the first one went.
	const isOver =
		calledBy === 'agentId' ? WORDS.has(status) : ['completed', 'failed', 'cancelled'].includes(String(status));
	const outcome = WORDS.get(status);
	if (!isOver || outcome === undefined) {
		return undefined;
	}
	return { outcome, status, ...(duration !== undefined && { duration }) };
}

/**
 * Adds to what was placed what became of it; an item whose number an earlier one has called gets that call's outcome.
 *
 * @param found by item
 */
export function withOutcome<Call extends object>(
	call: Call,
	item: number,
	found: ReadonlyMap<number, CallOutcome>,
): Call {
	const { sameNumberAsItem } = call as { sameNumberAsItem?: unknown };
	const outcome = found.get(typeof sameNumberAsItem === 'number' ? sameNumberAsItem : item);
	return outcome ? { ...call, ...outcome } : call;
}
