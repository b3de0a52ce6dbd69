import { byId, type Service } from '../service.mts';
import type { Runs } from './runs.mts';

/** The IDs of the objects of the calendar in the seed. */
async function idsOf(service: Service, path: string): Promise<string[]> {
	const { body } = await service.api('GET', `calendars/${service.seed.calendar}/${path}`);
	return (body.data as Array<{ id: string }>).map(({ id }) => id);
}

export const calendar: Runs = ({ seed }) => {
	const calendar = byId(seed.calendar);
	return {
		create: [{ name: 'Visits', owner: byId(seed.user) }],
		// Metadata is defined by the user, so it does not belong to the schema.
		update: [{ calendar, updateFields: { name: 'Renamed', metadataFields: {} } }],
		get: [{ calendar }],
		getAll: [{ returnAll: true }],
		getProviders: [{ calendar, returnAll: true }],
		getSyncStatus: [{ returnAll: true }],
	};
};

export const calendarMember: Runs = (service) => {
	const calendar = byId(service.seed.calendar);
	const viewer = async () => byId((await idsOf(service, 'members')).at(-1) as string);
	return {
		getAll: [{ calendar }],
		update: async () => [{ calendar, calendarMember: await viewer(), role: 'editor' }],
		remove: async () => [{ calendar, calendarMember: await viewer() }],
		add: [{ calendar, userId: '11111111-1111-4111-8111-111111111111', role: 'viewer' }],
	};
};

export const calendarEvent: Runs = (service) => {
	const { seed } = service;
	const calendar = byId(seed.calendar);
	const event = { calendar, calendarEvent: byId(seed.calendarEvent) };
	const [start, end] = ['2031-07-07T09:00:00Z', '2031-07-07T10:00:00Z'];
	return {
		create: [
			{ calendar, title: 'Visit', start, end, options: { eventType: 'appointment', description: 'At noon' } },
			{ calendar, title: 'Visit', start: end, end: '2031-07-07T11:00:00Z', options: { checkSlot: true } },
		],
		getAll: [
			{ calendar, returnAll: true },
			{ eventsOf: 'several', calendars: [seed.calendar] },
		],
		createMeeting: [event],
		addAttendee: [{ ...event, attendeeName: 'Ada', attendeeEmail: 'ada@example.com' }],
		get: async () => (await idsOf(service, 'events')).map((id) => ({ calendar, calendarEvent: byId(id) })),
		removeAttendee: async () => {
			const { body } = await service.api('GET', `calendars/${seed.calendar}/events/${seed.calendarEvent}`);
			const [{ id }] = (body.data as { attendees: [{ id: string }] }).attendees;
			return [{ ...event, eventAttendee: byId(id) }];
		},
		update: [{ ...event, updateFields: { status: 'cancelled' } }],
		delete: [event],
	};
};

export const availability: Runs = (service) => {
	const calendar = byId(service.seed.calendar);
	const slots = { calendar, from: '2031-07-07T09:00:00Z', to: '2031-07-07T12:00:00Z' };
	const recurring = { calendar, ruleType: 'recurring', startTime: '09:00', endTime: '17:00' };
	const exception = { calendar, ruleType: 'exception', date: '2031-12-24' };
	const allRules = async () =>
		(await idsOf(service, 'availability-rules')).map((id) => ({ calendar, availabilityRule: byId(id) }));
	return {
		getSlots: [slots, { ...slots, options: { localTimezone: 'Europe/Berlin' } }],
		createRule: [recurring, { ...recurring, options: { timezone: 'Europe/Berlin' } }, exception],
		getAllRules: [{ calendar, returnAll: true }],
		updateRule: async () => {
			const rules = await allRules();
			const changes = { daysOfWeek: [1], startTime: '10:00', endTime: '16:00', timezone: 'Europe/Berlin' };
			return [
				{ ...rules[0], ruleType: 'recurring', updateFields: changes },
				{ ...rules.at(-1), ruleType: 'exception', updateFields: { date: '2031-12-25', available: true } },
			];
		},
		deleteRule: allRules,
	};
};
