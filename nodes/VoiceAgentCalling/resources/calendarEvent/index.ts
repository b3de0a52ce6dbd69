import type { Resource } from '../../operation/operation';
import { addAttendee } from './addAttendee';
import { create } from './create';
import { createMeeting } from './createMeeting';
import { deleteEvent } from './delete';
import { get } from './get';
import { getMany } from './getMany';
import { removeAttendee } from './removeAttendee';
import { update } from './update';

export const calendarEventResource: Resource = {
	name: 'Calendar Event',
	value: 'calendarEvent',
	operations: [addAttendee, create, createMeeting, deleteEvent, get, getMany, removeAttendee, update],
};
