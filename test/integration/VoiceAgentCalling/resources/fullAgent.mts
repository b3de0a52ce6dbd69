import type { Service } from '../../service.mts';

/** What is written to the service and is in none of its answers: texts and numbers that occur nowhere else. */
export const written = {
	settings: {
		endpointing_sensitivity: 'sentinel-endpointing',
		ivr_navigation_mode: 'sentinel-ivr',
		idle_time_seconds: 277,
		max_idle_check_count: 7,
		max_call_duration_seconds: 3377,
		say_goodbye_on_max_duration: false,
		user_inactivity_timeout_seconds: 117,
		initial_idle_time_seconds: 57,
		initial_max_idle_check_count: 9,
		enable_recording: true,
	},
	voice: { ambient_volume: 1.37 },
	action: {
		node_id: 'sentinel-action',
		integration: { id: 'crm' },
		authorization_scheme: 'api_key',
		custom_headers: [{ key: 'X-Sentinel-Key', value: 'sentinel-header-of-action' }],
		speak_on_send: 'sentinel-speak-on-send',
		speak_on_receive: 'sentinel-speak-on-receive',
	},
	training: { node_id: 'sentinel-training' },
	webhook: {
		webhook_secret: 'sentinel-signing-secret',
		http_method: 'PATCH',
		authorization_scheme: 'basic',
		custom_headers: [{ key: 'X-Sentinel-Hook', value: 'sentinel-header-of-webhook' }],
		payload_templates: { event_recording: { sentinel: 'sentinel-template' } },
	},
};

/** The parts of {@link makeFullAgent} that the service lists, in one of their orders. */
interface Orders {
	/** Whether everything is created in the opposite order. */
	reversed?: boolean;
}

async function ask(service: Service, method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
	const answer = await service.api(method, path, body);
	if (answer.status >= 300) {
		throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
	}
	return answer.body.data as Record<string, unknown>;
}

const actions = [
	{
		name: 'Book Appointment!',
		description: 'Books an appointment',
		type: 'webhook',
		url: 'https://example.com/book?by=phone',
		authorization_url: 'https://example.com/authorize',
		inputs: [{ name: 'day', type: 'string', required: true, description: 'The day' }],
	},
	{
		name: 'transfer_call',
		description: 'Transfers the call',
		type: 'transfer',
		transfer_to: '+12025550177',
		inputs: [{ name: 'why', type: 'string', required: false, description: 'Why' }],
	},
	{ name: 'Hold', description: 'Holds the call', type: 'hold', hold_duration: 45 },
	{
		name: 'Note',
		description: 'Writes a note',
		type: 'external',
		execution_mode: 'post_call',
		current_status: 'inactive',
	},
];

const trainings = [
	{ subject: 'Öffnungszeiten & Preise', instructions: 'Montag bis Freitag' },
	{ subject: '営業時間', instructions: '月曜日から', current_status: 'inactive' },
];

/**
 * Creates an agent with everything that an agent can have, through the API: each field that cannot be read back has a
 * value of {@link written}.
 *
 * @returns its ID, and the ID of each action by name
 */
export async function makeFullAgent(
	service: Service,
	{ reversed = false }: Orders = {},
): Promise<{ id: string; actionIds: Record<string, string> }> {
	const inOrder = <Item,>(items: readonly Item[]) => (reversed ? items.toReversed() : items);
	const numbers = (await ask(service, 'GET', 'phone-numbers')) as unknown as Array<{ id: string; number: string }>;
	const chosen = numbers.filter(({ number }) => ['+12025550123', '+442079460018'].includes(number));
	const groups = (await ask(service, 'GET', 'voice-templates')) as unknown as Array<{
		voices: Array<{ id: string; name: string; quality_tier: string }>;
	}>;
	const voice = groups
		.flatMap(({ voices }) => voices)
		.find((each) => each.name === 'Friederike' && each.quality_tier === 'ultra');
	const { id } = (await ask(service, 'POST', 'agents', {
		name: 'Frieda',
		label: 'Vereinbart Termine',
		description: 'You book appointments for {{name}}.',
		initial_message: 'Hello, this is Frieda.',
		language: 'de-DE',
		interrupt_sensitivity: 'high',
		conversation_speed: 1.5,
		initial_message_delay: 2,
		ask_if_human_present_on_idle: false,
		llm_temperature: 0.7,
		direction: 'outbound',
		who_speaks_first: 'user',
		phone_number_ids: inOrder(chosen).map((number) => number.id),
		...written.settings,
	})) as { id: string };
	const path = `agents/${id}`;
	await ask(service, 'PUT', `${path}/voice`, {
		voice_id: voice?.id,
		conversation_speed: 1.25,
		who_speaks_first: 'user',
		language: 'de-DE',
		ambient_background: 'office',
		similarity: 0.6,
		stability: 0.9,
		...written.voice,
	});
	const actionIds: Record<string, string> = {};
	for (const action of inOrder(actions)) {
		const node_id = `${written.action.node_id}-${action.name}`;
		const made = await ask(service, 'POST', `${path}/actions`, { ...written.action, ...action, node_id });
		actionIds[action.name] = String(made.id);
	}
	for (const training of inOrder(trainings)) {
		const node_id = `${written.training.node_id}-${training.subject}`;
		await ask(service, 'POST', `${path}/trainings`, { ...training, node_id });
	}
	const node = (type: string, fields: object) => ({ type, ...fields });
	await ask(service, 'PUT', `${path}/flow`, {
		conversation_mode: 'flow_driven',
		flow_config: {
			initial_node_id: 'book',
			meta: { version: '1.0.0', name: 'Booking' },
			nodes: [
				node('action', { id: 'book', next: 'choose', action_id: actionIds['Book Appointment!'] }),
				node('decision', {
					id: 'choose',
					branches: [
						{ match: 'yes', next: 'bye' },
						{ match: 'no', next: 'hand-over', undocumented: { action: actionIds.transfer_call } },
					],
				}),
				node('transfer', { id: 'hand-over', action_id: actionIds.transfer_call }),
				node('end', { id: 'bye' }),
			],
			global_functions: [{ name: 'end_conversation', description: 'Ends it' }],
		},
	});
	const trigger = 'https://n8n.example.com/webhook/1c9de9c4-3f43-4f4c-9a6a-5b7a3e8f0d11/webhook';
	const webhooks = [
		{
			name: 'CRM',
			webhook_url: 'https://crm.example.com/events',
			events: inOrder(['event_recording', 'event_phone_call_started', 'event_phone_call_ended']),
			timeout: 60,
			max_retries: 5,
			enabled: false,
		},
		{ name: 'Of a trigger', webhook_url: `${trigger}?agent=${id}`, events: ['event_recording'] },
		{
			name: 'Of a test run',
			webhook_url: `${trigger.replace('/webhook/', '/webhook-test/')}?agent=${id}`,
			events: ['event_recording'],
		},
		{
			name: 'Of a wait',
			webhook_url: 'https://n8n.example.com/webhook-waiting/17?signature=sentinel-resume-token',
			events: ['event_recording'],
		},
		{
			name: 'With a password',
			webhook_url: 'https://user:sentinel-password@example.com/hook',
			events: ['event_recording'],
		},
		{
			name: 'With a token',
			webhook_url: 'https://example.com/hook?api_key=sentinel-api-key',
			events: ['event_recording'],
		},
	];
	for (const webhook of inOrder(webhooks)) {
		await ask(service, 'POST', `${path}/webhooks`, { ...written.webhook, ...webhook });
	}
	return { id, actionIds };
}
