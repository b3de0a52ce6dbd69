import { invalid } from '../../../shared/errors/serviceError';
import { choice, defineField, rowsOf, textual, withRules, type Zod } from '../../../shared/fields/field';
import { text } from '../../../shared/fields/kinds';
import { assertInOrder, momentField, userId } from '../../fields/calendars';

export const title = text('title', {
	displayName: 'Title',
	name: 'title',
	required: true,
	placeholder: 'e.g. Visit of Ms. Lopez',
	description: 'Title of the event',
});

export const startAt = momentField('start_at', {
	displayName: 'Start',
	name: 'start',
	required: true,
	description: 'When the event begins',
});

export const endAt = momentField('end_at', {
	displayName: 'End',
	name: 'end',
	required: true,
	description: 'When the event ends, after its start',
});

export const details = text(
	'description',
	{ displayName: 'Description', name: 'description', description: 'Description of the event' },
	{ multiline: true },
);

const anyStatus = choice('status', {
	displayName: 'Status',
	name: 'status',
	options: [
		{ name: 'Cancelled', value: 'cancelled', description: 'The event does not take place but stays in the list' },
		{ name: 'Confirmed', value: 'confirmed', description: 'The event takes place' },
		{ name: 'Tentative', value: 'tentative', description: 'The event may take place' },
	],
	default: 'confirmed',
	description: 'Whether the event takes place. The default for a new event is Confirmed.',
});

export const [eventStatus] = withRules({ ai: { not: ['cancelled'] } }, anyStatus);

export const eventType = text('type', {
	displayName: 'Type',
	name: 'eventType',
	placeholder: 'e.g. appointment',
	description: 'Your own tag, such as meeting, block or appointment',
});

export const createdBy = userId('created_by', {
	displayName: 'Created By',
	name: 'createdBy',
	description: 'ID of the user who is the creator of the event',
});

export const ownerId = userId('owner_id', {
	displayName: 'Owner ID',
	name: 'ownerId',
	description: 'ID of the user or voice agent that owns the event, depending on Owner Type',
});

export const ownerType = choice('owner_type', {
	displayName: 'Owner Type',
	name: 'ownerType',
	options: [
		{ name: 'User', value: 'user' },
		{ name: 'Voice Agent', value: 'agent' },
	],
	default: 'user',
	description: 'Whether Owner ID is the ID of a user or of a voice agent',
});

/** Returns the checks for the name and the email address of an attendee. */
export function attendeeParts(zod: Zod) {
	return {
		name: textual(zod, zod.string().trim().min(1)),
		email: zod.string().trim().email('Enter an email address, like name@email.com'),
	};
}

/** Makes the attendees field. @param note explains what happens to the current attendees */
export function attendees(note = '') {
	return defineField({
		key: 'attendees',
		properties: [
			{
				displayName: 'Attendees',
				name: 'attendees',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add Attendee',
				default: {},
				description: `Attendees of the event${note}`,
				options: [
					{
						displayName: 'Attendee',
						name: 'values',
						values: [
							{ displayName: 'Name', name: 'name', type: 'string', default: '' },
							{
								displayName: 'Email',
								name: 'email',
								type: 'string',
								placeholder: 'name@email.com',
								default: '',
							},
						],
					},
				],
			},
		],
		read: ({ get }) => rowsOf(get('attendees')),
		check: (zod) => zod.array(zod.object(attendeeParts(zod)).strict()),
	});
}

/** The fields of an event that depend on one another. */
interface Event {
	start_at?: string;
	end_at?: string;
	owner_id?: string;
	owner_type?: string;
}

/**
 * Asserts that the end is after the start, and that the owner has both ID and type.
 *
 * @throws ServiceError `INVALID_INPUT`
 */
export function assertFits({ start_at, end_at, owner_id, owner_type }: Event): void {
	assertInOrder(['Start', start_at], ['End', end_at]);
	if ((owner_id === undefined) === (owner_type === undefined)) {
		return;
	}
	throw invalid(
		"'Owner ID' and 'Owner Type' go together",
		'Add both or neither: one identifies the owner, the other says whether it is a user or a voice agent.',
	);
}
