import type { IDataObject } from 'n8n-workflow';

import { isSet, pathOf } from '../agentDocument/differences';
import { unreadableIn } from '../agentDocument/notReadable';
import { type Match, naming } from './matching';
import type { Planning } from './plan';
import { listed } from './wording';

/** The values that an unreadable field gets with Unreadable Fields: Reset; the others are left out. */
const DEFAULTS: Record<string, unknown> = {
	authorization_scheme: 'none',
	custom_headers: [],
	execution_mode: 'during_call',
	http_method: 'POST',
	payload_templates: {},
};

/**
 * Fields whose absence does not prevent an update: the key takes the place of a node ID, and an update of a webhook
 * keeps its secret.
 */
const NOT_REQUIRED = ['node_id', 'webhook_secret'];

/** The unreadable values of one action or webhook. */
interface UnreadableValues {
	/** Whether they are the reason for a request. */
	isSent: boolean;
	values: IDataObject;
}

/**
 * The values to send of the fields that the service does not return. Reports an update for which the document lacks
 * some of them: the update would reset them.
 *
 * @param isUpdated whether something readable differs; undefined for a new one
 */
export function planUnreadable(
	{ options, problems, notes, notCompared }: Planning,
	section: 'actions' | 'webhooks',
	{ key, wanted }: Match<'actions'> | Match<'webhooks'>,
	isUpdated: boolean | undefined,
): UnreadableValues {
	const given = wanted as Record<string, unknown>;
	const type = typeof given.type === 'string' ? given.type : undefined;
	const fields = unreadableIn(section, type)
		.map(({ field }) => field)
		.filter((field) => field !== 'node_id');
	const present = fields.filter((field) => given[field] !== undefined);
	const missing = fields.filter((field) => given[field] === undefined && !NOT_REQUIRED.includes(field));
	const values = Object.fromEntries(
		present.filter((field) => isSet(given[field])).map((field) => [field, given[field]]),
	);
	const { noun } = naming[section];
	if (isUpdated === undefined) {
		if (missing.length > 0) {
			notes.push(`The document lacks ${listed(missing)} of the new ${noun} "${key}": it gets the service's defaults.`);
		}
		return { isSent: true, values: values as IDataObject };
	}
	const isSent = isUpdated || (options.unreadableFields === 'send' && present.length > 0);
	if (!isSent) {
		notCompared.push(...present.map((field) => pathOf(section, key, field)));
		return { isSent, values: {} };
	}
	if (missing.length > 0 && options.unreadableFields !== 'reset') {
		problems.push({
			path: pathOf(section, key),
			message: `The ${noun} "${key}" has to be updated, and the document lacks ${listed(missing)}. The service does not return ${missing.length === 1 ? 'it' : 'them'}, so the update could reset what was set`,
			whatToDo: "Add what is missing to the document, or set Options → 'Unreadable Fields' to Reset.",
		});
	}
	const reset = Object.fromEntries(
		missing.filter((field) => field in DEFAULTS).map((field) => [field, DEFAULTS[field]]),
	);
	return { isSent, values: { ...reset, ...values } as IDataObject };
}
