import type { z } from 'zod';

import { invalidFields, notFound } from '../../http/httpErrors.mts';
import { done } from '../../http/response.mts';
import { messageAndData } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { iso } from '../../time/time.mts';
import type { Agent } from '../../world/agent.mts';
import { newId } from '../../world/ids.mts';
import type { AgentVoice } from '../../world/voice.mts';
import type { World } from '../../world/world.mts';
import { nestedNumbers } from '../numbersAndVoices/phoneNumbers.mts';
import { findVoice, isHighFidelity } from '../numbersAndVoices/voiceTemplates.mts';
import { callingBody, knowledgeBody, voiceBody } from './agentFields.mts';
import { agentObject } from './agentObject.mts';
import { agentSchema, callingSettingsSchema } from './agentSchemas.mts';
import { checkNumbers, findAgent, setDraft } from './agents.mts';

const PATH = '/api/v1/agents/:agent_id';
/** Default of similarity and stability. */
const DEFAULT_FIDELITY = 0.75;

/** The knowledge, voice and calling settings of an agent. */
export const agentSettingsRoutes: Route[] = [
	route({
		method: 'PUT',
		path: `${PATH}/knowledge`,
		summary: "Update an agent's knowledge",
		description: 'What the agent says and how it listens. It is a draft afterwards: publish it again.',
		refusal: 'unauthenticated',
		body: knowledgeBody,
		responses: { 200: messageAndData(agentSchema) },
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
		path: `${PATH}/voice`,
		summary: "Update an agent's voice",
		description: 'How the agent sounds. It is a draft afterwards: publish it again.',
		refusal: 'unauthenticated',
		body: voiceBody,
		responses: { 200: messageAndData(agentSchema) },
		handle({ world, params, body }) {
			const agent = findAgent(world, params.agent_id);
			const settings = body();
			agent.voice = newVoice(world, agent, settings);
			agent.conversation_speed = settings.conversation_speed;
			agent.who_speaks_first = settings.who_speaks_first;
			agent.language = settings.language ?? agent.language;
			agent.unshown.ambient_volume = settings.ambient_volume;
			setDraft(world, agent);
			return done('Agent voice updated successfully.', agentObject(world, agent));
		},
	}),
	route({
		method: 'PUT',
		path: `${PATH}/calling`,
		summary: "Update an agent's calling settings",
		description: 'The direction and the phone numbers of its calls. It is a draft afterwards: publish it again.',
		refusal: 'unauthenticated',
		body: callingBody,
		responses: { 200: messageAndData(callingSettingsSchema) },
		handle({ world, params, body }) {
			const agent = findAgent(world, params.agent_id);
			const { direction, phone_number_ids: ids } = body();
			checkNumbers(world, ids);
			agent.direction = direction;
			if (ids) {
				agent.phoneNumberIds = [...new Set(ids)];
			}
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

function newVoice(world: World, agent: Agent, settings: z.output<typeof voiceBody>): AgentVoice {
	const found = findVoice(world, settings.voice_id);
	if (!found) {
		throw notFound('Voice template');
	}
	for (const field of ['similarity', 'stability'] as const) {
		if (settings[field] !== undefined && !isHighFidelity(found.voice)) {
			throw invalidFields({ [field]: [`The ${field} field is for high-fidelity voice templates only.`] });
		}
	}
	const { ambient_background } = settings;
	return {
		id: agent.voice?.id ?? newId(world),
		name: found.voice.name,
		label: found.group.display_name,
		stability: settings.stability ?? DEFAULT_FIDELITY,
		similarity_boost: settings.similarity ?? DEFAULT_FIDELITY,
		ambient_background:
			ambient_background === undefined ? (agent.voice?.ambient_background ?? null) : ambient_background,
		template: { id: found.voice.id, name: found.voice.name },
	};
}
