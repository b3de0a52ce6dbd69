import { calendar } from '../../../shared/locators';
import { defineOperation } from '../../../shared/operation';
import {
	assertFits,
	attendees,
	createdBy,
	details,
	end,
	eventType,
	ownerId,
	ownerType,
	start,
	status,
	title,
} from './fields';

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create a calendar event',
	description:
		'Add an event to a calendar. It need not lie in a free slot: ask for those with Availability, Get Slots before.',
	fields: [calendar, title, start, end],
	options: [attendees(), createdBy, details, eventType, ownerId, ownerType, status],
	check: assertFits,
	request: ({ calendarId, ...body }) => ({
		method: 'POST',
		path: ['calendars', calendarId, 'events'],
		body,
	}),
	output: (response) => response.data,
});
