import { z } from 'zod';

import { flatErrorWith } from '../../http/errorSchemas.mts';
import { HttpError, invalidFields } from '../../http/httpErrors.mts';
import { done, ok } from '../../http/response.mts';
import { dataOf, doneBody, failedResult } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { anyObject } from '../../http/schemas.mts';
import { iso } from '../../time/time.mts';
import { newId } from '../../world/ids.mts';
import { flowErrorTexts, flowSchema, flowVersionsSchema } from './agentSchemas.mts';
import { findAgent } from './agents.mts';
import { flowErrors } from './flowRules.mts';

const updateBody = z.object({
	conversation_mode: z.enum(['llm_driven', 'flow_driven']),
	flow_config: anyObject.nullish(),
});

const PATH = '/api/v1/agents/:agent_id/flow';

/** An agent's conversation flow: get, update, list its versions, and validate without saving. */
export const agentFlowRoutes: Route[] = [
	route({
		method: 'GET',
		path: PATH,
		summary: "Get an agent's conversation flow",
		description: 'The flow is null in the mode llm_driven.',
		refusal: 'unauthenticated',
		responses: { 200: dataOf(flowSchema) },
		handle({ world, params }) {
			const { conversation_mode, flow_config } = findAgent(world, params.agent_id);
			return ok({ conversation_mode, flow_config });
		},
	}),
	route({
		method: 'PUT',
		path: PATH,
		summary: "Update an agent's conversation flow",
		description: 'Replaces the flow as a whole and adds a version. An invalid flow is refused with all its errors.',
		refusal: 'unauthenticated',
		body: updateBody,
		responses: { 200: dataOf(flowSchema) },
		errors: { 422: { when: 'The flow is invalid', body: flatErrorWith({ errors: flowErrorTexts }) } },
		handle({ world, params, body }) {
			const agent = findAgent(world, params.agent_id);
			const { conversation_mode, flow_config } = body();
			if (conversation_mode === 'flow_driven') {
				if (!flow_config) {
					throw invalidFields({ flow_config: ['The flow_config field is required.'] });
				}
				const errors = flowErrors(flow_config, agent);
				if (errors.length > 0) {
					const message = 'The flow is invalid.';
					throw new HttpError(422, message, { success: false, message, errors });
				}
			}
			agent.conversation_mode = conversation_mode;
			agent.flow_config = conversation_mode === 'flow_driven' ? (flow_config ?? null) : null;
			const version = agent.flowVersions.length + 1;
			agent.flowVersions.push({ id: newId(world), version, created: world.clock.now() });
			return ok({ conversation_mode, flow_config: agent.flow_config });
		},
	}),
	route({
		method: 'GET',
		path: `${PATH}/versions`,
		summary: "List the versions of an agent's conversation flow",
		description: 'When each version was made, the newest first. The versions themselves are not shown.',
		refusal: 'unauthenticated',
		responses: { 200: dataOf(flowVersionsSchema) },
		handle({ world, params }) {
			const { flowVersions } = findAgent(world, params.agent_id);
			const versions = flowVersions.map(({ id, version, created }) => ({
				id,
				version,
				created_at: iso(created),
				is_current: version === flowVersions.length,
			}));
			return ok({ versions: versions.reverse() });
		},
	}),
	route({
		method: 'POST',
		path: `${PATH}/validate`,
		summary: 'Validate a conversation flow without saving it',
		description: 'For an invalid flow, the response is 200 with `success: false` and the errors.',
		refusal: 'unauthenticated',
		readOnly: true,
		body: z.object({ flow_config: anyObject }),
		responses: { 200: z.union([doneBody, failedResult({ errors: flowErrorTexts })]) },
		handle({ world, params, body }) {
			const agent = findAgent(world, params.agent_id);
			const { flow_config } = body();
			const errors = flowErrors(flow_config, agent);
			return errors.length === 0 ? done('The flow is valid.') : { status: 200, body: { success: false, errors } };
		},
	}),
];
