import { z } from 'zod';

import { notFound } from '../../http/httpErrors.mts';
import { pageOf } from '../../http/paging.mts';
import { created, done, ok } from '../../http/response.mts';
import { dataOf, doneBody } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { iso } from '../../time/time.mts';
import type { Calendar } from '../../world/calendar.mts';
import { newId } from '../../world/ids.mts';
import type { World } from '../../world/world.mts';
import { calendarBody, calendarQuery, calendarUpdateBody } from './calendarFields.mts';
import { calendarSchema, listedCalendarSchema, updatedCalendarSchema } from './calendarSchemas.mts';

/** The environment's time zone, which is the default of a calendar. */
const ENVIRONMENT_ZONE = 'UTC';

const LIST = '/api/v1/calendars';
const ONE = `${LIST}/:calendar_id`;
const refusal = 'coded';

/** Calendars: list, create, get, update, delete. Other files handle the parts of calendars. */
export const calendarRoutes: Route[] = [
	route({
		method: 'GET',
		path: LIST,
		summary: 'List calendars',
		description: 'A page of the calendars, in the order of their creation.',
		refusal,
		query: calendarQuery,
		responses: { 200: dataOf(z.array(listedCalendarSchema)) },
		handle({ world, query }) {
			const { items } = pageOf([...world.calendars.values()], { page: 1, ...query() });
			return ok(items.map(listed));
		},
	}),
	route({
		method: 'POST',
		path: LIST,
		summary: 'Create a calendar',
		description: 'Its only member is the owner. Without availability rules, it offers no free time.',
		refusal,
		body: calendarBody,
		responses: { 201: dataOf(listedCalendarSchema) },
		handle({ world, body }) {
			const { owner_id, ...settings } = body();
			const calendar = newCalendar(world, owner_id, settings);
			world.calendars.set(calendar.id, calendar);
			return created(listed(calendar));
		},
	}),
	route({
		method: 'GET',
		path: ONE,
		summary: 'Get a calendar',
		description: 'With its metadata.',
		refusal,
		responses: { 200: dataOf(calendarSchema) },
		handle({ world, params }) {
			const calendar = findCalendar(world, params.calendar_id);
			return ok({ ...listed(calendar), metadata: calendar.metadata, updated_at: iso(calendar.updated) });
		},
	}),
	route({
		method: 'PUT',
		path: ONE,
		summary: 'Update a calendar',
		description: 'Changes the fields that are sent.',
		refusal,
		body: calendarUpdateBody,
		responses: { 200: dataOf(updatedCalendarSchema) },
		handle({ world, params, body }) {
			const calendar = findCalendar(world, params.calendar_id);
			Object.assign(calendar, body(), { updated: world.clock.now() });
			const { id, name, updated } = calendar;
			return ok({ id, name, updated_at: iso(updated) });
		},
	}),
	route({
		method: 'DELETE',
		path: ONE,
		summary: 'Delete a calendar',
		description: 'Also deletes its events, members and availability rules.',
		refusal,
		responses: { 200: doneBody },
		handle({ world, params }) {
			world.calendars.delete(findCalendar(world, params.calendar_id).id);
			return done('Calendar deleted successfully.');
		},
	}),
];

/** @throws 404 in the flat format */
export function findCalendar(world: World, id: string | undefined): Calendar {
	const calendar = world.calendars.get(id ?? '');
	if (!calendar) {
		throw notFound('Calendar');
	}
	return calendar;
}

/** Returns a calendar with an owner, without events and rules. */
export function newCalendar(
	world: World,
	ownerId: string,
	given: Pick<Calendar, 'name'> & Partial<Calendar>,
): Calendar {
	const now = world.clock.now();
	return {
		id: newId(world),
		timezone: ENVIRONMENT_ZONE,
		metadata: {},
		members: [{ id: newId(world), user_id: ownerId, role: 'owner', added: now }],
		events: new Map(),
		rules: new Map(),
		providers: [],
		created: now,
		updated: now,
		...given,
	};
}

function listed({ id, name, timezone, members, created }: Calendar): Record<string, unknown> {
	const owner_id = members.find(({ role }) => role === 'owner')?.user_id;
	return { id, name, timezone, owner_id, created_at: iso(created) };
}
