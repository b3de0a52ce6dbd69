import type { INodeProperties } from 'n8n-workflow';

import { invalid } from '../errors/serviceError';
import { agentEvents, campaignEvents, eventKinds } from './eventKinds';
import { defineField, type FieldSource, type Zod } from './field';

/** The texts, the options and the default of a list of event types. */
type EventList = Pick<INodeProperties, 'displayName' | 'options' | 'default' | 'description'>;

function listOf(list: EventList): INodeProperties {
	return { ...list, name: 'events', type: 'multiOptions' };
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
function selected({ get }: FieldSource, parameter: string): string[] {
	return eventKinds([get(parameter) ?? []].flat().map(String));
}

/** @throws ServiceError `INVALID_INPUT` if there is no event type */
function assertAny(events: string[], displayName: string): string[] {
	if (events.length > 0) {
		return events;
	}
	throw invalid(`Choose at least one event in '${displayName}'`, 'If it has an expression, check its result.');
}

const check = (zod: Zod) => zod.array(zod.string());

/** Event types for a collection, such as filters: with those that only the service lists. */
export function eventsField(list: EventList) {
	return defineField({
		key: 'events',
		properties: [listOf(list), additionalProperty],
		read: (source) =>
			assertAny([...selected(source, 'events'), ...selected(source, 'additionalEvents')], list.displayName),
		check,
	});
}

/** Event types that are required. {@link additionalEvents} belongs to the options beside them. */
export function requiredEventsField(list: EventList) {
	return defineField({
		key: 'events',
		properties: [{ ...listOf(list), required: true }],
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

const ofCampaign: EventList = {
	displayName: 'Events',
	options: campaignEvents,
	default: CAMPAIGN_DEFAULT,
	description: 'The event types to deliver',
};

const ofAgent: EventList = {
	displayName: 'Events',
	options: agentEvents,
	default: ['event_phone_call_ended'],
	description: 'The event types to deliver',
};

/** Event types of a new campaign webhook. */
export const campaignEventsField = requiredEventsField(ofCampaign);

/** Event types to change of a campaign webhook. */
export const newCampaignEvents = eventsField(ofCampaign);

/** Event types of a new agent webhook. */
export const agentEventsField = requiredEventsField(ofAgent);

/** Event types to change of an agent webhook. */
export const newAgentEvents = eventsField(ofAgent);
