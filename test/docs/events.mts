import { agentEvents, campaignEvents } from '../../nodes/shared/events/eventTypes.ts';
import { withGenerated } from './generated.mts';
import { table } from './markdown.mts';

const PAGE = 'docs/reference/events.md';

/** A delivered event. */
export type Sample = Record<string, unknown>;

/** Samples by event type, for each type of webhook. */
export interface Samples {
	campaign: Map<string, Sample>;
	agent: Map<string, Sample>;
}

/** What an event type ends, for calls of an agent and calls of a campaign. */
export const FINAL = {
	agent: {
		event_phone_call_ended: 'the call',
		event_phone_call_did_not_connect: 'the call',
		event_phone_call_error: 'the call',
		event_recording: 'the wait for the recording',
		event_voicemail_detected: 'nothing: makes the outcome `voicemail`',
		event_voicemail_message_left: 'nothing: makes the outcome `voicemail`',
	},
	campaign: {
		'campaign_call.completed': 'the call',
		'campaign_call.failed': 'the call, with no report, transcript or recording',
		event_call_report: 'the wait for the report',
		event_call_transcript: 'the wait for the transcript',
		event_recording: 'the wait for the recording',
	},
} satisfies Record<keyof Samples, Record<string, string>>;

const events = { campaign: campaignEvents, agent: agentEvents };

/** The event that the page shows in full. */
const BASE = 'campaign_call.completed';

/** The fields of every event, those of the campaign for its webhook, and those of every event of a call. */
const OF_ALL = ['event', 'id', 'timestamp', 'webhook_id'];
const OF_CAMPAIGN = ['campaign_id', 'campaign_name'];
const OF_CALL = ['agent_id', 'agent_name', 'call_id', 'to', 'retries', 'duration', 'is_testing', 'context'];

/** The fields of an event that those of the page's example do not tell, as JSON. */
function ownFields(webhook: keyof Samples, kind: string, sample: Sample): string {
	const isOfCall = !kind.startsWith('campaign.');
	const shared = [...OF_ALL, ...(webhook === 'campaign' ? OF_CAMPAIGN : []), ...(isOfCall ? OF_CALL : [])];
	const missing = shared.filter((name) => !(name in sample));
	if (missing.length > 0) {
		throw new Error(`${kind} to the webhook of a ${webhook} lacks ${missing.join(', ')}, which the page says it has`);
	}
	const own = Object.entries(sample).filter(([name]) => !shared.includes(name));
	return own.map(([name, value]) => `\`"${name}": ${JSON.stringify(value)}\``).join('<br/>');
}

/** What an event type means, as a sentence. */
function meaningOf(description: string): string {
	const [, what = ''] = description.split(': ');
	return `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
}

function kindTable(webhook: keyof Samples, samples: Samples): string {
	const final: Record<string, string> = FINAL[webhook];
	const rows = events[webhook].map(({ name, value, description = '' }) => {
		const kind = String(value);
		const sample = samples[webhook].get(kind);
		if (sample === undefined) {
			throw new Error(`There is no sample of ${kind} for the webhook of a ${webhook}`);
		}
		const own = ownFields(webhook, kind, sample);
		return [`\`${kind}\``, name, meaningOf(description), final[kind] ?? '', own];
	});
	return table(['Event type', 'In the editor', 'What happened', 'What it ends', 'Its fields'], rows);
}

/** The page with its tables and examples; all other text on it is written by hand. */
export function eventsPage(samples: Samples): string {
	const json = (sample: Sample) => `\`\`\`json\n${JSON.stringify([sample], null, 2)}\n\`\`\``;
	const base = samples.campaign.get(BASE) ?? {};
	const webhookOwner = { source: 'campaign', id: base.campaign_id };
	return withGenerated(PAGE, {
		'campaign webhooks': kindTable('campaign', samples),
		'agent webhooks': kindTable('agent', samples),
		'an event': json({ ...base, isTest: false, webhookOwner }),
		'test delivery': json(samples.agent.get('webhook.test') ?? {}),
	});
}
