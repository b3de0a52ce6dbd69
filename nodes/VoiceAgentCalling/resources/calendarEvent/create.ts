import { calendar } from '../../../shared/pickers/locators';
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

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create calendar event',
	description: 'Add an event to a calendar. To find a free time for it first, use Availability, Get Slots.',
	fields: [calendar, title, startAt, endAt],
	options: [attendees(), createdBy, details, eventType, ownerId, ownerType, eventStatus],
	check: assertFits,
	request: ({ calendarId, ...body }) => ({
		method: 'POST',
		path: ['calendars', calendarId, 'events'],
		body,
	}),
	output: (response) => response.data,
});
