import { z } from 'zod';

import { notFound } from '../../http/httpErrors.mts';
import { done, ok } from '../../http/response.mts';
import { dataOf, doneBody, messageAndData } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { newId } from '../../world/ids.mts';
import { trainingObject } from './agentObject.mts';
import { trainingSchema } from './agentSchemas.mts';
import { findAgent, setDraft } from './agents.mts';

const trainingBody = z.object({
	node_id: z.string().min(1).nullish(),
	subject: z.string().min(1).max(255),
	instructions: z.string().min(1),
	current_status: z.enum(['active', 'inactive']).default('active'),
});

const LIST = '/api/v1/agents/:agent_id/trainings';

/** The trainings of an agent: list, create or update by `node_id`, delete. */
export const agentTrainingRoutes: Route[] = [
	route({
		method: 'GET',
		path: LIST,
		summary: "List an agent's trainings",
		description: 'What the agent knows about single subjects.',
		refusal: 'unauthenticated',
		responses: { 200: dataOf(z.array(trainingSchema)) },
		handle: ({ world, params }) => ok(findAgent(world, params.agent_id).trainings.map(trainingObject)),
	}),
	route({
		method: 'POST',
		path: LIST,
		summary: "Create or update an agent's training",
		description: 'A training with the same `node_id` is updated. The agent is a draft afterwards: publish it again.',
		refusal: 'unauthenticated',
		body: trainingBody,
		responses: { 200: messageAndData(trainingSchema) },
		handle({ world, params, body }) {
			const agent = findAgent(world, params.agent_id);
			const { node_id = null, ...given } = body();
			const now = world.clock.now();
			let training = node_id === null ? undefined : agent.trainings.find((known) => known.node_id === node_id);
			if (training) {
				Object.assign(training, given, { updated: now });
			} else {
				training = { id: newId(world), node_id, ...given, created: now, updated: now };
				agent.trainings.push(training);
			}
			setDraft(world, agent);
			return done('Agent training updated successfully.', trainingObject(training));
		},
	}),
	route({
		method: 'DELETE',
		path: `${LIST}/:training_id`,
		summary: "Delete an agent's training",
		description: 'The agent is a draft afterwards: publish it again.',
		refusal: 'unauthenticated',
		responses: { 200: doneBody },
		handle({ world, params }) {
			const agent = findAgent(world, params.agent_id);
			const index = agent.trainings.findIndex(({ id }) => id === params.training_id);
			if (index < 0) {
				throw notFound('Training');
			}
			agent.trainings.splice(index, 1);
			setDraft(world, agent);
			return done('Agent training deleted successfully.');
		},
	}),
];
