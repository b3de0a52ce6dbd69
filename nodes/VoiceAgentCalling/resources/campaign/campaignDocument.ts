import type { IDataObject } from 'n8n-workflow';

import { type Field, issueOf, jsonValue, kindOf } from '../../../shared/fields/field';
import { json } from '../../../shared/fields/kinds';
import { isRecord } from '../../../shared/lib/isRecord';
import { type Difference, differencesOf, inSet } from '../../agentDocument/differences';
import { didYouMean, documentIn } from '../../agentDocument/documentField';

/** The settings that the service returns. */
const settings = [
	'name',
	'description',
	'campaign_type',
	'agent',
	'agent_id',
	'start_date',
	'days_of_week',
	'earliest_call_time',
	'latest_call_time',
	'timezone',
	'initial_call_delay',
	'max_retries',
	'retry_cooldown_hours',
	'enable_post_completion_cooldown',
	'post_completion_cooldown_hours',
	'success_cooldown_hours',
	'voicemail_cooldown_hours',
	'no_answer_cooldown_hours',
	'busy_cooldown_hours',
	'failed_cooldown_hours',
	'do_not_call_enabled',
	'do_not_call_list_source',
	'auto_add_to_dnc_enabled',
	'auto_dnc_trigger_statuses',
	'auto_dnc_trigger_errors',
];

/** The settings that can be written and are in no answer about a campaign. */
const unreadableSettings = [
	'end_date',
	'call_time_ranges',
	'auto_complete',
	'retry_on_no_conversion',
	'do_not_call_custom_list',
];

/** What Campaign → Get returns besides the settings: it is not compared. */
const progress = ['id', 'status', 'calls', 'files', 'stats', 'created_at', 'updated_at'];

/** The settings that are lists without an order. */
const sets = ['days_of_week', 'auto_dnc_trigger_statuses', 'auto_dnc_trigger_errors'];

/** The settings of a campaign by the service's names: any of them, also the output of Get. */
export const campaignDocument: Field<'document', Record<string, unknown>> = {
	...json('document', {
		displayName: 'Document',
		name: 'document',
		default: '={{ $json }}',
		required: true,
		description:
			"Settings of a campaign as JSON, by the service's names, such as max_retries; the agent by its name. Only these are compared. Also accepts the output of Campaign → Get.",
	}),
	check: (zod) =>
		jsonValue(zod).transform((value, context) => {
			const document = documentIn(value);
			if (!isRecord(document)) {
				const advice = 'Enter the settings of one campaign: names and values in braces';
				context.addIssue(issueOf(advice, { ofField: `is ${kindOf(document)}, not an object` }));
				return zod.NEVER;
			}
			const known = [...settings, ...unreadableSettings, ...progress];
			const unknown = Object.keys(document).find((name) => !known.includes(name));
			if (unknown !== undefined) {
				const advice = "Use the service's names: docs/agents-as-code.md lists them";
				context.addIssue(
					issueOf(advice, { ofField: `has the unknown name '${unknown}'${didYouMean(unknown, known)}` }),
				);
			} else if (!Object.keys(document).some((name) => settings.includes(name))) {
				const advice = 'Give at least one setting that the service returns, such as max_retries';
				context.addIssue(issueOf(advice, { ofField: 'has nothing that can be compared' }));
			}
			return document;
		}),
};

/** The value of a setting in the form in which it is compared. */
function comparable(name: string, settingsOf: Record<string, unknown>): unknown {
	const value = settingsOf[name];
	if (name === 'agent') {
		return isRecord(value) ? value.name : value;
	}
	// The service returns HH:MM:SS, and takes HH:MM.
	return typeof value === 'string' && /_call_time$/.test(name) ? value.slice(0, 'HH:MM'.length) : value;
}

/**
 * Compares settings with a campaign. An agent is compared by its name, so that campaigns of two environments can be the
 * same; by its ID only where the document has nothing else.
 *
 * @param campaign of `GET /campaigns/{campaign_id}`
 * @returns what differs; what the service does not return follows
 */
export function compareCampaign(document: Record<string, unknown>, campaign: IDataObject): Difference[] {
	const stated = settings.filter((name) => name in document && !(name === 'agent_id' && 'agent' in document));
	const known = stated.flatMap((name): Difference[] => {
		const to = comparable(name, document);
		if (!(name in campaign)) {
			return [{ path: name, change: 'unknown', to }];
		}
		return (sets.includes(name) ? inSet : differencesOf)(name, comparable(name, campaign), to);
	});
	const isUnknown = ({ change }: Difference) => change === 'unknown';
	const unreadable = unreadableSettings.map(
		(path): Difference => ({ path, change: 'unknown', ...(path in document && { to: document[path] }) }),
	);
	return [...known.filter((each) => !isUnknown(each)), ...known.filter(isUnknown), ...unreadable];
}
