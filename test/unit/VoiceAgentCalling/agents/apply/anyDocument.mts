import type {
	AgentDocument,
	DocumentAction,
	DocumentTraining,
	DocumentWebhook,
} from '../../../../../nodes/VoiceAgentCalling/agents/document/document.ts';
import fc from '../../../../fastCheck.mts';

/** Texts of people: with letters of all kinds, quotation marks and lines. */
const words = (minLength: number, maxLength = 40) =>
	fc.string({ unit: 'grapheme', minLength, maxLength }).filter((text) => text.trim().length >= minLength);

/** A name that is its own key, as Export makes keys of names. */
const keyName = fc.stringMatching(/^[a-z][a-z0-9_]{0,9}[a-z0-9]$/);

const maybe = <Value,>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null });
const status = fc.constantFrom<'active' | 'inactive'>('active', 'inactive');
const scheme = fc.constantFrom('none', 'bearer', 'basic', 'api_key', 'custom');
const headers = fc.array(
	fc.record({ key: fc.stringMatching(/^X-[A-Za-z]{1,8}$/), value: fc.stringMatching(/^[a-z0-9]{16}$/) }),
	{ maxLength: 2 },
);
const address = fc.stringMatching(/^https:\/\/[a-z]{1,8}\.example\.com\/[a-z]{0,8}$/);

const input = fc.record(
	{
		name: fc.stringMatching(/^[a-z]{1,8}$/),
		type: fc.constantFrom('string', 'number', 'integer'),
		required: fc.boolean(),
		description: words(0),
		value: fc.oneof(words(1), fc.integer(), fc.boolean()),
	},
	{ requiredKeys: ['name', 'type'] },
);

const unreadable = {
	integration: maybe(fc.constantFrom({ id: 'calendar' }, { id: 'crm' })),
	authorization_scheme: scheme,
	custom_headers: headers,
	speak_on_send: maybe(words(1)),
	speak_on_receive: maybe(words(1)),
};
const common = {
	description: words(1),
	inputs: fc.uniqueArray(input, { selector: ({ name }) => name, maxLength: 2 }),
	current_status: status,
	...unreadable,
};
const action = fc.oneof(
	fc.record({
		...common,
		type: fc.constant('webhook'),
		url: maybe(address),
		authorization_url: maybe(address),
	}),
	fc.record({ ...common, type: fc.constant('transfer'), transfer_to: fc.stringMatching(/^\+1202555\d{4}$/) }),
	fc.record({ ...common, type: fc.constant('hold'), hold_duration: fc.nat(300) }),
	fc.record({
		...common,
		type: fc.constant('external'),
		execution_mode: fc.constantFrom('during_call', 'post_call'),
	}),
) as fc.Arbitrary<DocumentAction>;

const training = fc.record({ instructions: words(1), current_status: status }) as fc.Arbitrary<DocumentTraining>;

const webhook = fc.record({
	webhook_url: address,
	events: fc.uniqueArray(
		fc.constantFrom('event_phone_call_started', 'event_phone_call_ended', 'event_phone_call_connected'),
		{ minLength: 1 },
	),
	timeout: fc.integer({ min: 5, max: 120 }),
	max_retries: fc.nat(10),
	enabled: fc.boolean(),
	webhook_secret: fc.stringMatching(/^[a-z0-9]{32}$/),
	http_method: fc.constantFrom('POST', 'PUT', 'PATCH'),
	authorization_scheme: scheme,
	custom_headers: headers,
	payload_templates: fc.constantFrom({}, { event_phone_call_ended: { call: '{{call.id}}' } }),
}) as fc.Arbitrary<DocumentWebhook>;

/** Members by key, each with its key as its name. */
function keyed<Member extends object>(member: fc.Arbitrary<Member>, nameField: string) {
	return fc
		.uniqueArray(fc.tuple(keyName, member), { selector: ([key]) => key, maxLength: 3 })
		.map((entries) => Object.fromEntries(entries.map(([key, value]) => [key, { [nameField]: key, ...value }])));
}

const tuning = fc.record({
	similarity: fc.constantFrom(0.5, 0.75, 0.9),
	stability: fc.constantFrom(0.5, 0.8, 1),
});
const voice = fc
	.tuple(
		fc.record({
			language: fc.constantFrom('en-US', 'de-DE', 'pt-BR'),
			conversation_speed: fc.constantFrom(0.8, 1, 1.25, 2),
			who_speaks_first: fc.constantFrom('agent', 'user'),
			ambient_background: maybe(fc.constantFrom('office', 'cafe')),
			ambient_volume: fc.constantFrom(0, 0.5, 1, 2),
		}),
		fc.oneof(
			fc.record({
				template: fc.constantFrom(
					{ name: 'Aurora', language: 'en-US', quality_tier: 'basic' },
					{ name: 'Aurora', language: 'en-US', quality_tier: 'pro' },
				),
			}),
			fc
				.record({
					template: fc.constantFrom(
						{ name: 'Friederike', language: 'de-DE', quality_tier: 'beta' },
						{ name: 'Aurora', language: 'en-US', quality_tier: 'ultra' },
					),
					tuning,
				})
				.map((high) => ({ template: high.template, ...high.tuning })),
		),
	)
	.map(([settings, template]) => ({ ...template, ...settings })) as fc.Arbitrary<AgentDocument['voice']>;

/** A flow with a node for some actions, which the service accepts. */
function flowWith(actions: readonly string[], texts: readonly string[]) {
	const steps = [
		...texts.map((content, index) => ({ id: `say${index}`, type: 'say', content })),
		...actions.map((key, index) => ({ id: `act${index}`, type: 'action', action_id: { $action: key } })),
	];
	const ids = [...steps.map(({ id }) => id), 'bye'];
	return {
		initial_node_id: ids[0],
		nodes: [...steps.map((step, index) => ({ ...step, next: ids[index + 1] })), { id: 'bye', type: 'end' }],
	};
}

/** Documents of agents that the sandbox accepts, with all that it does not return. All have the same name and label. */
export const anyDocument: fc.Arbitrary<AgentDocument> = fc
	.record({
		settings: fc.record({
			name: fc.constant('Nora'),
			label: fc.constant('Books visits'),
			endpointing_sensitivity: fc.constantFrom('auto', 'medium'),
			ivr_navigation_mode: fc.constantFrom('off', 'standard'),
			idle_time_seconds: fc.integer({ min: 1, max: 300 }),
			max_call_duration_seconds: fc.integer({ min: 1, max: 3600 }),
			enable_recording: fc.boolean(),
		}),
		knowledge: fc.record({
			description: words(5),
			initial_message: maybe(words(5)),
			interrupt_sensitivity: fc.constantFrom('low', 'medium', 'high'),
			ask_if_human_present_on_idle: fc.boolean(),
			llm_temperature: fc.constantFrom(0, 0.4, 1.5, 2),
			initial_message_delay: fc.nat(60),
		}),
		voice,
		calling: fc.record({
			direction: fc.constantFrom('inbound', 'outbound'),
			phone_numbers: fc.subarray(['+12025550123', '+12025550145', '+442079460018']),
		}),
		actions: keyed(action, 'name'),
		trainings: keyed(training, 'subject'),
		webhooks: keyed(webhook, 'name'),
		texts: fc.option(fc.array(words(1), { maxLength: 2 }), { nil: undefined }),
		seed: fc.nat(7),
	})
	.map(({ texts, seed, ...document }) => ({
		schemaVersion: 1,
		...document,
		conversation:
			texts === undefined
				? { conversation_mode: 'llm_driven', flow_config: null }
				: {
						conversation_mode: 'flow_driven',
						flow_config: flowWith(
							Object.keys(document.actions).filter((_, index) => (seed >> index) % 2 === 1),
							texts,
						),
					},
	})) as fc.Arbitrary<AgentDocument>;
