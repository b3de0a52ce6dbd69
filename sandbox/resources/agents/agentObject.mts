import { iso } from '../../time/time.mts';
import type { Action, Agent, Training } from '../../world/agent.mts';
import type { World } from '../../world/world.mts';
import { nestedNumbers } from '../numbersAndVoices/phoneNumbers.mts';

type Fields = Record<string, unknown>;

/** An agent as the service shows it. */
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
		is_ready_to_publish: agent.is_ready_to_publish,
		trainings: agent.trainings.map(trainingObject),
		actions: agent.actions.map(actionObject),
		phone_numbers: nestedNumbers(world, agent.phoneNumberIds),
		created_at: iso(agent.created),
		updated_at: iso(agent.updated),
	};
}

/** An action without its write-only fields. */
export function actionObject({ node_id: _nodeId, unshown: _unshown, created, updated, ...action }: Action): Fields {
	return {
		...action,
		label: action.name,
		config: null,
		action_trigger: null,
		created_at: iso(created),
		updated_at: iso(updated),
	};
}

/** A training without its `node_id`. */
export function trainingObject({ node_id: _nodeId, created, updated, ...training }: Training): Fields {
	return { ...training, created_at: iso(created), updated_at: iso(updated) };
}
