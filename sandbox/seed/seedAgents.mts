import { iso } from '../time/time.mts';
import { DAY_MS, HOUR_MS } from '../time/wallTime.mts';
import type { Action, Agent, Training } from '../world/agent.mts';
import { uuidOf } from '../world/ids.mts';
import type { World } from '../world/world.mts';
import { AGENTS } from './names.mts';

/**
 * The first agent is published and outbound. Every third agent is a draft, and the last draft lacks a voice. The last
 * three agents are for first steps: an agent with variables that books appointments, an agent with a flow, and an
 * inbound agent.
 */
export function seedAgents(world: World): { published: string; draft: string; personal: string } {
	const numbers = [...world.phoneNumbers.keys()];
	AGENTS.forEach(([name, label], index) => {
		const agent = newAgent(world, name, label, index);
		agent.current_status = index % 3 === 1 ? 'draft' : 'published';
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
	const [first, second] = numbers as [string, string];
	const add = (name: string, label: string, given: Partial<Agent>) => {
		const agent = { ...newAgent(world, name, label, world.agents.size), phoneNumberIds: [first], ...given };
		world.agents.set(agent.id, agent);
		return agent.id;
	};
	const personal = add('Odette', 'Appointments, by name', {
		description: 'You are Odette. You call {{first_name}} about the appointment on {{appointment_day}}.',
		initial_message: 'Hello {{first_name}}, this is Odette. Does {{appointment_day}} still suit you?',
		actions: [bookingHere(world)],
	});
	add('Felix', 'Renewals, with a flow', { conversation_mode: 'flow_driven', flow_config: RENEWAL });
	add('Iris', 'Switchboard, takes calls', { direction: 'inbound', phoneNumberIds: [second] });
	return { published: uuidOf('agent 0'), draft: uuidOf('agent 1'), personal };
}

const RENEWAL = {
	initial_node_id: 'ask',
	nodes: [
		{ id: 'ask', type: 'ask', content: 'Shall we renew {{plan}}?', branches: [{ match: 'yes', next: 'end' }] },
		{ id: 'end', type: 'end' },
	],
};

function newAgent(world: World, name: string, label: string, index: number): Agent {
	const created = world.clock.now() - (60 - index) * DAY_MS;
	const { display_name, voices } = world.voiceGroups[0]!;
	const template = voices[0]!;
	return {
		id: uuidOf(`agent ${index}`),
		name,
		label,
		description: `You are ${name}. Your task: ${label.toLowerCase()}.`,
		language: 'en-US',
		voice: {
			id: uuidOf(`voice ${index}`),
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
		actions: [],
		trainings: [],
		phoneNumberIds: [],
		unshown: {},
		conversation_mode: 'llm_driven',
		flow_config: null,
		flowVersions: [],
		callbackSources: null,
		created,
		updated: created,
	};
}

function bookingAction({ created }: Pick<Agent, 'created'>): Action {
	return {
		id: uuidOf('action'),
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

/** Books in the first calendar of this sandbox, and so needs no other service. */
function bookingHere({ clock, options }: World): Action {
	const tomorrow = (hour: number) => iso((Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS + hour * HOUR_MS);
	const examples = { title: 'Consultation', start_at: tomorrow(11), end_at: tomorrow(12) };
	return {
		...bookingAction({ created: clock.now() }),
		id: uuidOf('booking action'),
		input_schema: Object.entries(examples).map(([name, example]) => {
			return { name, type: 'string', required: true, description: `Such as ${example}` };
		}),
		url: `/api/v1/calendars/${uuidOf('calendar 0')}/events`,
		unshown: { custom_headers: [{ key: 'Authorization', value: `Bearer ${options.token}` }] },
	};
}

function trainings({ created }: Agent): Training[] {
	const given: Array<[node: string, subject: string, instructions: string]> = [
		['prices', 'Prices', 'Name the price of the basic plan first. Give no discount.'],
		['opening-hours', 'Opening hours', 'We are open from Monday to Friday, 9 to 17.'],
	];
	return given.map(([node_id, subject, instructions]) => ({
		id: uuidOf(`training ${node_id}`),
		node_id,
		subject,
		instructions,
		current_status: 'active',
		created,
		updated: created,
	}));
}
