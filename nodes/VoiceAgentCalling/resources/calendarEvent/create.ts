import type { ServiceRequest } from '../../../shared/client/request';
import { local } from '../../../shared/fields/field';
import { toggle } from '../../../shared/fields/kinds';
import { calendar } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { createdObject } from '../../operation/responses';
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
import { bookIfFree, LONGEST_EVENT_DAYS } from './slotCheck';

const checkSlot = local(
	toggle('checkSlot', {
		displayName: 'Check Slot',
		name: 'checkSlot',
		default: true,
		description: `Whether to read the calendar first and fail with SLOT_TAKEN if another event overlaps this one. Cancelled events and events longer than ${LONGEST_EVENT_DAYS} days do not count. The service itself does not check: another process or program can book the time at the same moment.`,
	}),
);

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create calendar event',
	description: 'Add an event to a calendar. To find a free time for it first, use Availability → Get Slots.',
	sending: true,
	fields: [calendar, title, startAt, endAt],
	options: [attendees(), checkSlot, createdBy, details, eventType, ownerId, ownerType, eventStatus],
	check: assertFits,
	async run(api, { calendarId, ...body }, { checkSlot }) {
		const request: ServiceRequest = { method: 'POST', path: ['calendars', calendarId, 'events'], body };
		// A cancelled event does not occupy its time.
		const isChecked = checkSlot && body.status !== 'cancelled';
		const response = isChecked ? await bookIfFree(api, { calendarId, ...body }, request) : await api.request(request);
		return createdObject(response, 'event');
	},
});
