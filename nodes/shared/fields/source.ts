import type { OwnerType } from '../owner';
import { choice, type Field, onlyFor } from './field';

/**
 * Declares the choice between the webhooks and events of an agent or of a campaign.
 *
 * @param property the texts of the property
 * @param names the names of the choices
 */
export function sourceChoice(
	property: { displayName: string; description?: string },
	names: Record<OwnerType, string>,
) {
	return choice('ownerType', {
		...property,
		name: 'source',
		noDataExpression: true,
		required: true,
		options: [
			{ name: names.agent, value: 'agent', description: 'Events in each call of an agent, also inbound' },
			{ name: names.campaign, value: 'campaign', description: 'Events of a campaign and its calls, with reports' },
		],
		default: 'campaign',
	});
}

/** Shows and reads one of two fields, depending on the {@link sourceChoice}. */
export function bySource<const Key extends string, Value>(fields: Record<OwnerType, Field<Key, Value>>) {
	return [onlyFor('source', ['campaign'], fields.campaign), onlyFor('source', ['agent'], fields.agent)] as unknown as [
		Field<Key, Value>,
		Field<Key, Value>,
	];
}
