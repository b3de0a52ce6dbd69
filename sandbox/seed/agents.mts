import type { Action, Agent, World } from '../world.mts';
import { seedId } from './ids.mts';
import { AGENTS } from './names.mts';

const DAY_MS = 86_400_000;

/** The first agent is published and calls out; every third one is a draft, and the last draft has no voice yet. */
export function seedAgents(world: World): { published: string; draft: string } {
	const numbers = [...world.phoneNumbers.keys()];
	AGENTS.forEach(([name, label], index) => {
		const draft = index % 3 === 1;
		const agent = newAgent(world, name, label, index);
		agent.current_status = draft ? 'draft' : 'published';
		agent.is_ready_to_publish = !draft;
		agent.direction = index % 6 === 5 ? 'inbound' : 'outbound';
		agent.phoneNumberIds = numbers.slice(index % 3, (index % 3) + 1);
		if (index === 0) agent.actions.push(bookingAction(agent));
		if (index === AGENTS.length - 2) agent.voice = null;
		world.agents.set(agent.id, agent);
	});
	return { published: seedId('agent 0'), draft: seedId('agent 1') };
}

function newAgent(world: World, name: string, label: string, index: number): Agent {
	const created = world.clock.now() - (60 - index) * DAY_MS;
	return {
		id: seedId(`agent ${index}`),
		name,
		label,
		description: `You are ${name}. Your task: ${label.toLowerCase()}.`,
		language: 'en-US',
		voice: {
			id: seedId(`voice ${index}`),
			name: `${name}'s voice`,
			label: 'Warm, clear',
			stability: 0.7,
			similarity_boost: 0.8,
			ambient_background: null,
			template: { id: seedId('voice template'), name: 'Clear' },
		},
		initial_message: `Hello, this is ${name}.`,
		interrupt_sensitivity: 'medium',
		conversation_speed: 1,
		initial_message_delay: 1,
		ask_if_human_present_on_idle: true,
		llm_temperature: 0.4,
		direction: 'outbound',
		who_speaks_first: 'agent',
		current_status: 'published',
		is_ready_to_publish: true,
		actions: [],
		phoneNumberIds: [],
		conversation_mode: 'llm_driven',
		flow_config: null,
		created,
		updated: created,
	};
}

function bookingAction({ created }: Agent): Action {
	return {
		id: seedId('action'),
		node_id: 'book-appointment',
		name: 'book_appointment',
		description: 'Books an appointment for the person on the phone',
		type: 'webhook',
		input_schema: [{ name: 'day', type: 'string', required: true, description: 'The day, YYYY-MM-DD' }],
		url: 'https://example.com/book',
		authorization_url: null,
		current_status: 'active',
		created,
		updated: created,
	};
}
