import { choice } from '../../../shared/field';

/** Of the twenty fields of an agent, the ten that tell it from others and say if it can call. */
export const simplifiedAgent = [
	'id',
	'name',
	'label',
	'description',
	'language',
	'direction',
	'current_status',
	'is_ready_to_publish',
	'phone_numbers',
	'updated_at',
];

/** @param description what the direction is for in the operation */
export function direction(description: string) {
	return choice('direction', {
		displayName: 'Direction',
		name: 'direction',
		options: [
			{ name: 'Inbound', value: 'inbound', description: 'The agent receives calls on its numbers' },
			{ name: 'Outbound', value: 'outbound', description: 'The agent places calls from its numbers' },
		],
		default: 'outbound',
		description,
	});
}
