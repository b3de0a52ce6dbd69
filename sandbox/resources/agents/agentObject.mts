import type { FieldErrors } from '../../http/httpErrors.mts';
import { iso } from '../../time/time.mts';
import { type Action, type Agent, absolute, type Training } from '../../world/agent.mts';
import type { World } from '../../world/world.mts';
import { nestedNumbers } from '../numbersAndVoices/phoneNumbers.mts';

type Fields = Record<string, unknown>;

/** Returns an agent for responses. */
export function agentObject(world: World, agent: Agent): Fields {
	return {
		id: agent.id,
		name: agent.name,
		label: agent.label,
		description: agent.description,
		language: agent.language,
		voice: agent.voice,
		initial_message: agent.initial_message,
		interrupt_sensitivity: agent.interrupt_sensitivity,
		conversation_speed: agent.conversation_speed,
		initial_message_delay: agent.initial_message_delay,
		ask_if_human_present_on_idle: agent.ask_if_human_present_on_idle,
		llm_temperature: agent.llm_temperature,
		direction: agent.direction,
		who_speaks_first: agent.who_speaks_first,
		current_status: agent.current_status,
		is_sandbox: true,
		is_ready_to_publish: Object.keys(missingToPublish(world, agent)).length === 0,
		trainings: agent.trainings.map(trainingObject),
		actions: agent.actions.map((action) => actionObject(world, action)),
		phone_numbers: nestedNumbers(world, agent.phoneNumberIds),
		created_at: iso(agent.created),
		updated_at: iso(agent.updated),
	};
}

/** Returns what an agent needs before it can be published, by field. */
export function missingToPublish(world: World, agent: Agent): FieldErrors {
	const numbers = agent.phoneNumberIds.map((id) => world.phoneNumbers.get(id));
	const errors: FieldErrors = {};
	if ((agent.description ?? '').length < 5) {
		errors.description = ['The knowledge settings are not configured.'];
	}
	if (!agent.voice) {
		errors.voice = ['The voice is not configured.'];
	}
	if (!numbers.some((number) => number?.current_status === 'active')) {
		errors.phone_number_ids = ['The calling settings have no active phone number.'];
	}
	return errors;
}

/** Returns an action without its write-only fields. */
export function actionObject(
	{ origin }: World,
	{ node_id: _nodeId, unshown: _unshown, created, updated, ...action }: Action,
): Fields {
	return {
		...action,
		url: absolute(action.url, origin),
		label: action.name,
		config: null,
		action_trigger: null,
		created_at: iso(created),
		updated_at: iso(updated),
	};
}

/** Returns a training without its `node_id`. */
export function trainingObject({ node_id: _nodeId, created, updated, ...training }: Training): Fields {
	return { ...training, created_at: iso(created), updated_at: iso(updated) };
}
