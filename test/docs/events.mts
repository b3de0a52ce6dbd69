import { agentEvents, campaignEvents } from '../../nodes/shared/fields/eventKinds.ts';
import { withGenerated } from './generated.mts';
import { slug, table } from './markdown.mts';

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

function kindTable(webhook: keyof Samples, samples: Samples): string {
	const groups = groupsOf(webhook, samples);
	const final: Record<string, string> = FINAL[webhook];
	const rows = events[webhook].map(({ name, value, description = '' }) => {
		const kind = String(value);
		const [what] = description.split(': ').slice(1);
		return [
			`[\`${kind}\`](#${slug(headingOf(webhook, groups.find(({ kinds }) => kinds.includes(kind)) as Group))})`,
			name,
			`${what[0].toUpperCase()}${what.slice(1)}.`,
			final[kind] ?? '',
		];
	});
	return table(['Event type', 'In the editor', 'What happened', 'What it ends'], rows);
}

/** A sample, with the event types that have the same one except for `event`. */
interface Group {
	kinds: string[];
	item: Sample;
}

/** The samples of a webhook; events that differ in nothing but their type share one. */
function groupsOf(webhook: keyof Samples, samples: Samples): Group[] {
	const groups = new Map<string, Group>();
	for (const { value } of events[webhook]) {
		const kind = String(value);
		const body = samples[webhook].get(kind);
		if (body === undefined) {
			throw new Error(`There is no sample of ${kind} for the webhook of a ${webhook}`);
		}
		const item = { ...body, isTest: false, webhookOwner: { source: webhook, id: body[`${webhook}_id`] } };
		const key = JSON.stringify({ ...item, event: '' });
		const group: Group = groups.get(key) ?? { kinds: [], item };
		group.kinds.push(kind);
		groups.set(key, group);
	}
	return [...groups.values()];
}

const headingOf = (webhook: keyof Samples, { kinds: [kind] }: Group) =>
	`${kind}, ${webhook === 'agent' ? 'to an agent webhook' : 'to a campaign webhook'}`;

function samplesOf(webhook: keyof Samples, samples: Samples): string[] {
	return groupsOf(webhook, samples).map((group) => {
		const [, ...others] = group.kinds;
		const same =
			others.length > 0 ? `Also with ${others.map((kind) => `\`${kind}\``).join(', ')} as \`event\`.\n\n` : '';
		return `#### ${headingOf(webhook, group)}\n\n${same}\`\`\`json\n${JSON.stringify([group.item], null, 2)}\n\`\`\``;
	});
}

/** The page with its tables and samples; all other text on it is written by hand. */
export function eventsPage(samples: Samples): string {
	const json = (sample?: Sample) => `\`\`\`json\n${JSON.stringify([sample], null, 2)}\n\`\`\``;
	return withGenerated(PAGE, {
		'campaign webhooks': kindTable('campaign', samples),
		'agent webhooks': kindTable('agent', samples),
		'test delivery': json(samples.agent.get('webhook.test')),
		samples: [
			'### Of campaign webhooks',
			...samplesOf('campaign', samples),
			'### Of agent webhooks',
			...samplesOf('agent', samples),
		].join('\n\n'),
	});
}
