import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../operation/operation';
import { ARTIFACT_KINDS, type Arrived, type Artifact, artifactIn, type Findings, VOICEMAIL_KINDS } from './artifacts';
import { type CallOutcome, finalKinds, outcomeOfEvent, TIMED_OUT } from './callOutcome';
import type { AwaitedCall, WaitProgress } from './state';

/** What is known about the calls of a wait. */
type Known = Pick<WaitProgress, 'outcomes' | 'findings'>;

/** Remembers what an event says about a call. An event of another kind changes nothing. */
export function addEvent(progress: Known, calledBy: Operation['calledBy'], item: number, event: IDataObject): void {
	const kind = String(event.event);
	if (finalKinds(calledBy).includes(kind)) {
		addNews(progress, { item, outcome: outcomeOfEvent(event) });
		return;
	}
	const artifact = (Object.keys(ARTIFACT_KINDS) as Artifact[]).find((each) => ARTIFACT_KINDS[each] === kind);
	if (artifact !== undefined) {
		const arrived = { value: artifactIn(artifact, event), at: String(event.timestamp ?? '') };
		addNews(progress, { item, artifacts: { [artifact]: arrived } });
	} else if (VOICEMAIL_KINDS.includes(kind)) {
		addNews(progress, { item, voicemail: true });
	}
}

/** What a process, or the service, knows about a call. */
export interface News {
	item: number;
	outcome?: CallOutcome;
	voicemail?: true;
	artifacts?: Findings['artifacts'];
}

/**
 * Adds news to what this process knows about a call. Of two artifacts of a kind the later one counts: a campaign that
 * calls again has a recording of each call.
 */
export function addNews({ outcomes, findings }: Known, { item, outcome, voicemail, artifacts = {} }: News): void {
	const known: Findings = findings.get(item) ?? { artifacts: {} };
	findings.set(item, known);
	if (outcome !== undefined) {
		// An outcome that was read from a listing has no event.
		outcomes.set(item, outcome.event === undefined ? (outcomes.get(item) ?? outcome) : outcome);
		known.endedAt ??= Date.now();
	}
	known.voicemail ??= voicemail;
	for (const [artifact, arrived] of Object.entries(artifacts) as Array<[Artifact, Arrived]>) {
		const earlier = known.artifacts[artifact];
		if (earlier === undefined || earlier.at <= arrived.at) {
			known.artifacts[artifact] = arrived;
		}
	}
}

/** The artifacts of a call that are still awaited: those that have not arrived, and none of a call that failed. */
export function missingArtifacts({ item, artifacts = [] }: AwaitedCall, { outcomes, findings }: Known): Artifact[] {
	const end = outcomes.get(item)?.outcome ?? 'timedOut';
	const hasSome = ['completed', 'voicemail', 'unknown', 'timedOut'].includes(end);
	return hasSome ? artifacts.filter((artifact) => findings.get(item)?.artifacts[artifact] === undefined) : [];
}

/** Whether a call is not over, or an artifact of it has not arrived. */
export function isAwaited(call: AwaitedCall, progress: Known): boolean {
	return !progress.outcomes.has(call.item) || missingArtifacts(call, progress).length > 0;
}

/**
 * Until when a late event may say that a machine took a call, in milliseconds since 1970.
 *
 * @returns undefined if that is known, or no event would say it
 */
export function voicemailUntil({ item, graceMs }: AwaitedCall, { outcomes, findings }: Known): number | undefined {
	const { voicemail, endedAt } = findings.get(item) ?? {};
	const isInDoubt = outcomes.get(item)?.outcome === 'completed' && voicemail === undefined;
	return isInDoubt && graceMs !== undefined && endedAt !== undefined ? endedAt + graceMs : undefined;
}

/**
 * What is added to the output of a call: its outcome, and each artifact that was awaited, null if it did not arrive.
 * `missing` lists those that are still missing.
 */
export function awaitedOutcome(call: AwaitedCall, progress: Known): CallOutcome & { missing?: Artifact[] } {
	const { artifacts: awaited = [] } = call;
	const known = progress.outcomes.get(call.item) ?? TIMED_OUT;
	const { voicemail, artifacts = {} } = progress.findings.get(call.item) ?? {};
	const outcome: CallOutcome = known.outcome === 'completed' && voicemail ? { ...known, outcome: 'voicemail' } : known;
	if (awaited.length === 0) {
		return outcome;
	}
	const values = Object.fromEntries(awaited.map((artifact) => [artifact, artifacts[artifact]?.value ?? null]));
	return { ...outcome, ...values, missing: missingArtifacts(call, progress) };
}
