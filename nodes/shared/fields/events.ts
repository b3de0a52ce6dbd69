import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { invalid } from '../errors/serviceError';
import { agentEvents, campaignEvents, eventTypesFor } from '../events/eventTypes';
import type { OwnerType } from '../owner';
import { defineField, type FieldSource, type Zod } from './field';
import { ONE_CODE } from './kinds';

/** The texts of a list of event types, and the event types that the webhooks of each owner type deliver. */
interface EventList {
	displayName: string;
	description: string;
	options: Record<OwnerType, INodePropertyOptions[]>;
	/** What to know about the event types of one owner type. */
	hints?: Partial<Record<OwnerType, string>>;
}

/** Creates a list for each owner type; both use the same parameter. @param root the prefix of the parameter `source` */
function listsOf(
	{ options, hints = {}, ...texts }: EventList,
	root: '' | '/',
	defaults: Record<OwnerType, string[]>,
): [INodeProperties, INodeProperties] {
	const listOf = (ownerType: OwnerType): INodeProperties => ({
		...texts,
		description: `${texts.description}. Each is probably sent as described.`,
		name: 'events',
		type: 'multiOptions',
		options: options[ownerType],
		default: defaults[ownerType],
		...(ownerType in hints && { hint: hints[ownerType] }),
		...(root === '' && { required: true }),
		displayOptions: { show: { [`${root}source`]: [ownerType] } },
	});
	return [listOf('campaign'), listOf('agent')];
}

const additionalProperty: INodeProperties = {
	displayName: 'Additional Event Names or IDs',
	name: 'additionalEvents',
	type: 'multiOptions',
	typeOptions: {
		loadOptionsMethod: 'getAdditionalEvents',
		loadOptionsDependsOn: ['source', 'agent.value', 'campaign.value'],
	},
	default: [],
	description:
		'Event types missing from the list of events. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** Returns the selected event types; an expression can also return them as text. */
function selected({ get }: FieldSource, parameter: string): unknown[] {
	return eventTypesFor([get(parameter) ?? []].flat());
}

/** Returns the event types unchanged. @throws ServiceError `INVALID_INPUT` if there are none */
function assertAny(events: unknown[], displayName: string): unknown[] {
	if (events.length > 0) {
		return events;
	}
	throw invalid(`Choose at least one event in '${displayName}'`, 'If it has an expression, check its result.');
}

const check = (zod: Zod) =>
	zod.array(zod.string().regex(ONE_CODE, 'Use event types as events have them, such as campaign_call.completed'));

/** Creates a field of event types for a collection, such as filters, including types that only the service lists. */
export function eventsField(list: EventList) {
	return defineField({
		key: 'events',
		// When the user adds the list, the editor uses the default of the first one for both owner types.
		properties: [...listsOf(list, '/', { agent: [], campaign: [] }), additionalProperty],
		read: (source) =>
			assertAny([...selected(source, 'events'), ...selected(source, 'additionalEvents')], list.displayName),
		check,
	});
}

/** Creates a field of required event types. {@link additionalEvents} belongs into the options of the same operation. */
export function requiredEventsField(list: EventList, defaults: Record<OwnerType, string[]>) {
	return defineField({
		key: 'events',
		properties: listsOf(list, '', defaults),
		read: (source) => assertAny(selected(source, 'events'), list.displayName),
		check,
	});
}

/** Event types that only the service lists, for the options of an operation with a {@link requiredEventsField}. */
export const additionalEvents = defineField({
	key: 'additional_events',
	properties: [additionalProperty],
	read: (source) => selected(source, 'additionalEvents'),
	check,
});

/** Merges the values of a {@link requiredEventsField} and of {@link additionalEvents} into one list for the service. */
export function withAdditionalEvents<Input extends { events: string[]; additional_events?: string[] }>({
	additional_events: additional = [],
	...input
}: Input) {
	return { ...input, events: [...new Set([...input.events, ...additional])] };
}

/** The default event types of a campaign: the two that end one of its calls. */
export const CAMPAIGN_DEFAULT = ['campaign_call.completed', 'campaign_call.failed'];

/** The event types that a webhook can deliver, by owner type. */
export const deliveredEvents = { agent: agentEvents, campaign: campaignEvents };

/** The event types of a new webhook. */
export const newWebhookEvents = requiredEventsField(
	{ displayName: 'Events', options: deliveredEvents, description: 'The event types to deliver' },
	{ agent: ['event_phone_call_ended'], campaign: CAMPAIGN_DEFAULT },
);
