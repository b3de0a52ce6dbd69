import type { INodeProperties } from 'n8n-workflow';

import { agentEvents, campaignEvents, eventKinds } from './eventKinds';
import { defineField } from './field';

/**
 * Event types: selected from a list, and from those that only the service lists.
 *
 * @param property the texts, options and default of the list
 */
export function eventsField(property: Pick<INodeProperties, 'displayName' | 'options' | 'default' | 'description'>) {
	return defineField({
		key: 'events',
		properties: [
			{ ...property, name: 'events', type: 'multiOptions' },
			{
				displayName: 'Additional Event Names or IDs',
				name: 'additionalEvents',
				type: 'multiOptions',
				typeOptions: {
					loadOptionsMethod: 'getAdditionalEvents',
					loadOptionsDependsOn: ['source', 'agent.value', 'campaign.value'],
				},
				default: [],
				description:
					'Event types that the service offers and the list above does not have. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
			},
		],
		read: ({ get }) => {
			const given = (parameter: string) => [get(parameter) ?? []].flat().map(String);
			// The list is read last: messages name it.
			const additional = given('additionalEvents');
			return eventKinds([...given('events'), ...additional]);
		},
		check: (zod) => zod.array(zod.string()).min(1, 'Choose at least one event'),
	});
}

/** Event types of a campaign webhook. @param displayName the label in the editor: "Trigger On" for the trigger */
export function campaignEventsField(displayName: string) {
	return eventsField({
		displayName,
		options: campaignEvents,
		default: ['campaign_call.completed', 'campaign_call.failed'],
		description: 'The kinds of event to deliver',
	});
}

/** Event types of an agent webhook. */
export const agentEventsField = eventsField({
	displayName: 'Events',
	options: agentEvents,
	default: ['event_phone_call_ended'],
	description: 'The kinds of event to deliver',
});
