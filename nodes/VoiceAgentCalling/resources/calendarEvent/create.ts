import { calendar } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
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
	description: 'Add an event to a calendar. To find a free time for it first, use Availability, Get Slots.',
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
