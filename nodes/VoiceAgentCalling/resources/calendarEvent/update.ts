import { withRules } from '../../../shared/fields/field';
import { calendar, calendarEvent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import {
	assertFits,
	attendees,
	createdBy,
	details,
	endAt,
	eventStatus,
	eventType,
	ownerId,
	ownerType,
	startAt,
	title,
} from './fields';

const allAttendees = attendees(
	'. They replace the current attendees: to change single ones, use Add Attendee or Remove Attendee.',
);

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update calendar event',
	description: 'Change an event of a calendar, for example move or cancel it',
	sending: true,
	fields: [calendar, calendarEvent],
	updates: [
		createdBy,
		endAt,
		startAt,
		eventStatus,
		title,
		// These fields can take the event away from its attendees or owner.
		...withRules({ ai: 'fixed' }, allAttendees, ownerId, ownerType),
		...withRules({ empty: 'null' }, details, eventType),
	],
	check: assertFits,
	request: ({ calendarId, eventId, ...body }) => ({
		method: 'PUT',
		path: ['calendars', calendarId, 'events', eventId],
		body,
	}),
	output: (response) => response.data,
});
