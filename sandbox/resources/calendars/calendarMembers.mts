import { z } from 'zod';

import { flatErrorBody } from '../../http/errorSchemas.mts';
import { flatError, invalidFields, notFound } from '../../http/httpErrors.mts';
import { ASSUMED } from '../../http/named.mts';
import { created, done, ok } from '../../http/response.mts';
import { dataOf, doneBody } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { iso } from '../../time/time.mts';
import type { Calendar, CalendarMember } from '../../world/calendar.mts';
import { newId } from '../../world/ids.mts';
import { memberBody, roleBody } from './calendarFields.mts';
import { addedMemberSchema, memberRoleSchema, memberSchema } from './calendarSchemas.mts';
import { findCalendar } from './calendars.mts';

const LIST = '/api/v1/calendars/:calendar_id/members';
const ONE = `${LIST}/:member_id`;
const refusal = 'coded';

/** A calendar's members: list, add, change the role, remove. Any user id is accepted. */
export const calendarMemberRoutes: Route[] = [
	route({
		method: 'GET',
		path: LIST,
		summary: "List a calendar's members",
		description: 'Everybody who can use the calendar, with their roles.',
		refusal,
		responses: { 200: dataOf(z.array(memberSchema)) },
		handle: ({ world, params }) => ok(findCalendar(world, params.calendar_id).members.map(listed)),
	}),
	route({
		method: 'POST',
		path: LIST,
		summary: 'Add a member to a calendar',
		description: 'A new owner replaces the present owner, who becomes an editor.',
		refusal,
		body: memberBody,
		responses: { 201: dataOf(addedMemberSchema) },
		errors: { 409: { when: `The user is already a member. ${ASSUMED}`, body: flatErrorBody } },
		handle({ world, params, body }) {
			const calendar = findCalendar(world, params.calendar_id);
			const { user_id, role } = body();
			if (calendar.members.some((member) => member.user_id === user_id)) {
				throw flatError(409, 'The user is already a member of the calendar.');
			}
			const member: CalendarMember = { id: newId(world), user_id, role: 'viewer', added: world.clock.now() };
			calendar.members.push(member);
			setRole(calendar, member, role);
			return created({ id: member.id, user_id, role });
		},
	}),
	route({
		method: 'PUT',
		path: ONE,
		summary: "Change a calendar member's role",
		description: 'A new owner replaces the present owner, who becomes an editor.',
		refusal,
		body: roleBody,
		responses: { 200: dataOf(memberRoleSchema) },
		handle({ world, params, body }) {
			const calendar = findCalendar(world, params.calendar_id);
			const member = findMember(calendar, params.member_id);
			const { role } = body();
			if (member.role === 'owner' && role !== 'owner') {
				throw invalidFields({ role: ['A calendar has an owner. Make another member the owner instead.'] });
			}
			setRole(calendar, member, role);
			return ok({ id: member.id, role });
		},
	}),
	route({
		method: 'DELETE',
		path: ONE,
		summary: 'Remove a member from a calendar',
		description: 'The owner cannot be removed.',
		refusal,
		responses: { 200: doneBody },
		errors: { 409: { when: `The owner cannot be removed. ${ASSUMED}`, body: flatErrorBody } },
		handle({ world, params }) {
			const calendar = findCalendar(world, params.calendar_id);
			const member = findMember(calendar, params.member_id);
			if (member.role === 'owner') {
				throw flatError(409, 'The owner of a calendar cannot be removed.');
			}
			calendar.members.splice(calendar.members.indexOf(member), 1);
			return done('Member removed successfully.');
		},
	}),
];

/** Changes a role. A new owner replaces the previous owner, who becomes an editor. */
function setRole(calendar: Calendar, member: CalendarMember, role: CalendarMember['role']): void {
	const owner = calendar.members.find((other) => other.role === 'owner');
	if (role === 'owner' && owner) {
		owner.role = 'editor';
	}
	member.role = role;
}

function findMember(calendar: Calendar, id: string | undefined): CalendarMember {
	const member = calendar.members.find((other) => other.id === id);
	if (!member) {
		throw notFound('Member');
	}
	return member;
}

function listed({ id, user_id, role, added }: CalendarMember): Record<string, unknown> {
	const short = user_id.slice(0, 8);
	return { id, user_id, name: `User ${short}`, email: `user-${short}@example.com`, role, added_at: iso(added) };
}
