import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

import { WEEKDAYS } from '../fields/timeKinds';
import { isRecord } from '../lib/isRecord';
import { webhooksIn } from '../service/pagination';

/** A list that the editor offers to pick from. */
export interface Listing {
	/** The parameters that have to be chosen before, outermost first. */
	under?: readonly string[];
	/** The path after `/api/v1`, from the IDs of what was chosen before. */
	path: (...ids: string[]) => string[];
	query?: IDataObject;
	/** Where the items are in a page; by default in `data`. */
	items?: (body: IDataObject) => unknown;
	entry: (item: IDataObject) => INodeListSearchItems;
	/** True where the service searches; elsewhere the entries are searched here. */
	searchedByService?: boolean;
}

/** An entry of a name, what tells it from others of that name, and the ID. */
function titled(id: unknown, title: unknown, more?: unknown): INodeListSearchItems {
	const name = String(title ?? id);
	return { name: isRecord(more) || !more ? name : `${name} (${String(more)})`, value: String(id) };
}

const named = ({ id, name, label, current_status: current, status = current }: IDataObject) =>
	titled(id, name ?? label, status);

const webhook = ({ id, name, webhook_url: url }: IDataObject) => titled(id, name, url);

const delivery = ({ id, event, status, created_at: at }: IDataObject) =>
	titled(id, `${String(event)}, ${String(at)}`, status);

/** "Mon, Tue" for the days 1 and 2. */
function dayNames(days: unknown): string {
	return [days]
		.flat()
		.map((day) => WEEKDAYS[Number(day) - 1]?.slice(0, 3))
		.join(', ');
}

/** What lies in an object of the answer's `data`. */
const inside = (key: string) => (body: IDataObject) => (isRecord(body.data) ? body.data[key] : undefined);

/** The single voices in the groups of the voice templates. */
export function voicesIn({ data }: IDataObject): unknown {
	if (!Array.isArray(data)) {
		return undefined;
	}
	return data
		.filter(isRecord)
		.flatMap(({ display_name, voices }) =>
			(Array.isArray(voices) ? voices.filter(isRecord) : []).map((voice) => ({ display_name, ...voice })),
		);
}

/** All that can be picked, by the name under which n8n asks for it. */
export const listings = {
	searchAgents: { path: () => ['agents'], entry: named, searchedByService: true },
	searchCallingAgents: {
		path: () => ['agents'],
		query: { status: 'published', direction: 'outbound' },
		entry: named,
		searchedByService: true,
	},
	searchAgentActions: { under: ['agent'], path: (agent) => ['agents', agent, 'actions'], entry: named },
	searchAgentTrainings: {
		under: ['agent'],
		path: (agent) => ['agents', agent, 'trainings'],
		entry: ({ id, subject, current_status }) => titled(id, subject, current_status),
	},
	searchAgentWebhooks: {
		under: ['agent'],
		path: (agent) => ['agents', agent, 'webhooks'],
		items: webhooksIn,
		entry: webhook,
	},
	searchAgentWebhookDeliveries: {
		under: ['agent', 'agentWebhook'],
		path: (agent, one) => ['agents', agent, 'webhooks', one, 'logs'],
		entry: delivery,
	},
	searchAgentCalls: {
		under: ['agent'],
		path: (agent) => ['agents', agent, 'calls'],
		entry: ({ id, direction, from, to, status, created_at: at }) =>
			titled(id, `${String(direction === 'inbound' ? from : to)}, ${String(at)}`, status),
		searchedByService: true,
	},
	searchCampaigns: { path: () => ['campaigns'], entry: named, searchedByService: true },
	searchCampaignWebhooks: {
		under: ['campaign'],
		path: (campaign) => ['campaigns', campaign, 'webhooks'],
		items: webhooksIn,
		entry: webhook,
	},
	searchCampaignWebhookDeliveries: {
		under: ['campaign', 'campaignWebhook'],
		path: (campaign, one) => ['campaigns', campaign, 'webhooks', one, 'logs'],
		entry: delivery,
	},
	searchCampaignFiles: {
		under: ['campaign'],
		path: (campaign) => ['campaigns', campaign],
		items: inside('files'),
		entry: ({ id, original_filename, status }) => titled(id, original_filename, status),
	},
	searchPhoneNumbers: {
		path: () => ['phone-numbers'],
		entry: ({ id, number, current_status }) => titled(id, number, current_status),
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
		entry: ({ id, name, user_id, role }) => titled(id, name ?? user_id, role),
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

export type ListingName = keyof typeof listings;
