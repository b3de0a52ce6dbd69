import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

import { webhooksIn } from '../client/pagination';
import { isDraft, isFinished, isPublished, statusWord } from '../client/statuses';
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
	 * Creates the entry for an item. n8n stores the name in the workflow, so a state that often changes belongs in the
	 * description. The state of an agent or campaign is in the name nevertheless: people need it to choose, and resource
	 * locators show only the name. The stored name may become out of date.
	 */
	entry: (item: IDataObject) => INodeListSearchItems;
	/** True if the service can search the list; otherwise the picker filters each page by name and description. */
	searchedByService?: boolean;
	/** The parts that the user can also search for by a word of the service, such as a status. */
	words?: Readonly<Record<string, Section>>;
	/** The parts that come first, in this order. */
	first?: readonly Section[];
}

/** A part of a list. */
export interface Section {
	/** The service's filter for the part. */
	query: IDataObject;
	/** Whether an item belongs to the part. The service's filter may be wider, or unknown to the service. */
	has: (item: IDataObject) => boolean;
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
function statusOf({ status, current_status: current }: IDataObject): unknown {
	return status ?? current;
}

/** Makes the parts of a list by status. */
function byStatus<const Status extends string>(...statuses: Status[]): Record<Status, Section> {
	const sections = statuses.map((status) => [
		status,
		{ query: { status }, has: (item: IDataObject) => statusWord(statusOf(item)) === status },
	]);
	return Object.fromEntries(sections) as Record<Status, Section>;
}

/** Names an agent by what distinguishes it from others. @param details its direction and state, if known */
function namedAgent({ id, name, label }: IDataObject, ...details: unknown[]): INodeListSearchItems {
	const title = name ?? label;
	return titled(id, title, [label !== title && label, ...details].filter(Boolean).join(', '));
}

const agentWithState = (agent: IDataObject) => namedAgent(agent, agent.direction, isDraft(statusOf(agent)) && 'draft');

/** Names an agent that is to place calls. If it cannot, the name says why: choosing it is allowed, it may change later. */
function agentToCall(agent: IDataObject): INodeListSearchItems {
	if (agent.direction === 'inbound') {
		return namedAgent(agent, 'inbound: cannot call');
	}
	return namedAgent(agent, isDraft(statusOf(agent)) ? 'draft: publish it first' : agent.direction);
}

const campaignWithStatus = ({ id, name, status }: IDataObject) => titled(id, name, status);

/** Names a campaign that is to take calls. If it does not, the name says why. */
function campaignToCall(campaign: IDataObject): INodeListSearchItems {
	const { id, name, status } = campaign;
	if (isFinished(status)) {
		return titled(id, name, `${String(status)}: takes no more calls`);
	}
	return ['draft', 'paused'].includes(String(status))
		? titled(id, name, `${String(status)}: set it to active first`)
		: campaignWithStatus(campaign);
}

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

const searchAgents = {
	path: () => ['agents'],
	entry: agentWithState,
	searchedByService: true,
	words: {
		draft: { query: { status: 'draft' }, has: (agent) => isDraft(statusOf(agent)) },
		published: { query: { status: 'published' }, has: (agent) => isPublished(statusOf(agent)) },
		inbound: { query: { direction: 'inbound' }, has: ({ direction }) => direction === 'inbound' },
		outbound: { query: { direction: 'outbound' }, has: ({ direction }) => direction === 'outbound' },
	},
} as const satisfies Listing;

const campaignsByStatus = byStatus('draft', 'active', 'paused', 'completed', 'cancelled');

const searchCampaigns = {
	path: () => ['campaigns'],
	entry: campaignWithStatus,
	searchedByService: true,
	words: campaignsByStatus,
} as const satisfies Listing;

const callsByStatus = byStatus('initiated', 'ringing', 'answered', 'completed', 'failed', 'busy', 'no-answer');

/** All lists for pickers, by the names of their search methods. */
export const listings = {
	searchAgents,
	searchCallingAgents: {
		...searchAgents,
		entry: agentToCall,
		// The service's filter for the status is not used, because it is uncertain which of the two words for a published
		// agent it accepts. An agent with an unknown status may be able to call.
		first: [
			{
				query: { direction: 'outbound' },
				has: (agent) => agent.direction !== 'inbound' && !isDraft(statusOf(agent)),
			},
		],
	},
	searchCallbackSources: { path: () => ['callback-agents', 'source-agents'], entry: agentWithState },
	searchAgentActions: {
		under: ['agent'],
		path: (agent) => ['agents', agent, 'actions'],
		entry: ({ id, name, label, current_status }) => described(titled(id, name ?? label), current_status),
	},
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
		words: callsByStatus,
		// Only calls with these statuses can be ended.
		first: [callsByStatus.answered, callsByStatus.ringing, callsByStatus.initiated],
	},
	searchCampaigns,
	searchCallingCampaigns: { ...searchCampaigns, entry: campaignToCall, first: [campaignsByStatus.active] },
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
