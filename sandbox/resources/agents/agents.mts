import { z } from 'zod';

import { isInProgress } from '../../engine/calls/simulator.mts';
import { flatErrorBody, flatInvalidBody } from '../../http/errorSchemas.mts';
import { flatError, invalidFields, notFound } from '../../http/httpErrors.mts';
import { meta, pageOf } from '../../http/paging.mts';
import { created, done, ok } from '../../http/response.mts';
import { dataOf, doneBody, messageAndData, pageMeta } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { pageQuery } from '../../http/schemas.mts';
import type { Agent } from '../../world/agent.mts';
import { newId } from '../../world/ids.mts';
import type { World } from '../../world/world.mts';
import { removeWebhooksOf } from '../webhooks/webhooks.mts';
import { agentCreateBody } from './agentFields.mts';
import { agentObject, missingToPublish } from './agentObject.mts';
import { agentSchema, publishStateSchema } from './agentSchemas.mts';

const listQuery = z.object({
	status: z.enum(['draft', 'published']).optional(),
	direction: z.enum(['inbound', 'outbound']).optional(),
	search: z.string().optional(),
	...pageQuery,
});

const PATH = '/api/v1/agents/:agent_id';

/** Agents: list, create, get, delete, publish and unpublish. Other files handle the parts of agents. */
export const agentRoutes: Route[] = [
	route({
		method: 'GET',
		path: '/api/v1/agents',
		summary: 'List agents',
		description: 'A page of the agents, in the order of their creation.',
		refusal: 'unauthenticated',
		query: listQuery,
		responses: { 200: dataOf(z.array(agentSchema), { meta: pageMeta }) },
		handle({ world, query }) {
			const filter = query();
			const text = filter.search?.toLowerCase() ?? '';
			const found = [...world.agents.values()].filter(
				(agent) =>
					(!filter.status || agent.current_status === filter.status) &&
					(!filter.direction || agent.direction === filter.direction) &&
					(agent.name.toLowerCase().includes(text) || agent.label.toLowerCase().includes(text)),
			);
			const page = pageOf(found, filter);
			return ok(
				page.items.map((agent) => agentObject(world, agent)),
				{ meta: meta(page) },
			);
		},
	}),
	route({
		method: 'POST',
		path: '/api/v1/agents',
		summary: 'Create an agent',
		description:
			'The agent is a draft without a voice: set its knowledge, voice and calling settings, then publish it.',
		refusal: 'unauthenticated',
		body: agentCreateBody,
		responses: { 201: messageAndData(agentSchema) },
		handle({ world, body }) {
			const agent = newAgent(world, body());
			world.agents.set(agent.id, agent);
			return created(agentObject(world, agent), 'Agent created successfully.');
		},
	}),
	route({
		method: 'GET',
		path: PATH,
		summary: 'Get an agent',
		description: 'With its voice, actions, trainings and phone numbers.',
		refusal: 'unauthenticated',
		responses: { 200: dataOf(agentSchema) },
		handle: ({ world, params }) => ok(agentObject(world, findAgent(world, params.agent_id))),
	}),
	route({
		method: 'DELETE',
		path: PATH,
		summary: 'Delete an agent',
		description:
			'Also deletes its calls and webhooks. A published agent has to be unpublished first. Its campaigns are kept.',
		refusal: 'unauthenticated',
		responses: { 200: doneBody },
		errors: { 409: { when: 'The agent has active calls, or is published', body: flatErrorBody } },
		handle({ world, params }) {
			const agent = findAgent(world, params.agent_id);
			const calls = [...world.calls.values()].filter(({ agentId }) => agentId === agent.id);
			if (calls.some(isInProgress)) {
				throw flatError(409, 'The agent has active calls.');
			}
			if (agent.current_status === 'published') {
				throw flatError(409, 'The agent is published. Unpublish it before it is deleted.');
			}
			for (const { id } of calls) {
				world.calls.delete(id);
			}
			removeWebhooksOf(world, agent.id);
			world.agents.delete(agent.id);
			return done('Agent deleted successfully.');
		},
	}),
	route({
		method: 'POST',
		path: `${PATH}/publish`,
		summary: 'Publish an agent',
		description: 'Only a published agent places calls. It needs knowledge, a voice and an active phone number.',
		refusal: 'unauthenticated',
		responses: { 200: messageAndData(publishStateSchema) },
		errors: { 422: { when: 'The agent is not ready to publish', body: flatInvalidBody } },
		handle({ world, params }) {
			const agent = findAgent(world, params.agent_id);
			const missing = missingToPublish(world, agent);
			if (Object.keys(missing).length > 0) {
				throw invalidFields(missing);
			}
			return done('Agent published successfully.', publishState(world, agent, 'published'));
		},
	}),
	route({
		method: 'POST',
		path: `${PATH}/unpublish`,
		summary: 'Unpublish an agent',
		description: 'The agent is a draft again and places no more calls.',
		refusal: 'unauthenticated',
		responses: { 200: messageAndData(publishStateSchema) },
		handle({ world, params }) {
			const agent = findAgent(world, params.agent_id);
			return done('Agent unpublished successfully.', publishState(world, agent, 'draft'));
		},
	}),
];

/** @throws 404 in the flat format */
export function findAgent(world: World, id: string | undefined): Agent {
	const agent = world.agents.get(id ?? '');
	if (!agent) {
		throw notFound('Agent');
	}
	return agent;
}

/** Makes an agent a draft. Every change does so, except for changes to its flow and webhooks. */
export function setDraft(world: World, agent: Agent): void {
	agent.current_status = 'draft';
	agent.updated = world.clock.now();
}

/** @throws 422 for a number that does not exist in the environment */
export function checkNumbers(world: World, ids: string[] = []): void {
	if (ids.some((id) => !world.phoneNumbers.has(id))) {
		throw invalidFields({ phone_number_ids: ['One or more phone numbers do not exist in this environment.'] });
	}
}

function newAgent(world: World, body: z.output<typeof agentCreateBody>): Agent {
	const {
		name,
		label,
		description = null,
		language,
		initial_message = null,
		interrupt_sensitivity,
		conversation_speed,
		initial_message_delay,
		ask_if_human_present_on_idle,
		llm_temperature,
		direction,
		who_speaks_first,
		phone_number_ids: ids = [],
		...unshown
	} = body;
	checkNumbers(world, ids);
	const now = world.clock.now();
	return {
		id: newId(world),
		name,
		label,
		description,
		language,
		voice: null,
		initial_message,
		interrupt_sensitivity,
		conversation_speed,
		initial_message_delay,
		ask_if_human_present_on_idle,
		llm_temperature,
		direction,
		who_speaks_first,
		current_status: 'draft',
		actions: [],
		trainings: [],
		phoneNumberIds: [...new Set(ids)],
		unshown,
		conversation_mode: 'llm_driven',
		flow_config: null,
		flowVersions: [],
		callbackSources: null,
		created: now,
		updated: now,
	};
}

function publishState(world: World, agent: Agent, status: Agent['current_status']): Record<string, unknown> {
	agent.current_status = status;
	agent.updated = world.clock.now();
	const { id, name, current_status, is_ready_to_publish, updated_at } = agentObject(world, agent);
	return { id, name, current_status, is_ready_to_publish, updated_at };
}
