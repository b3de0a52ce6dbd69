import { type ApplyOptions, inWords } from '../../../../../nodes/VoiceAgentCalling/agents/apply/plan.ts';
import type { AgentDocument } from '../../../../../nodes/VoiceAgentCalling/agents/document/document.ts';
import { agentOf, plan } from './plans.mts';

/** What the service never returns of an action and of a webhook. */
const hidden = { authorization_scheme: 'none', custom_headers: [] } as const;
const ofAction = { ...hidden, integration: null, speak_on_send: null, speak_on_receive: null };
const ofWebhook = { ...hidden, http_method: 'POST', payload_templates: {} } as const;

const book = { name: 'book', description: 'Books', type: 'webhook', url: 'https://example.com/book' } as const;
const hold = { name: 'wait', description: 'Waits', type: 'hold', hold_duration: 30 } as const;
const hook = { name: 'CRM', webhook_url: 'https://example.com/hook', events: ['event_phone_call_ended'] };
const knowledge = {
	description: 'You book.',
	initial_message: 'Hello.',
	interrupt_sensitivity: 'low',
	ask_if_human_present_on_idle: true,
	llm_temperature: 0.4,
	initial_message_delay: 1,
} as const;
const ofVoice = { conversation_speed: 1, who_speaks_first: 'agent', language: 'en-US' } as const;
const flow = (...keys: string[]) => ({
	initial_node_id: keys[0] ?? 'bye',
	nodes: [
		...keys.map((key, index) => {
			return { id: key, type: 'action', action_id: { $action: key }, next: keys[index + 1] ?? 'bye' };
		}),
		{ id: 'bye', type: 'end' },
	],
});

/** The agent before, as a document; with what only a person can add to it. */
const before = {
	schemaVersion: 1,
	settings: { name: 'Nora', label: 'Books' },
	knowledge,
	voice: { template: { name: 'Aurora', quality_tier: 'basic' }, ...ofVoice, ambient_volume: 0.5 },
	calling: { direction: 'outbound', phone_numbers: ['+12025550123'] },
	conversation: { conversation_mode: 'flow_driven', flow_config: flow('book') },
	actions: { book: { ...book, ...ofAction } },
	trainings: { prices: { subject: 'Prices', instructions: 'No discount.', current_status: 'active' } },
	webhooks: { crm: { ...hook, ...ofWebhook } },
} as const;

type Change = (wanted: AgentDocument) => void;
type Requests = Array<[request: string, body?: unknown]>;

const PUBLISH: [string] = ['POST agents/agent/publish'];
const VOICE = { voice_id: 'the voice of the agent', ...ofVoice, ambient_volume: 0.5 };

const plans: Array<[what: string, change: Change, requests: Requests, options?: Partial<ApplyOptions>]> = [
	['nothing', () => {}, []],
	[
		'another voice and direction',
		({ voice, calling }) => {
			Object.assign(voice, { template: { name: 'Friederike' } });
			Object.assign(calling, { direction: 'inbound' });
		},
		[
			['PUT agents/agent/voice', { ...VOICE, voice_id: 'Friederike-beta' }],
			['PUT agents/agent/calling', { direction: 'inbound', phone_number_ids: ['id of +12025550123'] }],
			PUBLISH,
		],
	],
	[
		'an action, which the flow uses: its ID is not known yet',
		({ actions, conversation }) => {
			actions.wait = { ...hold, ...ofAction, custom_headers: [] };
			conversation.flow_config = flow('wait', 'book');
		},
		[
			['POST agents/agent/actions', { node_id: 'wait', ...hold, authorization_scheme: 'none', custom_headers: [] }],
			[
				'PUT agents/agent/flow',
				{
					conversation_mode: 'flow_driven',
					flow_config: {
						initial_node_id: 'wait',
						nodes: [
							{ id: 'wait', type: 'action', action_id: '(ID of the new action wait)', next: 'book' },
							{ id: 'book', type: 'action', action_id: 'actions book', next: 'bye' },
							{ id: 'bye', type: 'end' },
						],
					},
				},
			],
			PUBLISH,
		],
	],
	[
		'another key of an action, in the flow too',
		({ actions, conversation }) => {
			actions.reserve = actions.book;
			delete actions.book;
			conversation.flow_config = { ...flow('book'), nodes: JSON.parse(JSON.stringify(flow('book').nodes)) };
			const [node] = conversation.flow_config.nodes as Array<{ action_id: object }>;
			node.action_id = { $action: 'reserve' };
		},
		[],
	],
	[
		'what the service does not return, only where the user wants it',
		({ actions }) => Object.assign(actions.book, { speak_on_send: 'One moment.' }),
		[
			['PUT agents/agent/voice', VOICE],
			[
				'POST agents/agent/actions',
				{ node_id: 'book', ...book, authorization_scheme: 'none', custom_headers: [], speak_on_send: 'One moment.' },
			],
			['PUT agents/agent/webhooks/webhooks crm', { ...hook, ...ofWebhook }],
			PUBLISH,
		],
		{ unreadableFields: 'send' },
	],
];

test.each(plans)('%s', (_what, change, expected, options = {}) => {
	const wanted = structuredClone(before) as unknown as AgentDocument;
	change(wanted);
	const { requests, problems } = plan(wanted, agentOf(structuredClone(before) as never), options);
	expect(problems).toEqual([]);
	const planned = requests.map(({ method, path, body }) => [`${method} ${path.join('/')}`, body]);
	expect(JSON.parse(inWords(JSON.stringify(planned)))).toEqual(
		expected.map(([request, body = null]) => [request, body]),
	);
});

test('the creation of an agent has its knowledge, voice and numbers, and a value for each setting that the document lacks', () => {
	const wanted = structuredClone(before) as unknown as AgentDocument;
	const [{ method, path, body }] = plan(wanted, undefined).requests;
	expect([method, path]).toEqual(['POST', ['agents']]);
	expect(body).toEqual({
		name: 'Nora',
		label: 'Books',
		...knowledge,
		...ofVoice,
		direction: 'outbound',
		phone_number_ids: ['id of +12025550123'],
		endpointing_sensitivity: 'auto',
		ivr_navigation_mode: 'off',
		idle_time_seconds: 10,
		enable_recording: false,
	});
});
