import { z } from 'zod';

import { anyObject, isoDate, isoMoment, pagesOf, queryInteger, timezoneName } from '../../http/schemas.mts';

const text = z.string().min(1).max(255);
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const endTime = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/);
const status = z.enum(['confirmed', 'tentative', 'cancelled']);

/** The longest interval of a query for free slots, in days. */
const LONGEST_DAYS = 62;

/** The list of calendars has only one page. */
export const calendarQuery = z.object({ per_page: pagesOf(25).per_page });

const calendarFields = { name: text, timezone: timezoneName, metadata: anyObject };
export const calendarUpdateBody = z.object(calendarFields).partial();
export const calendarBody = calendarUpdateBody.required({ name: true }).extend({ owner_id: z.string().uuid() });

const role = z.enum(['owner', 'editor', 'viewer']);
export const memberBody = z.object({ user_id: z.string().uuid(), role });
export const roleBody = z.object({ role });

export const attendeeBody = z.object({ name: text, email: z.string().email().max(255) });

export const eventBody = z.object({
	title: text,
	start_at: isoMoment,
	end_at: isoMoment,
	description: z.string().nullable().default(null),
	status: status.default('confirmed'),
	type: text.nullable().default(null),
	created_by: z.string().uuid().nullable().default(null),
	owner_id: z.string().uuid().nullable().default(null),
	owner_type: z.enum(['user', 'agent']).nullable().default(null),
	attendees: z.array(attendeeBody).default([]),
});

/** An update does not change missing fields, so that defaults do not apply. */
export const eventUpdateBody = eventBody.partial();

export const eventQuery = z.object({ from: isoMoment.optional(), to: isoMoment.optional(), status: status.optional() });

/** Ids are sent as `calendar_ids[]`, once per id. */
export const batchQuery = z.preprocess(
	(query) => {
		const { 'calendar_ids[]': ids, ...rest } = query as Record<string, unknown>;
		return { ...rest, calendar_ids: ids === undefined ? undefined : [ids].flat() };
	},
	z.object({ calendar_ids: z.array(z.string()), from: isoMoment.optional(), to: isoMoment.optional() }),
);

const recurring = z.object({
	days_of_week: z.array(z.number().int().min(1).max(7)).min(1),
	start_time: time,
	end_time: endTime,
	timezone: timezoneName.optional(),
});
const exception = z.object({ date: isoDate, available: z.boolean() });

export const ruleBody = z.discriminatedUnion('type', [
	recurring.extend({ type: z.literal('recurring') }),
	exception.extend({ type: z.literal('exception') }),
]);

/** The fields of both types. Fields of the other type are ignored. */
export const ruleUpdateBody = z
	.object({ type: z.enum(['recurring', 'exception']), ...recurring.shape, ...exception.shape })
	.partial();

export const availabilityQuery = z
	.object({
		from: isoMoment,
		to: isoMoment,
		duration_minutes: queryInteger.pipe(z.number().min(5).max(1440)).default('30'),
	})
	.superRefine(({ from, to }, context) => {
		const issue = (message: string) => context.addIssue({ code: 'custom', path: ['to'], message });
		if (to <= from) {
			issue('The to field must be after the from field.');
		}
		if (to - from > LONGEST_DAYS * 86_400_000) {
			issue(`The range must be at most ${LONGEST_DAYS} days.`);
		}
	});
