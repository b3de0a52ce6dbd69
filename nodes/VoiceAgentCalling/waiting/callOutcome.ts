import type { IDataObject } from 'n8n-workflow';

import { levelsOf, type ServiceEvent, valuesIn } from '../../shared/events/event';
import type { CallerIdField } from '../operation/call';

/**
 * The event types that say how a call ended. The events of a single try do not end the wait for a campaign's call:
 * the service may call again.
 */
export function finalKinds(callerIdField: CallerIdField): string[] {
	return callerIdField === 'agentId'
		? ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error']
		: ['campaign_call.completed', 'campaign_call.failed'];
}

/**
 * How a call ended; `unknown` if its event has a word that is not known, and `timedOut` if it was not known to be over
 * when the time was up.
 */
export type CallEnd = 'completed' | 'voicemail' | 'busy' | 'noAnswer' | 'failed' | 'cancelled' | 'unknown' | 'timedOut';

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

/** By the words of the service, which has several spellings of some; see {@link endOf}. */
const ENDS_BY_WORD: ReadonlyMap<string, CallEnd> = new Map([
	['completed', 'completed'],
	['voicemail', 'voicemail'],
	['busy', 'busy'],
	['noanswer', 'noAnswer'],
	['failed', 'failed'],
	['error', 'failed'],
	['cancelled', 'cancelled'],
	['canceled', 'cancelled'],
]);

/** The end that a word of the service says, in any spelling: `no-answer`, `No Answer`. */
function endOf(word: unknown): CallEnd | undefined {
	return ENDS_BY_WORD.get(
		String(word)
			.toLowerCase()
			.replace(/[\s_-]/g, ''),
	);
}

/** By the type of an event, whatever else it says. */
const ENDS_BY_KIND: ReadonlyMap<unknown, CallEnd> = new Map([
	['event_phone_call_did_not_connect', 'noAnswer'],
	['event_phone_call_error', 'failed'],
	['campaign_call.failed', 'failed'],
]);

/** The outcome of a call, from its final event. Where an event says it is not published. */
export function outcomeOfEvent({ type, body }: ServiceEvent): CallOutcome {
	const said = (...names: string[]) => valuesIn(levelsOf(body), ...names);
	const [[status], [duration]] = [said('status'), said('duration')];
	const ends = said('outcome', 'reason', 'status')
		.map(endOf)
		.filter((end) => end !== undefined);
	// A reason is any text; these words say no more than the type of the event.
	const isUnclear = said('outcome', 'status').some(
		(word) => typeof word === 'string' && !/^\s*(answered|ended)?\s*$/i.test(word),
	);
	return {
		outcome:
			ends.find((end) => end !== 'completed') ??
			ENDS_BY_KIND.get(type) ??
			ends[0] ??
			(isUnclear ? 'unknown' : 'completed'),
		...(status !== undefined && { status }),
		...(duration !== undefined && { duration }),
		event: body,
	};
}

/** The outcome of a call as the service lists it; undefined if it is not over. */
export function outcomeOfCall(call: IDataObject, callerIdField: CallerIdField): CallOutcome | undefined {
	const { status, duration } = call;
	const outcome = endOf(status);
	// `busy` and `no-answer` are the end of one try of a campaign's call: the next try follows.
	if (
		outcome === undefined ||
		(callerIdField !== 'agentId' && !['completed', 'failed', 'cancelled'].includes(outcome))
	) {
		return undefined;
	}
	return { outcome, status, ...(duration !== undefined && { duration }) };
}

/** Adds the outcome, if there is one, to the output of a placed call: in a table it follows what went wrong. */
export function withOutcome(call: IDataObject, outcome: CallOutcome | undefined): IDataObject {
	if (outcome === undefined) {
		return call;
	}
	const all = { ...call, ...outcome };
	const first = ['result', 'outcome', 'to', 'message', 'code'].filter((name) => name in all);
	return { ...Object.fromEntries(first.map((name) => [name, all[name]])), ...all };
}
