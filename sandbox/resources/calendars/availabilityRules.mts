import { z } from 'zod';

import { invalidFields, notFound } from '../../http/httpErrors.mts';
import { created, done, ok } from '../../http/response.mts';
import { dataOf, doneBody } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import type { AvailabilityRule, Calendar } from '../../world/calendar.mts';
import { newId } from '../../world/ids.mts';
import type { World } from '../../world/world.mts';
import { ruleBody, ruleUpdateBody } from './calendarFields.mts';
import { createdRuleSchema, ruleSchema, updatedRuleSchema } from './calendarSchemas.mts';
import { findCalendar } from './calendars.mts';

const LIST = '/api/v1/calendars/:calendar_id/availability-rules';
const ONE = `${LIST}/:rule_id`;
const refusal = 'coded';

/** The fields of each type of rule. */
const FIELDS = {
	recurring: ['days_of_week', 'start_time', 'end_time', 'timezone'],
	exception: ['date', 'available'],
} as const;

/** A calendar's availability rules: list, create, update, delete. */
export const availabilityRuleRoutes: Route[] = [
	route({
		method: 'GET',
		path: LIST,
		summary: "List a calendar's availability rules",
		description: 'Weekly hours, and single days that differ from them.',
		refusal,
		responses: { 200: dataOf(z.array(ruleSchema)) },
		handle: ({ world, params }) => ok([...findCalendar(world, params.calendar_id).rules.values()]),
	}),
	route({
		method: 'POST',
		path: LIST,
		summary: 'Create an availability rule',
		description: 'Either weekly hours, or a single day that is open or closed.',
		refusal,
		body: ruleBody,
		responses: { 201: dataOf(createdRuleSchema) },
		handle({ world, params, body }) {
			const calendar = findCalendar(world, params.calendar_id);
			const given = body();
			const id = newId(world);
			if (given.type === 'exception') {
				calendar.rules.set(id, { id, ...given });
				return created({ id, ...given });
			}
			const { timezone = calendar.timezone, ...shown } = given;
			calendar.rules.set(id, checked({ id, ...shown, timezone }));
			return created({ id, ...shown });
		},
	}),
	route({
		method: 'PUT',
		path: ONE,
		summary: 'Update an availability rule',
		description: 'Changes the fields that are sent. The type of a rule cannot change.',
		refusal,
		body: ruleUpdateBody,
		responses: { 200: dataOf(updatedRuleSchema) },
		handle({ world, params, body }) {
			const { calendar, rule } = findRule(world, params);
			const given = body();
			if (given.type && given.type !== rule.type) {
				throw invalidFields({ type: ['The type of a rule cannot change.'] });
			}
			const own = Object.entries(given).filter(([name]) => FIELDS[rule.type].some((field) => field === name));
			const changes = Object.fromEntries(own);
			const changed = checked({ ...rule, ...changes });
			calendar.rules.set(rule.id, changed);
			const end = changed.type === 'recurring' ? { end_time: changed.end_time } : {};
			return ok({ id: rule.id, ...end, ...changes });
		},
	}),
	route({
		method: 'DELETE',
		path: ONE,
		summary: 'Delete an availability rule',
		description: 'Its hours are no longer offered.',
		refusal,
		responses: { 200: doneBody },
		handle({ world, params }) {
			const { calendar, rule } = findRule(world, params);
			calendar.rules.delete(rule.id);
			return done('Availability rule deleted successfully.');
		},
	}),
];

function findRule(world: World, params: Record<string, string>): { calendar: Calendar; rule: AvailabilityRule } {
	const calendar = findCalendar(world, params.calendar_id);
	const rule = calendar.rules.get(params.rule_id ?? '');
	if (!rule) {
		throw notFound('Availability rule');
	}
	return { calendar, rule };
}

function checked(rule: AvailabilityRule): AvailabilityRule {
	if (rule.type === 'recurring' && rule.end_time <= rule.start_time) {
		throw invalidFields({ end_time: ['The end_time must be after the start_time.'] });
	}
	return rule;
}
