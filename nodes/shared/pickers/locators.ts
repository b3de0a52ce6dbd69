import { defineField, type Field, textual } from '../fields/field';
import { ONE_CODE } from '../fields/kinds';
import { isJsonObject } from '../lib/json';
import { withoutQuery } from '../lib/text';
import { namedInUrl, ownerUrl } from '../owner';
import type { ListingName } from './listings';

/** The members of the object that n8n stores for a resource locator. */
const MEMBERS = ['__rl', 'mode', 'value', 'cachedResultName', 'cachedResultUrl'];

/**
 * Returns the ID or URL of a resource locator. Other objects are returned unchanged, so that the check refuses them.
 */
function chosenIn(value: unknown): unknown {
	return isJsonObject(value) && Object.keys(value).every((name) => MEMBERS.includes(name)) ? value.value : value;
}

interface LocatorTexts {
	displayName: string;
	name: string;
	description: string;
	/** The search method for the list that the picker shows. */
	list: ListingName | 'searchUsers';
}

/**
 * Declares a resource locator: the user chooses from a list of the service or enters an ID.
 *
 * @param key the name of the value in the operation's input
 * @returns a field whose value is the ID
 */
export function locator<const Key extends string>(
	key: Key,
	{ displayName, name, description, list }: LocatorTexts,
	{ optional = false }: { optional?: boolean } = {},
): Field<Key, string> {
	return defineField({
		key,
		properties: [
			{
				displayName,
				name,
				type: 'resourceLocator',
				// `loadOptionsDependsOn` is left out: the editor reloads the list without it. With it, the editor would clear
				// the value, even an expression, whenever the result of a parent's expression changes, so on every run.
				default: { mode: 'list', value: '' },
				...(!optional && { required: true }),
				description,
				modes: [
					{
						displayName: 'From List',
						name: 'list',
						type: 'list',
						typeOptions: { searchListMethod: list, searchable: true },
					},
					{
						displayName: 'By ID',
						name: 'id',
						type: 'string',
						placeholder: 'e.g. 3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c',
					},
				],
			},
		],
		read: ({ get }) => chosenIn(get(name)),
		check: (zod) => textual(zod, zod.string().trim().regex(ONE_CODE, 'Choose from the list, or enter one ID')),
	});
}

export const campaign = locator('campaignId', {
	displayName: 'Campaign',
	name: 'campaign',
	description: 'The campaign to work with',
	list: 'searchCampaigns',
});

/** A campaign that calls can be queued in. */
export const callingCampaign = locator('campaignId', {
	displayName: 'Campaign',
	name: 'campaign',
	description: 'Campaign that makes the call. Only active campaigns accept calls; the list shows them first.',
	list: 'searchCallingCampaigns',
});

export const agent = locator('agentId', {
	displayName: 'Agent',
	name: 'agent',
	description: 'The voice agent to work with',
	list: 'searchAgents',
});

/** An agent that can place calls. */
export const callingAgent = locator('agentId', {
	displayName: 'Agent',
	name: 'agent',
	description: 'Voice agent that makes the call. The list shows agents that can call first.',
	list: 'searchCallingAgents',
});

export const agentAction = locator('actionId', {
	displayName: 'Action',
	name: 'agentAction',
	description: 'The action of the agent to work with',
	list: 'searchAgentActions',
});

export const agentTraining = locator('trainingId', {
	displayName: 'Training',
	name: 'agentTraining',
	description: 'The training of the agent to work with',
	list: 'searchAgentTrainings',
});

export const campaignWebhook = locator('webhookId', {
	displayName: 'Webhook',
	name: 'webhook',
	description: 'The webhook of the campaign to work with',
	list: 'searchCampaignWebhooks',
});

export const agentWebhook = locator('webhookId', {
	displayName: 'Webhook',
	name: 'webhook',
	description: 'The webhook of the agent to work with',
	list: 'searchAgentWebhooks',
});

export const campaignWebhookDelivery = locator('deliveryId', {
	displayName: 'Delivery',
	name: 'delivery',
	description: "The entry of the webhook's log to work with",
	list: 'searchCampaignWebhookDeliveries',
});

export const agentWebhookDelivery = locator('deliveryId', {
	displayName: 'Delivery',
	name: 'delivery',
	description: "The entry of the webhook's log to work with",
	list: 'searchAgentWebhookDeliveries',
});

export const agentCall = locator('callId', {
	displayName: 'Call',
	name: 'call',
	description: 'The call of the agent to work with',
	list: 'searchAgentCalls',
});

export const sipTrunk = locator('trunkId', {
	displayName: 'SIP Trunk',
	name: 'sipTrunk',
	description: 'The SIP trunk to work with',
	list: 'searchSipTrunks',
});

export const calendar = locator('calendarId', {
	displayName: 'Calendar',
	name: 'calendar',
	description: 'The calendar to work with',
	list: 'searchCalendars',
});

export const calendarEvent = locator('eventId', {
	displayName: 'Event',
	name: 'calendarEvent',
	description: 'The event of the calendar to work with',
	list: 'searchCalendarEvents',
});

export const calendarMember = locator('memberId', {
	displayName: 'Member',
	name: 'calendarMember',
	description: 'The member of the calendar to work with',
	list: 'searchCalendarMembers',
});

export const eventAttendee = locator('attendeeId', {
	displayName: 'Attendee',
	name: 'eventAttendee',
	description: 'The attendee of the event to work with',
	list: 'searchEventAttendees',
});

export const availabilityRule = locator('ruleId', {
	displayName: 'Rule',
	name: 'availabilityRule',
	description: 'The availability rule of the calendar to work with',
	list: 'searchAvailabilityRules',
});

/** Whether a URL can be that of a trigger or of one of its webhooks, without any additional parts. */
function isUrlOfTrigger(url: string): boolean {
	if (!URL.canParse(url) || url.includes('#')) {
		return false;
	}
	const { owner, versions, verifyBy, fingerprint } = namedInUrl(url);
	const base = withoutQuery(url);
	return url === base || (owner !== undefined && url === ownerUrl(base, owner, versions, verifyBy, fingerprint));
}

/** A published trigger, by its production URL. */
export const trigger = defineField({
	key: 'triggerUrl',
	properties: [
		{
			displayName: 'Trigger',
			name: 'trigger',
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			required: true,
			description:
				'The Voice Agent Calling Trigger that receives the events, on this n8n and with the same credential. To connect to it, publish it first.',
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					typeOptions: { searchListMethod: 'searchTriggers', searchable: true },
				},
				{
					displayName: 'By URL',
					name: 'url',
					type: 'string',
					placeholder: 'e.g. https://n8n.example.com/webhook/3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c/webhook',
					hint: 'The production URL, as the trigger shows it',
				},
			],
		},
	],
	read: ({ get }) => chosenIn(get('trigger')),
	check: (zod) =>
		zod
			.string()
			.trim()
			.min(1)
			.refine(isUrlOfTrigger, 'Choose a trigger from the list, or enter its production URL')
			.transform(withoutQuery),
});

export const voiceTemplate = locator('voiceTemplateId', {
	displayName: 'Voice Template',
	name: 'voiceTemplate',
	description: 'The voice template to work with',
	list: 'searchVoiceTemplates',
});
