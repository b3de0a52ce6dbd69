import { z } from 'zod';

import { freeSlots } from '../../engine/freeSlots.mts';
import { ok } from '../../http/response.mts';
import { dataOf } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { iso } from '../../time/time.mts';
import { availabilityQuery } from './calendarFields.mts';
import { slotSchema } from './calendarSchemas.mts';
import { findCalendar } from './calendars.mts';

/** `GET /calendars/{calendar_id}/availability`: the free slots within an interval. */
export const availabilityRoutes: Route[] = [
	route({
		method: 'GET',
		path: '/api/v1/calendars/:calendar_id/availability',
		summary: "List a calendar's free slots",
		description: 'The time that the availability rules open and events leave free, in slots of `duration_minutes`.',
		refusal: 'coded',
		query: availabilityQuery,
		responses: { 200: dataOf(z.array(slotSchema)) },
		handle({ world, params, query }) {
			const { timezone, rules, events } = findCalendar(world, params.calendar_id);
			const { from, to, duration_minutes } = query();
			const calendar = { timezone, rules: [...rules.values()], events: [...events.values()] };
			const slots = freeSlots(calendar, { from, to }, duration_minutes);
			return ok(slots.map((slot) => ({ start_at: iso(slot.from), end_at: iso(slot.to) })));
		},
	}),
];
