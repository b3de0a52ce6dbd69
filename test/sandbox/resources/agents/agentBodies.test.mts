import { AGENT_EVENTS } from '../../../../sandbox/engine/deliveries/eventKinds.mts';
import { asList, asText, type SandboxClient, startClient } from '../../client.mts';
import * as rule from '../../fieldRules.mts';
import { flagRule, oneOf, orNull, required, testFields, textOf, wholeOf } from '../../fieldRules.mts';
import { agentWebhookOn } from '../../objects.mts';
import { startWebhookReceiver } from '../../webhookReceiver.mts';

let service: SandboxClient;
let path: string;
beforeAll(async () => {
	service = await startClient();
	path = `/agents/${service.seed.agents.draft}`;
});
afterAll(() => service.close());

const to =
	(method: string, end: string, body: () => Record<string, unknown>, partial = false) =>
	() => ({
		service,
		body,
		send: (sent: object) => service.api(method, `${path}${end}`, sent),
		partial,
	});

const LANGUAGES = 'pt-BR pt-PT en-US en-CA es-ES fr-FR de-DE it-IT nl-NL ja-JP ko-KR zh-TW'.split(' ');
const language = { takes: LANGUAGES, refuses: ['en', 'pt-br', 'ru-RU', '', 1, null] };
const sensitivity = oneOf('low', 'medium', 'high');
const initialMessage = orNull(textOf(5, 255));
const speaksFirst = oneOf('agent', 'user');
const direction = oneOf('inbound', 'outbound');
const UNKNOWN = '0191f2a0-5c5e-7b1a-9d3e-2f4b6a8c0d1e';
const numbers: rule.FieldRule = {
	takes: [[], (seed: SandboxClient['seed']) => [seed.phoneNumber]],
	refuses: [[UNKNOWN], ['x'], [1], 'x', null],
};

describe('the fields of an agent call', () => {
	const target = () => ({
		service,
		body: () => ({ to: '+12025550001' }),
		send: (body: object) => service.api('POST', `/agents/${service.seed.agents.published}/call`, body),
	});
	testFields(target, {
		payload: rule.objectRule,
		context: rule.objectRule,
		delay_seconds: wholeOf(0, 3600),
		is_testing: flagRule,
	});
});

describe('the fields of an agent', () => {
	const body = () => ({
		...{ name: 'Zelda', label: 'Night shift', language: 'pt-BR', interrupt_sensitivity: 'low', direction: 'outbound' },
		...{ endpointing_sensitivity: 'auto', ivr_navigation_mode: 'off', conversation_speed: 1.2, llm_temperature: 0.5 },
		...{ initial_message_delay: 2, ask_if_human_present_on_idle: true, idle_time_seconds: 30, enable_recording: true },
		who_speaks_first: 'user',
	});
	testFields(() => ({ service, body, send: (sent) => service.api('POST', '/agents', sent) }), {
		name: required(textOf(1, 255)),
		label: required(textOf(1, 255)),
		description: orNull(textOf(5)),
		language: required(language),
		initial_message: initialMessage,
		interrupt_sensitivity: required(sensitivity),
		endpointing_sensitivity: required(textOf(1, 255)),
		ivr_navigation_mode: required(textOf(1, 255)),
		conversation_speed: required(rule.numberOf(0.1, 3)),
		initial_message_delay: required(wholeOf(0, 60)),
		ask_if_human_present_on_idle: required(flagRule),
		idle_time_seconds: required(wholeOf(1, 300)),
		max_idle_check_count: wholeOf(1, 10),
		max_call_duration_seconds: wholeOf(1, 3600),
		say_goodbye_on_max_duration: flagRule,
		user_inactivity_timeout_seconds: wholeOf(5, 120),
		initial_idle_time_seconds: wholeOf(1, 60),
		initial_max_idle_check_count: wholeOf(0, 10),
		llm_temperature: required(rule.numberOf(0, 2)),
		enable_recording: required(flagRule),
		direction: required(direction),
		who_speaks_first: required(speaksFirst),
		phone_number_ids: numbers,
	});
});

describe('the fields of the knowledge', () => {
	const body = () => ({
		...{ description: 'Answers at night', interrupt_sensitivity: 'low', ask_if_human_present_on_idle: true },
		...{ llm_temperature: 0.5, initial_message_delay: 2 },
	});
	testFields(to('PUT', '/knowledge', body), {
		description: required(textOf(5)),
		initial_message: initialMessage,
		interrupt_sensitivity: required(sensitivity),
		ask_if_human_present_on_idle: required(flagRule),
		llm_temperature: required(rule.numberOf(0, 2)),
		initial_message_delay: required(wholeOf(0, 60)),
	});
});

describe('the fields of the calling settings', () => {
	testFields(
		to('PUT', '/calling', () => ({ direction: 'outbound' })),
		{
			direction: required(direction),
			phone_number_ids: numbers,
		},
	);
});

describe('the fields of the voice', () => {
	let ultra: string;
	beforeAll(async () => {
		const groups = asList((await service.api('GET', '/voice-templates?quality_tier=ultra')).data.data);
		ultra = asText(groups[0]!.voices[0]!.id);
	});
	const body = () => ({ voice_id: ultra, conversation_speed: 1, who_speaks_first: 'agent' });
	testFields(to('PUT', '/voice', body), {
		voice_id: required({ takes: [], refuses: ['', 7, null] }),
		conversation_speed: required(rule.numberOf(0.1, 3)),
		who_speaks_first: required(speaksFirst),
		ambient_background: orNull(textOf(0)),
		ambient_volume: rule.numberOf(0, 2),
		language,
		similarity: rule.numberOf(0.5, 1),
		stability: rule.numberOf(0.5, 1),
	});
});

describe('the fields of an action', () => {
	const body = () => ({ node_id: 'n', name: 'Book', description: 'Books a time', type: 'external' });
	const input = { name: 'day', type: 'string' };
	testFields(to('POST', '/actions', body), {
		node_id: required(textOf(1)),
		name: required(textOf(1, 255)),
		description: required(textOf(1)),
		type: required(oneOf('webhook', 'transfer', 'hold', 'external')),
		inputs: {
			takes: [[], [input], [{ ...input, required: true, description: 'The day', value: { any: 1 } }]],
			refuses: [
				input,
				[{ type: 'string' }],
				[{ name: '', type: 'string' }],
				[{ name: 'day' }],
				[{ ...input, required: 'yes' }],
				['day'],
				null,
			],
		},
		integration: {
			takes: [{ id: 'calendar' }, { id: 'email-calendar' }, { id: 'crm' }, { id: UNKNOWN }],
			refuses: [{}, { id: 'abacus' }, { id: 1 }, 'calendar', null],
		},
		url: rule.urlRule,
		authorization_url: rule.urlRule,
		authorization_scheme: oneOf('none', 'bearer', 'basic', 'api_key', 'custom'),
		custom_headers: rule.headersRule,
		speak_on_send: textOf(0),
		speak_on_receive: textOf(0),
		execution_mode: oneOf('during_call', 'post_call'),
		hold_duration: wholeOf(0),
		transfer_to: rule.phoneNumberRule,
		current_status: oneOf('active', 'inactive'),
	});
});

describe('the fields of a training', () => {
	testFields(
		to('POST', '/trainings', () => ({ subject: 'Prices', instructions: 'Say them.' })),
		{
			node_id: orNull(textOf(1)),
			subject: required(textOf(1, 255)),
			instructions: required(textOf(1)),
			current_status: oneOf('active', 'inactive'),
		},
	);
});

describe('the fields of a flow', () => {
	const flow_config = { initial_node_id: 'a', nodes: [{ id: 'a', type: 'end' }] };
	testFields(
		to('POST', '/flow/validate', () => ({ flow_config })),
		{
			flow_config: required({ takes: [flow_config], refuses: [[], 'x', 1, null] }),
		},
	);
	testFields(
		to('PUT', '/flow', () => ({ conversation_mode: 'flow_driven', flow_config })),
		{
			conversation_mode: required(oneOf('llm_driven', 'flow_driven')),
			flow_config: required({ takes: [flow_config], refuses: [[], 'x', 1, null] }),
		},
	);
});

describe.each(['POST', 'PUT'])("the fields of an agent's webhook, %s", (method) => {
	const body = () => ({ name: 'Hook', webhook_url: 'http://127.0.0.1:1/', events: [AGENT_EVENTS[0]] });
	let one: string;
	beforeAll(async () => {
		const receiver = await startWebhookReceiver();
		one = await agentWebhookOn(service, service.seed.agents.draft, receiver.url);
		receiver.close();
	});
	const target = () => ({
		service,
		body: method === 'POST' ? body : () => ({}),
		send: (sent: object) => service.api(method, `${path}/webhooks${method === 'POST' ? '' : `/${one}`}`, sent),
		partial: method === 'PUT',
	});
	testFields(target, rule.webhookRules(AGENT_EVENTS, 'campaign.started'));
});
