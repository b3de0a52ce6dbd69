import type { IDataObject } from 'n8n-workflow';

import { type CallEnd, endOf } from '../../shared/client/statuses';
import { levelsOf, type ServiceEvent, valuesIn } from '../../shared/events/event';
import { enteredNumber } from '../../shared/lib/text';
import { CALLER_IDS, type CallerIdField } from '../operation/call';
import { inColumnOrder } from '../operation/items';
import type { Artifact, AwaitedCall } from './wait';

/**
 * Returns the event types that report the end of a call. The events of a single attempt do not end the wait for a
 * campaign's call: the service may call again.
 */
export function finalEventTypes(callerIdField: CallerIdField): string[] {
	return callerIdField === 'agentId'
		? ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error']
		: ['campaign_call.completed', 'campaign_call.failed'];
}

/** The fields that are added to the output of an awaited call. */
export interface CallOutcome extends IDataObject {
	outcome: CallEnd;
	status?: IDataObject[string];
	duration?: IDataObject[string];
	/** The final event, in the output only its fields that do not describe the call; missing if the outcome was polled. */
	event?: IDataObject;
}

/** The outcome of a call that was not known to be over at the time limit. */
export const TIMED_OUT: CallOutcome = { outcome: 'timedOut' };

/** The outcome of a call whose campaign does not exist any more. The call may have been over before. */
export const DELETED: CallOutcome = { outcome: 'unknown', status: 'deleted' };

/** The ends that follow from the type of an event alone. */
const ENDS_BY_EVENT_TYPE: ReadonlyMap<unknown, CallEnd> = new Map([
	['event_phone_call_did_not_connect', 'noAnswer'],
	['event_phone_call_error', 'failed'],
	['campaign_call.failed', 'failed'],
]);

/** Returns the outcome of a call from its final event. The service does not publish which field has it. */
export function outcomeOfEvent({ type, body }: ServiceEvent): CallOutcome {
	const valuesOf = (...names: string[]) => valuesIn(levelsOf(body), ...names);
	const [[status], [duration]] = [valuesOf('status'), valuesOf('duration')];
	const named = valuesOf('outcome', 'reason', 'status')
		.map(endOf)
		.filter((end) => end !== undefined);
	// In a call that took place, a person can ask not to be called again.
	const tookPlace = !ENDS_BY_EVENT_TYPE.has(type) || named.includes('completed') || Number(duration) > 0;
	const ends = named.filter((end) => end !== 'doNotCall' || !tookPlace);
	// A reason can be any text. The words below add nothing to the type of the event.
	const isUnclear = valuesOf('outcome', 'status').some(
		(word) => typeof word === 'string' && !/^\s*(answered|ended)?\s*$/i.test(word),
	);
	return {
		outcome:
			ends.find((end) => end === 'doNotCall') ??
			ends.find((end) => end !== 'completed') ??
			ENDS_BY_EVENT_TYPE.get(type) ??
			ends[0] ??
			(isUnclear ? 'unknown' : 'completed'),
		...(status !== undefined && { status }),
		...(duration !== undefined && { duration }),
		event: body,
	};
}

/** Returns the outcome of a call as the service lists it; undefined if the call is not over. */
export function outcomeOfCall(call: IDataObject, callerIdField: CallerIdField): CallOutcome | undefined {
	const { status, duration } = call;
	const outcome = endOf(status);
	// For a campaign's call, `busy` and `no-answer` are the result of one attempt: the next attempt follows.
	if (
		outcome === undefined ||
		(callerIdField !== 'agentId' && !['completed', 'failed', 'doNotCall', 'cancelled'].includes(outcome))
	) {
		return undefined;
	}
	return { outcome, status, ...(duration !== undefined && { duration }) };
}

/** Adds an outcome, if any, to the output of a placed call. */
export function withOutcome(call: IDataObject, outcome: CallOutcome | undefined): IDataObject {
	return outcome === undefined ? call : inColumnOrder({ ...call, message: messageOf(call, outcome), ...outcome });
}

/** Returns the message of the output. A call that was ended while it rang is completed, too, after 0 seconds. */
function messageOf(call: IDataObject, { outcome, status, duration, event }: CallOutcome): string {
	if (outcome === DELETED.outcome && status === DELETED.status) {
		return 'The campaign does not exist any more, so nobody can tell how the call ended.';
	}
	if (outcome === 'failed' && event === undefined && call[CALLER_IDS.campaignId] !== undefined) {
		return 'The call failed, or its number is on a do-not-call list of the service: polling cannot tell.';
	}
	return outcome === 'completed' && enteredNumber(duration) === 0
		? 'The call ended after 0 seconds: perhaps nobody was reached.'
		: MESSAGES[outcome];
}

/** The messages of the output by outcome. */
const MESSAGES: Readonly<Record<CallEnd, string>> = {
	completed: 'The call was completed.',
	voicemail: 'Voicemail answered.',
	busy: 'The line was busy.',
	noAnswer: 'Nobody answered.',
	failed: 'The call failed.',
	doNotCall: 'The number is on a do-not-call list of the service, which does not call it.',
	cancelled: 'The call was cancelled.',
	unknown: 'The call is over, in a word of the service that the node does not know.',
	timedOut: 'The call was not over within the time limit, and may continue.',
};

/** Returns the hint with the number of calls for each outcome, such as "Outcomes: 2 completed, 1 busy."; none without. */
export function outcomesInWords(outcomes: readonly unknown[]): string[] {
	const counts = (Object.keys(MESSAGES) as CallEnd[]).flatMap((end) => {
		const count = outcomes.filter((one) => one === end).length;
		return count === 0 ? [] : [`${count} ${end}`];
	});
	return counts.length === 0 ? [] : [`Outcomes: ${counts.join(', ')}.`];
}

/** The event types that have the artifacts. */
const ARTIFACT_BY_EVENT_TYPE: Record<Artifact, string> = {
	report: 'event_call_report',
	transcript: 'event_call_transcript',
	recording: 'event_recording',
};

/** The event types that report voicemail. Only the webhooks of agents have them. */
export const VOICEMAIL_EVENT_TYPES = ['event_voicemail_detected', 'event_voicemail_message_left'];

/** Returns the event types without which a wait could not end. */
export function requiredEventTypes(callerIdField: CallerIdField, artifacts: readonly Artifact[] = []): string[] {
	return [...finalEventTypes(callerIdField), ...artifacts.map((artifact) => ARTIFACT_BY_EVENT_TYPE[artifact])];
}

/** Returns the event types that are sent to the waiting execution. */
export function awaitedEventTypes(callerIdField: CallerIdField, artifacts: readonly Artifact[] = []): string[] {
	return [
		...requiredEventTypes(callerIdField, artifacts),
		...(callerIdField === 'agentId' ? VOICEMAIL_EVENT_TYPES : []),
	];
}

/** The fields of an event that describe the call, and not its artifact. */
const ENVELOPE = new Set([
	'event',
	'id',
	'timestamp',
	'webhook_id',
	'webhook_name',
	'agent_id',
	'agent_name',
	'campaign_id',
	'campaign_name',
	'call_id',
	'to',
	'from',
	'status',
	'retries',
	'duration',
	'is_testing',
	'context',
	'test',
	'type',
	'event_type',
	'data',
	'payload',
	'call',
	'campaign_call',
]);

/** Returns the fields of an event that do not describe the call. */
function ownFields(event: IDataObject): IDataObject {
	const fields = levelsOf(event)
		.toReversed()
		.flatMap(Object.entries<IDataObject[string]>);
	return Object.fromEntries(fields.filter(([key]) => !ENVELOPE.has(key)));
}

/**
 * Returns the artifact in an event: the field that is named after it, the URL of a recording, or otherwise all fields
 * that do not describe the call. The service does not publish the bodies of its events.
 */
export function artifactIn(artifact: Artifact, event: IDataObject): IDataObject[string] {
	const own = ownFields(event);
	if (artifact !== 'recording') {
		return own[artifact] ?? own[`call_${artifact}`] ?? own;
	}
	const isUrl = (value: unknown) => typeof value === 'string' && /^https?:\/\//i.test(value);
	return [own.recording_url, own.recording, own.url, ...Object.values(own)].find(isUrl) ?? own.recording ?? own;
}

/** An artifact that has arrived. */
interface Arrived {
	value: IDataObject[string];
	/** The time in the event; undefined if it has none. */
	at: string | undefined;
}

/** What is known about a call besides its outcome. */
interface Findings {
	/** Whether voicemail answered; undefined while an event may still report it. */
	voicemail?: boolean;
	/** When this process received the end of the call, in milliseconds since 1970. */
	endedAt?: number;
	artifacts: Partial<Record<Artifact, Arrived>>;
}

/** What is known about the calls of a wait, by item. */
export interface CallFacts {
	outcomes: Map<number, CallOutcome>;
	findings: Map<number, Findings>;
}

const artifactOf = (type: unknown) =>
	(Object.keys(ARTIFACT_BY_EVENT_TYPE) as Artifact[]).find((artifact) => ARTIFACT_BY_EVENT_TYPE[artifact] === type);

/** Whether an event has an artifact. The service does not list artifacts with a call. */
export function hasArtifact({ type }: ServiceEvent): boolean {
	return artifactOf(type) !== undefined;
}

/**
 * Adds what an event reports about a call. Events of other types are ignored.
 *
 * @param isOlder whether it arrived before the known events: the log of a webhook is read from the newest entry on
 */
export function addEvent(
	facts: CallFacts,
	callerIdField: CallerIdField,
	item: number,
	event: ServiceEvent,
	isOlder = false,
): void {
	const { type, at, body } = event;
	const artifact = artifactOf(type);
	if (finalEventTypes(callerIdField).includes(type)) {
		addOutcome(facts, item, outcomeOfEvent(event));
	} else if (artifact !== undefined) {
		const { artifacts } = findingsOf(facts, item);
		const known = artifacts[artifact];
		// A campaign that calls again has a recording of each attempt: the latest counts.
		if (known === undefined || isLater(at, known.at, isOlder)) {
			artifacts[artifact] = { value: artifactIn(artifact, body), at };
		}
	} else if (VOICEMAIL_EVENT_TYPES.includes(type)) {
		findingsOf(facts, item).voicemail = true;
	}
}

/** Whether an event happened after another. If their times do not decide it, their order of arrival does. */
function isLater(at: string | undefined, other: string | undefined, isOlder: boolean): boolean {
	return at === undefined || other === undefined || at === other ? !isOlder : at > other;
}

/** Adds the outcome of a call. An outcome from a listing, without an event, does not replace one with an event. */
export function addOutcome(facts: CallFacts, item: number, outcome: CallOutcome): void {
	if (outcome.event !== undefined || !facts.outcomes.has(item)) {
		facts.outcomes.set(item, outcome);
	}
	findingsOf(facts, item).endedAt ??= Date.now();
}

function findingsOf({ findings }: CallFacts, item: number): Findings {
	const found = findings.get(item) ?? { artifacts: {} };
	findings.set(item, found);
	return found;
}

/** Returns the artifacts that are awaited and have not arrived. A call that failed has no artifacts. */
export function missingArtifacts({ item, artifacts = [] }: AwaitedCall, { outcomes, findings }: CallFacts): Artifact[] {
	const end = outcomes.get(item)?.outcome ?? 'timedOut';
	const mayHaveArtifacts = ['completed', 'voicemail', 'unknown', 'timedOut'].includes(end);
	return mayHaveArtifacts ? artifacts.filter((artifact) => findings.get(item)?.artifacts[artifact] === undefined) : [];
}

/**
 * Returns until when a late event may report voicemail for a call, in milliseconds since 1970.
 *
 * @returns undefined if it is known whether voicemail answered, or no event would report it
 */
export function voicemailUntil(
	{ item, voicemailWaitMs }: AwaitedCall,
	{ outcomes, findings }: CallFacts,
): number | undefined {
	const { voicemail, endedAt } = findings.get(item) ?? {};
	const isInDoubt = outcomes.get(item)?.outcome === 'completed' && voicemail === undefined;
	return isInDoubt && voicemailWaitMs !== undefined && endedAt !== undefined ? endedAt + voicemailWaitMs : undefined;
}

/** Records that no event has reported voicemail in time. */
export function settleVoicemail(facts: CallFacts, { item }: AwaitedCall): void {
	findingsOf(facts, item).voicemail ??= false;
}

/**
 * Returns the fields that are added to the output of a call: its outcome, what the final event adds to it, and each
 * awaited artifact, null if it did not arrive. `missing` lists the artifacts that may still arrive.
 */
export function awaitedOutcome(call: AwaitedCall, facts: CallFacts): CallOutcome & { missing?: Artifact[] } {
	const { artifacts: awaited = [] } = call;
	const { event, ...known } = facts.outcomes.get(call.item) ?? TIMED_OUT;
	const { voicemail, artifacts = {} } = facts.findings.get(call.item) ?? {};
	const own = event === undefined ? {} : ownFields(event);
	const outcome: CallOutcome = {
		...known,
		...(known.outcome === 'completed' && voicemail && { outcome: 'voicemail' }),
		...(Object.keys(own).length > 0 && { event: own }),
	};
	if (awaited.length === 0) {
		return outcome;
	}
	const values = Object.fromEntries(awaited.map((artifact) => [artifact, artifacts[artifact]?.value ?? null]));
	return { ...outcome, ...values, missing: missingArtifacts(call, facts) };
}
