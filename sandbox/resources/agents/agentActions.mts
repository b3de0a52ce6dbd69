import { z } from 'zod';

import { notFound } from '../../http/httpErrors.mts';
import { done, ok } from '../../http/response.mts';
import { dataOf, doneBody, messageAndData } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { httpHeader, httpUrl } from '../../http/schemas.mts';
import type { Action, ActionInput, Agent } from '../../world/agent.mts';
import { newId } from '../../world/ids.mts';
import { E164 } from '../../world/phoneNumber.mts';
import type { World } from '../../world/world.mts';
import { INTEGRATIONS } from './actionIntegrations.mts';
import { actionObject } from './agentObject.mts';
import { actionSchema } from './agentSchemas.mts';
import { findAgent, setDraft } from './agents.mts';

const input = z.object({
	name: z.string().min(1),
	type: z.string().min(1),
	required: z.boolean().default(false),
	description: z.string().default(''),
	value: z.unknown(),
});

const uuid = z.string().uuid();

/** An identifier of the catalog, or the UUID of an integration that the environment has set up. */
const integrationId = z
	.string()
	.refine(
		(id) => INTEGRATIONS.some((known) => known === id) || uuid.safeParse(id).success,
		'The selected integration.id is invalid.',
	);

const actionBody = z
	.object({
		node_id: z.string().min(1),
		name: z.string().min(1).max(255),
		description: z.string().min(1),
		type: z.enum(['webhook', 'transfer', 'hold', 'external']),
		inputs: z.array(input).default([]),
		integration: z.object({ id: integrationId }).optional(),
		url: httpUrl().optional(),
		authorization_url: httpUrl().optional(),
		authorization_scheme: z.enum(['none', 'bearer', 'basic', 'api_key', 'custom']).default('none'),
		custom_headers: z.array(httpHeader).default([]),
		speak_on_send: z.string().optional(),
		speak_on_receive: z.string().optional(),
		execution_mode: z.enum(['during_call', 'post_call']).default('during_call'),
		hold_duration: z.number().int().min(0).optional(),
		transfer_to: z.string().regex(E164).optional(),
		current_status: z.enum(['active', 'inactive']).default('active'),
	})
	.refine(({ type, execution_mode }) => execution_mode === 'during_call' || type === 'external', {
		path: ['execution_mode'],
		message: 'The execution_mode post_call is valid for the type external only.',
	});

type ActionBody = z.output<typeof actionBody>;

const LIST = '/api/v1/agents/:agent_id/actions';

/** The actions of an agent: list, create or update by `node_id`, delete. */
export const agentActionRoutes: Route[] = [
	route({
		method: 'GET',
		path: LIST,
		summary: "List an agent's actions",
		description: 'What the agent can do during a call.',
		refusal: 'unauthenticated',
		responses: { 200: dataOf(z.array(actionSchema)) },
		handle: ({ world, params }) =>
			ok(findAgent(world, params.agent_id).actions.map((action) => actionObject(world, action))),
	}),
	route({
		method: 'POST',
		path: LIST,
		summary: "Create or update an agent's action",
		description: 'An action with the same `node_id` is updated. The agent is a draft afterwards: publish it again.',
		refusal: 'unauthenticated',
		body: actionBody,
		responses: { 200: messageAndData(actionSchema) },
		handle({ world, params, body }) {
			const agent = findAgent(world, params.agent_id);
			const action = putAction(world, agent, body());
			setDraft(world, agent);
			return done('Agent action updated successfully.', actionObject(world, action));
		},
	}),
	route({
		method: 'DELETE',
		path: `${LIST}/:action_id`,
		summary: "Delete an agent's action",
		description: 'The agent is a draft afterwards: publish it again.',
		refusal: 'unauthenticated',
		responses: { 200: doneBody },
		handle({ world, params }) {
			const agent = findAgent(world, params.agent_id);
			const index = agent.actions.findIndex(({ id }) => id === params.action_id);
			if (index < 0) {
				throw notFound('Action');
			}
			agent.actions.splice(index, 1);
			setDraft(world, agent);
			return done('Agent action deleted successfully.');
		},
	}),
];

/** Creates an action, or replaces the one with the same `node_id`, which keeps its id and position. */
function putAction(world: World, agent: Agent, body: ActionBody): Action {
	const {
		node_id,
		name,
		description,
		type,
		inputs: _inputs,
		url,
		authorization_url,
		current_status,
		...unshown
	} = body;
	const now = world.clock.now();
	const index = agent.actions.findIndex((action) => action.node_id === node_id);
	const known = agent.actions[index];
	const action: Action = {
		id: known?.id ?? newId(world),
		node_id,
		name,
		description,
		type,
		input_schema: inputSchema(body),
		url: type === 'webhook' ? (url ?? null) : null,
		authorization_url: type === 'webhook' ? (authorization_url ?? null) : null,
		current_status,
		unshown,
		created: known?.created ?? now,
		updated: now,
	};
	if (known) {
		agent.actions[index] = action;
	} else {
		agent.actions.push(action);
	}
	return action;
}

/** The inputs as sent; `transfer_to` and `hold_duration` become the `value` of the input of that name. */
function inputSchema({ type, inputs, transfer_to, hold_duration }: ActionBody): ActionInput[] {
	if (type === 'transfer' && transfer_to !== undefined) {
		return withValue(inputs, {
			name: 'transfer_to',
			type: 'string',
			required: true,
			description: 'The number to transfer the call to',
			value: transfer_to,
		});
	}
	if (type === 'hold' && hold_duration !== undefined) {
		return withValue(inputs, {
			name: 'hold_duration',
			type: 'integer',
			required: true,
			description: 'The seconds to hold the call',
			value: hold_duration,
		});
	}
	return inputs;
}

function withValue(inputs: ActionInput[], given: ActionInput): ActionInput[] {
	if (!inputs.some(({ name }) => name === given.name)) {
		return [...inputs, given];
	}
	return inputs.map((input) => (input.name === given.name ? { ...input, value: given.value } : input));
}
