import type { Action, Agent, Training } from '../world/agent.mts';
import type { World } from '../world/world.mts';
import { AGENTS } from './names.mts';
import { seedId } from './seedId.mts';

const DAY_MS = 86_400_000;

/** The first agent is published and outbound; every third one is a draft, and the last draft has no voice. */
export function seedAgents(world: World): { published: string; draft: string } {
	const numbers = [...world.phoneNumbers.keys()];
	AGENTS.forEach(([name, label], index) => {
		const draft = index % 3 === 1;
		const agent = newAgent(world, name, label, index);
		agent.current_status = draft ? 'draft' : 'published';
		agent.is_ready_to_publish = !draft;
		agent.direction = index % 6 === 5 ? 'inbound' : 'outbound';
		agent.phoneNumberIds = numbers.slice(index % 3, (index % 3) + 1);
		if (index === 0) {
			agent.actions.push(bookingAction(agent));
			agent.trainings.push(...trainings(agent));
		}
		if (index === AGENTS.length - 2) {
			agent.voice = null;
		}
		world.agents.set(agent.id, agent);
	});
	return { published: seedId('agent 0'), draft: seedId('agent 1') };
}

function newAgent(world: World, name: string, label: string, index: number): Agent {
	const created = world.clock.now() - (60 - index) * DAY_MS;
	const { display_name, voices } = world.voiceGroups[0]!;
	const template = voices[0]!;
	return {
		id: seedId(`agent ${index}`),
		name,
		label,
		description: `You are ${name}. Your task: ${label.toLowerCase()}.`,
		language: 'en-US',
		voice: {
			id: seedId(`voice ${index}`),
			name: template.name,
			label: display_name,
			stability: 0.75,
			similarity_boost: 0.75,
			ambient_background: null,
			template: { id: template.id, name: template.name },
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
		trainings: [],
		phoneNumberIds: [],
		unshown: {},
		conversation_mode: 'llm_driven',
		flow_config: null,
		flowVersions: [],
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
		unshown: {},
		created,
		updated: created,
	};
}

function trainings({ created }: Agent): Training[] {
	const given: Array<[node: string, subject: string, instructions: string]> = [
		['prices', 'Prices', 'Name the price of the basic plan first. Give no discount.'],
		['opening-hours', 'Opening hours', 'We are open from Monday to Friday, 9 to 17.'],
	];
	return given.map(([node_id, subject, instructions]) => ({
		id: seedId(`training ${node_id}`),
		node_id,
		subject,
		instructions,
		current_status: 'active',
		created,
		updated: created,
	}));
}
