import { z } from 'zod';

import { codedError, flatInvalidBody } from '../../http/errorSchemas.mts';
import { flatError, invalidFields, notFound } from '../../http/httpErrors.mts';
import { done, ok } from '../../http/response.mts';
import { dataOf, messageAndData } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import type { Agent } from '../../world/agent.mts';
import type { World } from '../../world/world.mts';
import { callbackAgentSchema, callbackConfigSchema, callbackSourceSchema } from './agentSchemas.mts';
import { findAgent } from './agents.mts';

const LIST = '/api/v1/callback-agents';
const PATH = '/api/v1/agents/:agent_id/callback';
const refusal = 'unauthenticated';

const sourcesBody = z.object({ source_agent_ids: z.array(z.string().uuid()).min(1) });
const responses = { 200: messageAndData(callbackConfigSchema) };
const errors = {
	422: {
		when: 'The agent is not inbound, or a source is not a published outbound agent',
		body: z.union([codedError('INVALID_AGENT_DIRECTION'), flatInvalidBody]),
	},
};

/** Agents that answer people who call back after a missed call of another agent. */
export const callbackAgentRoutes: Route[] = [
	route({
		method: 'GET',
		path: LIST,
		summary: 'List callback agents',
		description: 'With the agents whose missed calls each of them takes.',
		refusal,
		responses: { 200: dataOf(z.array(callbackAgentSchema)) },
		handle: ({ world }) =>
			ok(
				[...world.agents.values()]
					.filter(({ callbackSources }) => callbackSources !== null)
					.map((agent) => {
						const { id, name, label, direction, current_status } = agent;
						return { id, name, label, direction, current_status, callback_config: configOf(world, agent) };
					}),
			),
	}),
	route({
		method: 'GET',
		path: `${LIST}/source-agents`,
		summary: 'List possible sources of callback agents',
		description: 'The published outbound agents.',
		refusal,
		responses: { 200: dataOf(z.array(callbackSourceSchema)) },
		handle: ({ world }) =>
			ok(
				[...world.agents.values()]
					.filter(isSource)
					.map(({ id, name, direction, current_status }) => ({ id, name, direction, current_status })),
			),
	}),
	route({
		method: 'POST',
		path: PATH,
		summary: 'Make an agent a callback agent',
		description: 'It has to be inbound. It takes the missed calls of the source agents.',
		refusal,
		body: sourcesBody,
		responses,
		errors,
		handle({ world, params, body }) {
			const agent = findAgent(world, params.agent_id);
			return setSources(world, agent, body().source_agent_ids, 'The agent is a callback agent.');
		},
	}),
	route({
		method: 'PUT',
		path: PATH,
		summary: 'Replace the sources of a callback agent',
		description: 'The new list replaces the previous list.',
		refusal,
		body: sourcesBody,
		responses,
		errors,
		handle({ world, params, body }) {
			const agent = findAgent(world, params.agent_id);
			if (agent.callbackSources === null) {
				throw notFound('Callback agent');
			}
			return setSources(world, agent, body().source_agent_ids, 'Callback sources updated successfully.');
		},
	}),
];

function isSource({ direction, current_status }: Agent): boolean {
	return direction === 'outbound' && current_status === 'published';
}

/** @throws 422 for an agent that is not inbound, or an invalid source */
function setSources(world: World, agent: Agent, ids: string[], message: string) {
	if (agent.direction !== 'inbound') {
		throw flatError(422, 'Only an inbound agent can be a callback agent.', { code: 'INVALID_AGENT_DIRECTION' });
	}
	const sources = ids.map((id) => world.agents.get(id));
	if (!sources.every((source) => source && isSource(source))) {
		throw invalidFields({ source_agent_ids: ['Each source has to be a published outbound agent.'] });
	}
	agent.callbackSources = [...new Set(ids)];
	const { id, name, direction } = agent;
	return done(message, { id, name, direction, callback_config: configOf(world, agent) });
}

/** Deleted sources are left out. */
function configOf(world: World, { callbackSources }: Agent) {
	return { source_agent_ids: (callbackSources ?? []).filter((id) => world.agents.has(id)) };
}
