import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { invalid } from '../errors/serviceError';
import { agentEvents, campaignEvents, eventTypesFor } from '../events/eventTypes';
import type { OwnerType } from '../owner';
import { defineField, type FieldSource, type Zod } from './field';
import { ONE_CODE } from './kinds';

/** The texts of a list of event types, and what the webhook of each source can deliver. */
interface EventList {
	displayName: string;
	description?: string;
	options: Record<OwnerType, INodePropertyOptions[]>;
}

/** The list of each source, with the parameter that the two share. @param root prefix of the parameter `source` */
function listsOf(
	{ options, ...texts }: EventList,
	root: '' | '/',
	defaults: Record<OwnerType, string[]>,
): [INodeProperties, INodeProperties] {
	const listOf = (source: OwnerType): INodeProperties => ({
		...texts,
		name: 'events',
		type: 'multiOptions',
		options: options[source],
		default: defaults[source],
		...(root === '' && { required: true }),
		displayOptions: { show: { [`${root}source`]: [source] } },
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

/** The selected event types; an expression can also give them as text. */
function selected({ get }: FieldSource, parameter: string): unknown[] {
	return eventTypesFor([get(parameter) ?? []].flat());
}

/** Passes event types on. @throws ServiceError `INVALID_INPUT` if there is none */
function assertAny(events: unknown[], displayName: string): unknown[] {
	if (events.length > 0) {
		return events;
	}
	throw invalid(`Choose at least one event in '${displayName}'`, 'If it has an expression, check its result.');
}

const check = (zod: Zod) =>
	zod.array(zod.string().regex(ONE_CODE, 'Use event types as events have them, such as campaign_call.completed'));

/** Event types for a collection, such as filters: with those that only the service lists. */
export function eventsField(list: EventList) {
	return defineField({
		key: 'events',
		// When the user adds the list, the editor takes the default of the first one, whatever the source.
		properties: [...listsOf(list, '/', { agent: [], campaign: [] }), additionalProperty],
		read: (source) =>
			assertAny([...selected(source, 'events'), ...selected(source, 'additionalEvents')], list.displayName),
		check,
	});
}

/** Event types that are required. {@link additionalEvents} belongs to the options beside them. */
export function requiredEventsField(list: EventList, defaults: Record<OwnerType, string[]>) {
	return defineField({
		key: 'events',
		properties: listsOf(list, '', defaults),
		read: (source) => assertAny(selected(source, 'events'), list.displayName),
		check,
	});
}

/** Event types that only the service lists, for the options beside a {@link requiredEventsField}. */
export const additionalEvents = defineField({
	key: 'additional_events',
	properties: [additionalProperty],
	read: (source) => selected(source, 'additionalEvents'),
	check,
});

/** The values of a {@link requiredEventsField} and of {@link additionalEvents}, as the service gets them. */
export function withAdditionalEvents<Input extends { events: string[]; additional_events?: string[] }>({
	additional_events: additional = [],
	...input
}: Input) {
	return { ...input, events: [...new Set([...input.events, ...additional])] };
}

/** By default the two events that end a call of a campaign. */
export const CAMPAIGN_DEFAULT = ['campaign_call.completed', 'campaign_call.failed'];

/** What the webhook of each source can deliver. */
export const deliveredEvents = { agent: agentEvents, campaign: campaignEvents };

/** Event types of a new webhook. */
export const newWebhookEvents = requiredEventsField(
	{ displayName: 'Events', options: deliveredEvents, description: 'The event types to deliver' },
	{ agent: ['event_phone_call_ended'], campaign: CAMPAIGN_DEFAULT },
);
