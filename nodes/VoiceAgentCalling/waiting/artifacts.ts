import type { IDataObject } from 'n8n-workflow';

import { levelsOf } from '../../shared/events/event';
import type { CallerIdField } from '../operation/call';
import { finalKinds } from './callOutcome';

/** What a call brings besides its outcome, each with an event of its own. */
export type Artifact = 'report' | 'transcript' | 'recording';

/** The event types that bring them. */
export const ARTIFACT_BY_EVENT_TYPE: Record<Artifact, string> = {
	report: 'event_call_report',
	transcript: 'event_call_transcript',
	recording: 'event_recording',
};

/** The event types that say that voicemail answered. Only the webhooks of agents have them. */
export const VOICEMAIL_EVENT_TYPES = ['event_voicemail_detected', 'event_voicemail_message_left'];

/** The event types without which a wait could not end. */
export function requiredEventTypes(callerIdField: CallerIdField, artifacts: readonly Artifact[] = []): string[] {
	return [...finalKinds(callerIdField), ...artifacts.map((artifact) => ARTIFACT_BY_EVENT_TYPE[artifact])];
}

/** The event types that are handed over to the waiting execution. */
export function awaitedEventTypes(callerIdField: CallerIdField, artifacts: readonly Artifact[] = []): string[] {
	return [
		...requiredEventTypes(callerIdField, artifacts),
		...(callerIdField === 'agentId' ? VOICEMAIL_EVENT_TYPES : []),
	];
}

/** The fields of an event that say which call it belongs to, and not what the call brought. */
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

/**
 * The artifact in an event: the field that is named after it, of a recording the URL, otherwise all fields that do not
 * describe the call. The service does not publish the bodies of its events.
 */
export function artifactIn(artifact: Artifact, event: IDataObject): IDataObject[string] {
	const fields = levelsOf(event)
		.toReversed()
		.flatMap(Object.entries<IDataObject[string]>);
	const own: IDataObject = Object.fromEntries(fields.filter(([key]) => !ENVELOPE.has(key)));
	if (artifact !== 'recording') {
		return own[artifact] ?? own[`call_${artifact}`] ?? own;
	}
	const isUrl = (value: unknown) => typeof value === 'string' && /^https?:\/\//i.test(value);
	return [own.recording_url, own.recording, own.url, ...Object.values(own)].find(isUrl) ?? own.recording ?? own;
}
