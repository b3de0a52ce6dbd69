import type { INodeProperties } from 'n8n-workflow';

import { agentEvents, campaignEvents, eventKinds } from './eventKinds';
import { defineField } from './field';

/** Event types: selected from a list, and more as text. @param property the texts, options and default of the list */
export function eventsField(property: Pick<INodeProperties, 'displayName' | 'options' | 'default' | 'description'>) {
	return defineField({
		key: 'events',
		properties: [
			{ ...property, name: 'events', type: 'multiOptions' },
			{
				displayName: 'Additional Events',
				name: 'additionalEvents',
				type: 'string',
				default: '',
				placeholder: 'e.g. kind_one, kind_two',
				description:
					'Kinds that the service offers and the list does not have, parted by commas, as the service names them',
			},
		],
		read: ({ get }) => {
			const additional = String(get('additionalEvents') ?? '');
			const chosen = get('events');
			return eventKinds([chosen ?? []].flat().map(String), additional);
		},
		check: (zod) => zod.array(zod.string()).min(1, 'Choose one event at least'),
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
