import { z } from 'zod';

import { callerNumber, pay, placeCall } from '../../engine/calls/simulator.mts';
import { nestedErrorBody } from '../../http/errorSchemas.mts';
import { nestedError } from '../../http/httpErrors.mts';
import { ok, type RouteResponse } from '../../http/response.mts';
import { dataOf } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { anyObject } from '../../http/schemas.mts';
import { iso } from '../../time/time.mts';
import type { Agent } from '../../world/agent.mts';
import { E164 } from '../../world/phoneNumber.mts';
import type { World } from '../../world/world.mts';
import { placedCallSchema } from './callSchemas.mts';

const callBody = z.object({
	to: z.string().regex(E164),
	payload: anyObject.default({}),
	context: anyObject.default({}),
	delay_seconds: z.number().int().min(0).max(3600).default(0),
	is_testing: z.boolean().default(false),
});

const field = z.literal('to');
const agent_id = z.string();

/** The errors that are specific to both routes. */
const callErrors: Route['errors'] = {
	400: {
		when: 'The phone number is missing or not in international format, or the agent cannot place calls',
		body: z.union([
			nestedErrorBody(['MISSING_PHONE_NUMBER'], { field }),
			nestedErrorBody(['INVALID_PHONE_NUMBER'], { field, value: z.unknown() }),
			nestedErrorBody(['AGENT_INACTIVE'], { agent_id }),
		]),
	},
	402: { when: 'The account lacks the credits', body: nestedErrorBody(['INSUFFICIENT_CREDITS']) },
	404: { when: 'The agent does not exist', body: nestedErrorBody(['AGENT_NOT_FOUND'], { agent_id }) },
};

/** Routes that place a call through an agent: its id is in the path or, for `POST /calls`, in the body. */
export const agentCallRoutes: Route[] = [
	route({
		method: 'POST',
		path: '/api/v1/agents/:agent_id/call',
		summary: 'Place a call through an agent',
		description:
			'A phone rings, and it costs credits unless `is_testing` is true. Not idempotent: do not repeat it after a missing response.',
		refusal: 'nested',
		body: callBody,
		responses: { 200: dataOf(placedCallSchema) },
		errors: callErrors,
		handle({ world, params, json, body }) {
			const agent = calledAgent(world, params.agent_id);
			checkNumber(json);
			return place(world, agent, body());
		},
	}),
	route({
		method: 'POST',
		path: '/api/v1/calls',
		summary: 'Place a call through the agent that the body names',
		description:
			"Like the call through an agent, with the agent's ID in the body. Not idempotent: do not repeat it after a missing response.",
		refusal: 'nested',
		body: callBody.extend({ agent_id: z.string().min(1) }),
		responses: { 200: dataOf(placedCallSchema) },
		errors: callErrors,
		handle({ world, json, body }) {
			checkNumber(json);
			const request = body();
			return place(world, calledAgent(world, request.agent_id), request);
		},
	}),
];

/** @throws 404 in the nested format */
function calledAgent(world: World, id: string | undefined): Agent {
	const agent = world.agents.get(id ?? '');
	if (!agent) {
		throw nestedError(404, 'AGENT_NOT_FOUND', 'Agent not found in this environment.', { agent_id: id });
	}
	return agent;
}

function place(world: World, agent: Agent, request: z.output<typeof callBody>): RouteResponse {
	checkAgent(world, agent);
	if (!pay(world, request.is_testing)) {
		throw nestedError(402, 'INSUFFICIENT_CREDITS', 'The account lacks the credits for this call.');
	}
	const call = placeCall(world, {
		agent,
		to: request.to,
		isTesting: request.is_testing,
		payload: request.payload,
		context: request.context,
		delaySeconds: request.delay_seconds,
	});
	const { id, to, status, created } = call;
	return ok({ id, agent_id: agent.id, to, status, created_at: iso(created) });
}

function checkNumber(json: unknown): void {
	const to = json && typeof json === 'object' ? (json as { to?: unknown }).to : undefined;
	if (to === undefined || to === null || to === '') {
		throw nestedError(400, 'MISSING_PHONE_NUMBER', 'The phone number is required.', { field: 'to' });
	}
	if (typeof to !== 'string' || !E164.test(to)) {
		throw nestedError(400, 'INVALID_PHONE_NUMBER', 'The phone number must be in international format.', {
			field: 'to',
			value: to,
		});
	}
}

function checkAgent(world: World, agent: Agent): void {
	if (agent.current_status !== 'published') {
		throw nestedError(400, 'AGENT_INACTIVE', 'The agent is not published.', { agent_id: agent.id });
	}
	if (agent.direction !== 'outbound' || !callerNumber(world, agent)) {
		throw nestedError(400, 'AGENT_INACTIVE', 'The agent has no active number to place calls from.', {
			agent_id: agent.id,
		});
	}
}
