import { newCalendarEvent } from '../resources/calendars/calendarEvents.mts';
import { newCalendar } from '../resources/calendars/calendars.mts';
import { DAY_MS, HOUR_MS } from '../time/wallTime.mts';
import type { Calendar, CalendarEvent, CalendarProvider, RecurringRule } from '../world/calendar.mts';
import { uuidOf } from '../world/ids.mts';
import type { World } from '../world/world.mts';

const WORKDAYS = [1, 2, 3, 4, 5];

/**
 * Adds three calendars in three time zones. Only the first has a provider for meetings. The first two are connected to
 * external calendars: one sync is long ago, the other has just ended.
 * @returns the ids of the first calendar and of its first event and rule
 */
export function seedCalendars(world: World, user: string) {
	const sales = seedCalendar(world, user, 0, 'Sales appointments', 'UTC');
	sales.metadata = { meeting_provider: 'example-meet' };
	const inactive = provider(sales, 'old@example.com', sales.created);
	sales.providers.push(provider(sales, 'sales@example.com', sales.created), { ...inactive, is_active: false });
	for (const role of ['editor', 'viewer'] as const) {
		sales.members.push({ id: uuidOf(`member, ${role}`), user_id: uuidOf(`user, ${role}`), role, added: sales.created });
	}
	const availabilityRule = addRule(sales, WORKDAYS, '09:00', '17:00');
	const attendees = [{ id: uuidOf('attendee'), name: 'Dana Example', email: 'dana@example.com' }];
	const calendarEvent = addEvent(world, sales, 'Product tour', 1, 10, { type: 'meeting', attendees });
	addEvent(world, sales, 'Contract talk', 1, 14, { type: 'meeting', status: 'tentative' });
	addEvent(world, sales, 'Trade fair', 2, 9, { type: 'block', status: 'cancelled' });

	const clinic = seedCalendar(world, user, 1, 'Clinic', 'America/New_York');
	clinic.providers.push(provider(clinic, 'clinic@example.com', world.clock.now()));
	addRule(clinic, WORKDAYS, '08:00', '12:00');
	addRule(clinic, WORKDAYS.slice(0, 4), '13:00', '16:30');
	addEvent(world, clinic, 'Check-up', 1, 15, { type: 'appointment' });

	addRule(seedCalendar(world, user, 2, 'Field service', 'Asia/Kolkata'), [1, 2, 3, 4, 5, 6], '09:30', '18:00');
	return { calendar: sales.id, calendarEvent, availabilityRule };
}

function seedCalendar(world: World, user: string, index: number, name: string, timezone: string): Calendar {
	const created = world.clock.now() - (30 - index) * DAY_MS;
	const id = uuidOf(`calendar ${index}`);
	const calendar = newCalendar(world, user, { id, name, timezone, created, updated: created });
	calendar.members[0]!.id = uuidOf(`owner of ${id}`);
	world.calendars.set(id, calendar);
	return calendar;
}

function addRule(calendar: Calendar, days_of_week: number[], start_time: string, end_time: string): string {
	const { id: calendarId, timezone, rules } = calendar;
	const id = uuidOf(`rule ${rules.size} of ${calendarId}`);
	const rule: RecurringRule = { id, type: 'recurring', days_of_week, start_time, end_time, timezone };
	rules.set(id, rule);
	return id;
}

/** Adds an event of one hour. @param hour in UTC. @returns its id */
function addEvent(
	world: World,
	{ id: calendarId, events }: Calendar,
	title: string,
	daysAhead: number,
	hour: number,
	given: Partial<CalendarEvent>,
): string {
	const today = Math.floor(world.clock.now() / DAY_MS) * DAY_MS;
	const start_at = today + daysAhead * DAY_MS + hour * HOUR_MS;
	const id = uuidOf(`event ${events.size} of ${calendarId}`);
	const event = newCalendarEvent(world, {
		title,
		start_at,
		end_at: start_at + HOUR_MS,
		description: null,
		status: 'confirmed',
		type: null,
		created_by: null,
		owner_id: null,
		owner_type: null,
		attendees: [],
	});
	events.set(id, { ...event, ...given, id });
	return id;
}

function provider({ id }: Calendar, external_calendar_id: string, lastSync: number): CalendarProvider {
	return {
		id: uuidOf(`provider ${external_calendar_id} of ${id}`),
		provider: 'example-calendar',
		external_calendar_id,
		is_active: true,
		syncStarted: null,
		lastSync,
	};
}
