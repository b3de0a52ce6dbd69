import { z } from 'zod';

import { hangUp, isInProgress } from '../../engine/calls/simulator.mts';
import { codedError } from '../../http/errorSchemas.mts';
import { flatError, notFound } from '../../http/httpErrors.mts';
import { ok } from '../../http/response.mts';
import { dataOf } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { iso } from '../../time/time.mts';
import type { Call } from '../../world/call.mts';
import { findAgent } from '../agents/agents.mts';
import { activeCallSchema, endedCallSchema } from './callSchemas.mts';

const PATH = '/api/v1/agents/:agent_id';

/** An agent's calls in progress: find calls by number, end a call. */
export const activeCallRoutes: Route[] = [
	route({
		method: 'GET',
		path: `${PATH}/active-call/:phone`,
		summary: "Get an agent's active call to a number",
		description: 'The calls in progress with this number. 404 without such a call.',
		refusal: 'unauthenticated',
		responses: { 200: dataOf(z.array(activeCallSchema)) },
		handle({ world, params }) {
			const agent = findAgent(world, params.agent_id);
			const found = [...world.calls.values()].filter(
				(call) => call.agentId === agent.id && otherSide(call) === params.phone && isInProgress(call),
			);
			if (found.length === 0) {
				throw notFound('Active call');
			}
			const now = world.clock.now();
			return ok(
				found.map(({ id, to, status, created }) => ({
					id,
					agent_id: agent.id,
					to,
					status,
					started_at: iso(created),
					duration_seconds: Math.floor((now - created) / 1000),
				})),
			);
		},
	}),
	route({
		method: 'POST',
		path: `${PATH}/end-call`,
		summary: 'End an active call',
		description: 'Hangs up. `call_sid` is the ID that placing the call returned.',
		refusal: 'unauthenticated',
		body: z.object({ call_sid: z.string().min(1) }),
		responses: { 200: dataOf(endedCallSchema) },
		errors: { 409: { when: 'The call is already over', body: codedError('CALL_NOT_ACTIVE') } },
		handle({ world, params, body }) {
			const agent = findAgent(world, params.agent_id);
			const call = world.calls.get(body().call_sid);
			if (call?.agentId !== agent.id) {
				throw notFound('Call');
			}
			if (!isInProgress(call)) {
				throw flatError(409, 'The call is already over.', { code: 'CALL_NOT_ACTIVE' });
			}
			hangUp(world, call, 'api');
			const { id, status, updated } = call;
			return ok({ id, status, ended_at: iso(updated), ended_reason: 'ended_by_api' });
		},
	}),
];

/** Returns the number of the person. */
function otherSide({ direction, to, from }: Call): string {
	return direction === 'inbound' ? from : to;
}
