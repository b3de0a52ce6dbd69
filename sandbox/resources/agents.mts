import { z } from 'zod';
import { iso } from '../engine/time.mts';
import { done, invalid, notFound, ok, type FieldErrors } from '../http/answers.mts';
import { meta, pageOf } from '../http/paging.mts';
import { route, type Route } from '../http/route.mts';
import { pageQuery } from '../http/validation.mts';
import type { Action, Agent, World } from '../world.mts';
import { nestedNumbers } from './phoneNumbers.mts';

const listQuery = z.object({
	status: z.enum(['draft', 'published']).optional(),
	direction: z.enum(['inbound', 'outbound']).optional(),
	search: z.string().optional(),
	...pageQuery,
});

const knowledgeBody = z.object({
	description: z.string().min(5),
	initial_message: z.string().min(5).max(255).nullish(),
	interrupt_sensitivity: z.enum(['low', 'medium', 'high']),
	ask_if_human_present_on_idle: z.boolean(),
	llm_temperature: z.number().min(0).max(2),
	initial_message_delay: z.number().int().min(0).max(60),
});

const callingBody = z.object({
	direction: z.enum(['inbound', 'outbound']),
	phone_number_ids: z.array(z.string().uuid()).optional(),
});

const PATH = '/api/v1/agents/:agent_id';

/** Agents: list, get, publish and unpublish, knowledge and calling settings. */
export const agentRoutes: Route[] = [
	route({
		method: 'GET',
		path: '/api/v1/agents',
		summary: 'List agents',
		refusal: 'unauthenticated',
		query: listQuery,
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
		method: 'GET',
		path: PATH,
		summary: 'Get an agent',
		refusal: 'unauthenticated',
		handle: ({ world, params }) => ok(agentObject(world, findAgent(world, params.agent_id))),
	}),
	route({
		method: 'POST',
		path: `${PATH}/publish`,
		summary: 'Publish an agent',
		refusal: 'unauthenticated',
		handle({ world, params }) {
			const agent = findAgent(world, params.agent_id);
			const missing = missingToPublish(world, agent);
			if (Object.keys(missing).length > 0) throw invalid(missing);
			return done('Agent published successfully.', publishState(world, agent, 'published'));
		},
	}),
	route({
		method: 'POST',
		path: `${PATH}/unpublish`,
		summary: 'Unpublish an agent',
		refusal: 'unauthenticated',
		handle({ world, params }) {
			const agent = findAgent(world, params.agent_id);
			return done('Agent unpublished successfully.', publishState(world, agent, 'draft'));
		},
	}),
	route({
		method: 'PUT',
		path: `${PATH}/knowledge`,
		summary: "Update an agent's knowledge",
		refusal: 'unauthenticated',
		body: knowledgeBody,
		handle({ world, params, body }) {
			const agent = findAgent(world, params.agent_id);
			const { initial_message, ...settings } = body();
			Object.assign(agent, settings, initial_message === undefined ? {} : { initial_message });
			setDraft(world, agent);
			return done('Agent knowledge updated successfully.', agentObject(world, agent));
		},
	}),
	route({
		method: 'PUT',
		path: `${PATH}/calling`,
		summary: "Update an agent's calling settings",
		refusal: 'unauthenticated',
		body: callingBody,
		handle({ world, params, body }) {
			const agent = findAgent(world, params.agent_id);
			const { direction, phone_number_ids: ids } = body();
			if (ids?.some((id) => !world.phoneNumbers.has(id)))
				throw invalid({ phone_number_ids: ['One or more phone numbers do not exist in this environment.'] });
			agent.direction = direction;
			if (ids) agent.phoneNumberIds = [...new Set(ids)];
			setDraft(world, agent);
			const { name, current_status } = agent;
			return done('Agent calling settings updated successfully.', {
				id: agent.id,
				name,
				direction,
				current_status,
				phone_numbers: nestedNumbers(world, agent.phoneNumberIds),
				updated_at: iso(agent.updated),
			});
		},
	}),
];

/** @throws 404 in the flat format */
export function findAgent(world: World, id: string | undefined): Agent {
	const agent = world.agents.get(id ?? '');
	if (!agent) throw notFound('Agent');
	return agent;
}

/** Every edit but that of the flow takes an agent back to draft (States and transitions, Agent). */
export function setDraft(world: World, agent: Agent): void {
	agent.current_status = 'draft';
	agent.is_ready_to_publish = false;
	agent.updated = world.clock.now();
}

/** The agent as the service shows it. */
export function agentObject(world: World, agent: Agent): Record<string, unknown> {
	const { phoneNumberIds, actions, conversation_mode: _mode, flow_config: _flow, created, updated, ...shown } = agent;
	return {
		...shown,
		is_sandbox: true,
		trainings: [],
		actions: actions.map(actionObject),
		phone_numbers: nestedNumbers(world, phoneNumberIds),
		created_at: iso(created),
		updated_at: iso(updated),
	};
}

function actionObject({ node_id: _nodeId, created, updated, ...action }: Action): Record<string, unknown> {
	return {
		...action,
		label: action.name,
		config: null,
		action_trigger: null,
		created_at: iso(created),
		updated_at: iso(updated),
	};
}

function missingToPublish(world: World, agent: Agent): FieldErrors {
	const numbers = agent.phoneNumberIds.map((id) => world.phoneNumbers.get(id));
	const errors: FieldErrors = {};
	if (agent.description.length < 5) errors.description = ['The knowledge settings are not configured.'];
	if (!agent.voice) errors.voice = ['The voice is not configured.'];
	if (!numbers.some((number) => number?.current_status === 'active'))
		errors.phone_number_ids = ['The calling settings have no active phone number.'];
	return errors;
}

function publishState(world: World, agent: Agent, status: Agent['current_status']): Record<string, unknown> {
	agent.current_status = status;
	agent.is_ready_to_publish = status === 'published';
	agent.updated = world.clock.now();
	const { id, name, current_status, is_ready_to_publish } = agent;
	return { id, name, current_status, is_ready_to_publish, updated_at: iso(agent.updated) };
}
