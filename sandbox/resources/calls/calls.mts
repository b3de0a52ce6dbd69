import { z } from 'zod';

import { pageOf, pagination } from '../../http/paging.mts';
import { ok } from '../../http/response.mts';
import { dataOf, pagePosition } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { isoDate, pageQuery } from '../../http/schemas.mts';
import { iso, withinDays } from '../../time/time.mts';
import type { Call } from '../../world/call.mts';
import { formatNumber } from '../../world/phoneNumber.mts';
import type { World } from '../../world/world.mts';
import { findAgent } from '../agents/agents.mts';
import { agentCallRecordSchema, callRecordSchema } from './callSchemas.mts';

const listQuery = z.object({
	status: z.enum(['initiated', 'ringing', 'answered', 'completed', 'failed', 'busy', 'no-answer']).optional(),
	direction: z.enum(['inbound', 'outbound']).optional(),
	agent_id: z.string().optional(),
	date_from: isoDate.optional(),
	date_to: isoDate.optional(),
	search: z.string().optional(),
	...pageQuery,
});

/** The call lists, newest first: all calls, and the calls of an agent. */
export const callRoutes: Route[] = [
	route({
		method: 'GET',
		path: '/api/v1/calls',
		summary: 'List calls',
		description: 'A page of the calls, the newest first.',
		refusal: 'unauthorized',
		query: listQuery,
		responses: { 200: dataOf(z.array(callRecordSchema), { pagination: pagePosition }) },
		handle({ world, query }) {
			const filter = query();
			const page = pageOf(find(world, filter), filter);
			const data = page.items.map((call) => callRecord(world, call));
			return ok(data, { pagination: pagination(page) });
		},
	}),
	route({
		method: 'GET',
		path: '/api/v1/agents/:agent_id/calls',
		summary: "List an agent's calls",
		description: 'A page of the calls through one agent, the newest first.',
		refusal: 'unauthenticated',
		query: listQuery,
		responses: { 200: dataOf(z.array(agentCallRecordSchema), { pagination: pagePosition }) },
		handle({ world, params, query }) {
			const { id } = findAgent(world, params.agent_id);
			const filter = { ...query(), agent_id: id };
			const page = pageOf(find(world, filter), filter);
			const data = page.items.map((call) => {
				const { agent: _agent, ...record } = callRecord(world, call);
				return record;
			});
			return ok(data, { pagination: pagination(page) });
		},
	}),
];

/** Returns a call for the list of all calls. */
export function callRecord(world: World, call: Call): Record<string, unknown> {
	const agent = world.agents.get(call.agentId);
	return {
		id: call.id,
		sid: call.sid,
		to: call.to,
		to_formatted: formatNumber(call.to),
		from: call.from,
		from_formatted: formatNumber(call.from),
		is_testing: call.isTesting,
		direction: call.direction,
		status: call.status,
		duration: call.duration,
		agent: agent ? { id: agent.id, name: agent.name, label: agent.label } : null,
		created_at: iso(call.created),
		updated_at: iso(call.updated),
	};
}

function find(world: World, filter: z.output<typeof listQuery>): Call[] {
	const { search = '' } = filter;
	return [...world.calls.values()]
		.filter(
			(call) =>
				(!filter.status || call.status === filter.status) &&
				(!filter.direction || call.direction === filter.direction) &&
				(!filter.agent_id || call.agentId === filter.agent_id) &&
				withinDays(call.created, filter.date_from, filter.date_to) &&
				[call.to, call.from, call.sid].some((text) => text.includes(search)),
		)
		.sort((one, other) => other.created - one.created);
}
