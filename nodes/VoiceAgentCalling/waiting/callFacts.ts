import type { IDataObject } from 'n8n-workflow';

import type { ServiceEvent } from '../../shared/events/event';
import type { CallerIdField } from '../operation/call';
import { ARTIFACT_BY_EVENT_TYPE, type Artifact, artifactIn, VOICEMAIL_EVENT_TYPES } from './artifacts';
import { type CallOutcome, finalKinds, outcomeOfEvent, TIMED_OUT } from './callOutcome';
import type { AwaitedCall } from './state';

/** An artifact of a call. */
interface Arrived {
	value: IDataObject[string];
	/** When the event happened; undefined if it does not say. */
	at: string | undefined;
}

/** What is known about a call besides its outcome. */
interface Findings {
	/** Whether voicemail answered; undefined if an event may still say so. */
	voicemail?: boolean;
	/** When this process learned that the call was over, in milliseconds since 1970. */
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

/** Whether an event brings an artifact. The service lists none of them with a call. */
export function bringsArtifact({ type }: ServiceEvent): boolean {
	return artifactOf(type) !== undefined;
}

/**
 * Remembers what an event says about a call. An event of another type changes nothing.
 *
 * @param isOlder whether it came before those that are known: the log of a webhook is read from the newest entry on
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
	if (finalKinds(callerIdField).includes(type)) {
		addOutcome(facts, item, outcomeOfEvent(event));
	} else if (artifact !== undefined) {
		const { artifacts } = findingsOf(facts, item);
		const known = artifacts[artifact];
		// A campaign that calls again has a recording of each call: the latest counts.
		if (known === undefined || isLater(at, known.at, isOlder)) {
			artifacts[artifact] = { value: artifactIn(artifact, body), at };
		}
	} else if (VOICEMAIL_EVENT_TYPES.includes(type)) {
		findingsOf(facts, item).voicemail = true;
	}
}

/** Whether an event happened after another one. If their times do not say it, the order in which they came does. */
function isLater(at: string | undefined, other: string | undefined, isOlder: boolean): boolean {
	return at === undefined || other === undefined || at === other ? !isOlder : at > other;
}

/** Remembers how a call ended. An outcome that was read from a listing has no event and replaces none that has one. */
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

/** The artifacts of a call that are still awaited: those that have not arrived, and none of a call that failed. */
export function missingArtifacts({ item, artifacts = [] }: AwaitedCall, { outcomes, findings }: CallFacts): Artifact[] {
	const end = outcomes.get(item)?.outcome ?? 'timedOut';
	const hasSome = ['completed', 'voicemail', 'unknown', 'timedOut'].includes(end);
	return hasSome ? artifacts.filter((artifact) => findings.get(item)?.artifacts[artifact] === undefined) : [];
}

/**
 * Until when a late event may say that voicemail answered a call, in milliseconds since 1970.
 *
 * @returns undefined if that is known, or no event would say it
 */
export function voicemailUntil(
	{ item, voicemailWaitMs }: AwaitedCall,
	{ outcomes, findings }: CallFacts,
): number | undefined {
	const { voicemail, endedAt } = findings.get(item) ?? {};
	const isInDoubt = outcomes.get(item)?.outcome === 'completed' && voicemail === undefined;
	return isInDoubt && voicemailWaitMs !== undefined && endedAt !== undefined ? endedAt + voicemailWaitMs : undefined;
}

/** Remembers that no event has said in time that voicemail answered a call. */
export function settleVoicemail(facts: CallFacts, { item }: AwaitedCall): void {
	findingsOf(facts, item).voicemail ??= false;
}

/**
 * What is added to the output of a call: its outcome, and each artifact that was awaited, null if it did not arrive.
 * `missing` lists those that are still missing.
 */
export function awaitedOutcome(call: AwaitedCall, facts: CallFacts): CallOutcome & { missing?: Artifact[] } {
	const { artifacts: awaited = [] } = call;
	const known = facts.outcomes.get(call.item) ?? TIMED_OUT;
	const { voicemail, artifacts = {} } = facts.findings.get(call.item) ?? {};
	const outcome: CallOutcome = known.outcome === 'completed' && voicemail ? { ...known, outcome: 'voicemail' } : known;
	if (awaited.length === 0) {
		return outcome;
	}
	const values = Object.fromEntries(awaited.map((artifact) => [artifact, artifacts[artifact]?.value ?? null]));
	return { ...outcome, ...values, missing: missingArtifacts(call, facts) };
}
