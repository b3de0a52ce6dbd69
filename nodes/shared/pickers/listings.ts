import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

import { webhooksIn } from '../client/pagination';
import { isDraft } from '../client/statuses';
import { WEEKDAYS } from '../fields/timeKinds';
import { isRecord } from '../lib/json';
import { withoutQuery } from '../lib/text';

/** A list of the service that the editor offers in a picker. */
export interface Listing {
	/** The parameters that the user must fill in first, outermost first. */
	under?: readonly string[];
	/** Builds the path after `/api/v1` from the values of `under`. */
	path: (...ids: string[]) => string[];
	query?: IDataObject;
	/** Extracts the items from a page; by default `data`. */
	items?: (body: IDataObject) => unknown;
	/**
	 * Creates the entry for an item. n8n stores the name in the workflow, so a changing state belongs in the description.
	 */
	entry: (item: IDataObject) => INodeListSearchItems;
	/** Selects items by a criterion for which the service lacks a filter. */
	keep?: (item: IDataObject) => boolean;
	/** True if the service can search the list; otherwise the picker filters each page by name and description. */
	searchedByService?: boolean;
	/** The values of the service's filter `status`; the user can search for one of them. */
	statuses?: readonly string[];
	/** The statuses whose items come first, in this order. */
	first?: readonly string[];
}

/** Creates an entry. @param detail shown in parentheses, to distinguish entries with the same title */
export function titled(id: unknown, title: unknown, detail?: unknown): INodeListSearchItems {
	const name = String(title ?? id);
	return { name: isRecord(detail) || !detail ? name : `${name} (${String(detail)})`, value: String(id) };
}

/** Adds a state that may change later, such as a status. Menus show it, and all lists can be searched for it. */
function described(entry: INodeListSearchItems, state: unknown): INodeListSearchItems {
	return typeof state === 'string' && state !== '' ? { ...entry, description: state } : entry;
}

/** Returns the status of an item of the service. */
export function statusOf({ status, current_status: current }: IDataObject): unknown {
	return status ?? current;
}

const named = (item: IDataObject) => described(titled(item.id, item.name ?? item.label), statusOf(item));

/** Removes possible secrets from a URL: its query, and a login. n8n stores the texts that the editor shows. */
const shownUrl = (url: unknown) => withoutQuery(String(url)).replace(/\/\/[^/]*@/, '//');

const webhook = ({ id, name, webhook_url: url }: IDataObject) => titled(id, name, url && shownUrl(url));

const delivery = ({ id, event, status, created_at: at }: IDataObject) =>
	titled(id, `${String(event)}, ${String(at)}`, status);

/** Formats the weekdays 1 and 2 as "Mon, Tue". */
function dayNames(days: unknown): string {
	return [days]
		.flat()
		.map((day) => WEEKDAYS[Number(day) - 1]?.slice(0, 3))
		.join(', ');
}

/** Creates a function that returns one property of the response's `data`. */
const inside = (key: string) => (body: IDataObject) => (isRecord(body.data) ? body.data[key] : undefined);

/**
 * Flattens the groups of the voice templates to single voices.
 *
 * @param response the response of the service, with the groups in `data`
 * @returns the voices, each with the `display_name` of its group; undefined if `data` is not a list
 */
export function voicesIn({ data }: IDataObject): unknown {
	if (!Array.isArray(data)) {
		return undefined;
	}
	return data
		.filter(isRecord)
		.flatMap((group) =>
			Array.isArray(group.voices)
				? group.voices.filter(isRecord).map((voice: object) => ({ display_name: group.display_name, ...voice }))
				: group,
		);
}

const searchCampaigns = {
	path: () => ['campaigns'],
	entry: named,
	searchedByService: true,
	statuses: ['draft', 'active', 'paused', 'completed', 'cancelled'],
} as const satisfies Listing;

/** All lists for pickers, by the names of their search methods. */
export const listings = {
	searchAgents: {
		path: () => ['agents'],
		entry: named,
		searchedByService: true,
		statuses: ['draft', 'published'],
	},
	searchCallingAgents: {
		path: () => ['agents'],
		query: { direction: 'outbound' },
		entry: named,
		// The service's filter is not used, because it is uncertain which of the two words for the status it accepts. An
		// agent with an unknown status is shown.
		keep: (agent) => !isDraft(statusOf(agent)),
		searchedByService: true,
		statuses: ['published'],
	},
	searchCallbackSources: { path: () => ['callback-agents', 'source-agents'], entry: named },
	searchAgentActions: { under: ['agent'], path: (agent) => ['agents', agent, 'actions'], entry: named },
	searchAgentTrainings: {
		under: ['agent'],
		path: (agent) => ['agents', agent, 'trainings'],
		entry: ({ id, subject, current_status }) => described(titled(id, subject), current_status),
	},
	searchAgentWebhooks: {
		under: ['agent'],
		path: (agent) => ['agents', agent, 'webhooks'],
		items: webhooksIn,
		entry: webhook,
	},
	searchAgentWebhookDeliveries: {
		under: ['agent', 'webhook'],
		path: (agent, webhookId) => ['agents', agent, 'webhooks', webhookId, 'logs'],
		entry: delivery,
	},
	searchAgentCalls: {
		under: ['agent'],
		path: (agent) => ['agents', agent, 'calls'],
		entry: ({ id, direction, from, to, status, created_at: at }) =>
			described(titled(id, `${String(direction === 'inbound' ? from : to)}, ${String(at)}`), status),
		searchedByService: true,
		statuses: ['initiated', 'ringing', 'answered', 'completed', 'failed', 'busy', 'no-answer'],
		// Only calls with these statuses can be ended.
		first: ['answered', 'ringing', 'initiated'],
	},
	searchCampaigns,
	searchCallingCampaigns: { ...searchCampaigns, first: ['active'] },
	searchCampaignWebhooks: {
		under: ['campaign'],
		path: (campaign) => ['campaigns', campaign, 'webhooks'],
		items: webhooksIn,
		entry: webhook,
	},
	searchCampaignWebhookDeliveries: {
		under: ['campaign', 'webhook'],
		path: (campaign, webhookId) => ['campaigns', campaign, 'webhooks', webhookId, 'logs'],
		entry: delivery,
	},
	searchCampaignFiles: {
		under: ['campaign'],
		path: (campaign) => ['campaigns', campaign],
		items: inside('files'),
		entry: ({ id, original_filename, status }) => described(titled(id, original_filename), status),
	},
	searchPhoneNumbers: {
		path: () => ['phone-numbers'],
		entry: ({ id, number, current_status }) => described(titled(id, number), current_status),
		searchedByService: true,
	},
	searchVoiceTemplates: {
		path: () => ['voice-templates'],
		items: voicesIn,
		entry: ({ id, name, display_name, language, gender, quality_tier }) =>
			titled(id, name ?? display_name, [language, gender, quality_tier].filter(Boolean).join(', ')),
	},
	searchActionIntegrations: {
		path: () => ['action-integrations'],
		entry: ({ identifier, display_name, category }) => titled(identifier, display_name, category),
	},
	searchSipTrunks: {
		path: () => ['sip-trunks'],
		entry: ({ id, name, domain }) => titled(id, name, domain),
	},
	searchSipTrunkNumbers: {
		under: ['sipTrunk'],
		path: (trunk) => ['sip-trunks', trunk, 'dids'],
		entry: ({ id, number }) => titled(id, number),
	},
	searchCalendars: {
		path: () => ['calendars'],
		entry: ({ id, name, timezone }) => titled(id, name, timezone),
	},
	searchCalendarMembers: {
		under: ['calendar'],
		path: (calendar) => ['calendars', calendar, 'members'],
		entry: ({ id, name, user_id, email, role }) => described(titled(id, name ?? user_id, email), role),
	},
	searchCalendarEvents: {
		under: ['calendar'],
		path: (calendar) => ['calendars', calendar, 'events'],
		entry: ({ id, title, start_at }) => titled(id, title, start_at),
	},
	searchEventAttendees: {
		under: ['calendar', 'calendarEvent'],
		path: (calendar, event) => ['calendars', calendar, 'events', event],
		items: inside('attendees'),
		entry: ({ id, name, email }) => titled(id, name, email),
	},
	searchAvailabilityRules: {
		under: ['calendar'],
		path: (calendar) => ['calendars', calendar, 'availability-rules'],
		entry: ({ id, type, date, available, days_of_week, start_time, end_time, timezone }) =>
			type === 'exception'
				? titled(id, `Exception on ${String(date)}`, available ? 'open' : 'closed')
				: titled(id, `${dayNames(days_of_week)}, ${String(start_time)} to ${String(end_time)}`, timezone),
	},
} satisfies Record<string, Listing>;

/** The name of a search method. */
export type ListingName = keyof typeof listings;
