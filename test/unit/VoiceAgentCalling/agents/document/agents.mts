import fc from '../../../../fastCheck.mts';

export interface Answers {
	agentId: string;
	agent: Record<string, unknown>;
	flow: Record<string, unknown>;
	webhooks: Array<Record<string, unknown>>;
	voices: Array<Record<string, unknown>>;
}

/** Names that make equal keys, keys that numbers follow, names without letters, and one that is too long for a key. */
const name = fc.oneof(
	fc.constantFrom(
		'Ask',
		'ask',
		'ask-2',
		'Ask!',
		'!!!',
		'予約',
		...['constructor', '__proto__', 'toString', '7', 'Ask'.repeat(80)],
	),
	fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
);

const uuid = fc.uuid({ version: 4 });
const text = fc.string({ maxLength: 40 });
const url = fc.constantFrom('https://example.com/a', 'https://example.com/b?q=1', null);
const created_at = fc
	.date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2026-12-31T00:00:00Z'), noInvalidDate: true })
	.map((date) => date.toISOString());
const current_status = fc.constantFrom('active', 'inactive');

const inputs = { name: fc.string({ minLength: 1 }), type: fc.constant('string'), required: fc.boolean() };
const input = fc.record({ ...inputs, description: text, value: text }, { requiredKeys: ['name', 'type'] });

const action = fc
	.record({
		id: uuid,
		name,
		description: text,
		type: fc.constantFrom('webhook', 'transfer', 'hold', 'external'),
		input_schema: fc.array(input, { maxLength: 3 }),
		url,
		authorization_url: url,
		current_status,
		created_at,
		transfer_to: fc.constantFrom('+12025550101', undefined),
		hold_duration: fc.option(fc.nat(60), { nil: undefined }),
	})
	.map(({ transfer_to, hold_duration, ...fields }) => {
		const value = { transfer: transfer_to, hold: hold_duration, webhook: undefined, external: undefined }[fields.type];
		const valueName = fields.type === 'transfer' ? 'transfer_to' : 'hold_duration';
		const more =
			value === undefined ? [] : [{ name: valueName, type: 'string', required: true, description: '', value }];
		return {
			...fields,
			label: fields.name,
			config: null,
			action_trigger: null,
			input_schema: [...fields.input_schema, ...more],
		};
	});

const training = fc.record({ id: uuid, subject: name, instructions: text, current_status, created_at });

const webhook = fc.record({
	id: uuid,
	name,
	webhook_url: fc.constantFrom(
		'https://example.com/hook',
		'https://n8n.example.com/webhook/1c9de9c4-3f43-4f4c-9a6a-5b7a3e8f0d11/webhook?agent=some-agent',
		'https://user:password@example.com/hook',
		'https://example.com/hook?access_token=password',
	),
	events: fc.uniqueArray(fc.constantFrom('event_recording', 'event_action', 'event_call_report'), { minLength: 1 }),
	timeout: fc.integer({ min: 5, max: 120 }),
	max_retries: fc.nat(10),
	enabled: fc.boolean(),
	created_at,
	status: fc.constant('active'),
});

/** Any JSON, in which some texts are IDs of actions. */
const anyFlow = (ids: readonly string[]) =>
	fc.letrec((tie) => ({
		value: fc.oneof(
			{ depthSize: 'small' },
			fc.oneof(text, fc.boolean(), fc.nat(), fc.constant(null), fc.constantFrom('', ...ids)),
			fc.array(tie('value'), { maxLength: 4 }),
			fc.dictionary(fc.string({ maxLength: 8 }), tie('value'), { maxKeys: 4 }),
		),
		flow: fc.record({
			initial_node_id: text,
			nodes: fc.array(fc.record({ id: text, type: text, next: tie('value'), more: tie('value') }), { maxLength: 5 }),
		}),
	})).flow;

const voices = ['basic', 'pro', 'ultra'].map((quality_tier) => ({
	id: `voice-${quality_tier}`,
	name: 'Aurora',
	language: 'en-US',
	gender: 'female',
	quality_tier,
	cost: '0.02',
}));

const voice = fc.option(
	fc.record({
		id: uuid,
		name: fc.constant('Aurora'),
		label: fc.constant('Aurora'),
		stability: fc.constantFrom(0.5, 0.75, 1),
		similarity_boost: fc.constantFrom(0.5, 0.75, 1),
		ambient_background: fc.constantFrom(null, 'office'),
		template: fc.record({
			id: fc.constantFrom('voice-basic', 'voice-pro', 'voice-ultra', 'voice-that-is-gone'),
			name: fc.constant('Aurora'),
		}),
	}),
);

const fields = fc.record({
	id: uuid,
	name: fc.string({ minLength: 1, maxLength: 255 }),
	label: text,
	description: fc.option(text),
	language: fc.constantFrom('en-US', 'de-DE'),
	voice,
	initial_message: fc.option(text),
	interrupt_sensitivity: fc.constantFrom('low', 'medium', 'high'),
	conversation_speed: fc.constantFrom(0.1, 1, 3),
	initial_message_delay: fc.nat(60),
	ask_if_human_present_on_idle: fc.boolean(),
	llm_temperature: fc.constantFrom(0, 0.4, 2),
	direction: fc.constantFrom('inbound', 'outbound'),
	who_speaks_first: fc.constantFrom('agent', 'user'),
	current_status: fc.constantFrom('draft', 'published'),
	is_sandbox: fc.boolean(),
	is_ready_to_publish: fc.boolean(),
	actions: fc.uniqueArray(action, { maxLength: 5, selector: (each) => each.created_at }),
	trainings: fc.uniqueArray(training, { maxLength: 4, selector: (each) => each.created_at }),
	phone_numbers: fc
		.uniqueArray(fc.integer({ min: 100, max: 199 }), { maxLength: 4 })
		.map((all) => all.map((n) => ({ id: `number-${n}`, number: `+12025550${n}`, current_status: 'active' }))),
	created_at,
	updated_at: created_at,
});

/** The fields that the service may return as null, because they are not set. */
const maybeUnset: Record<string, readonly string[]> = {
	agent: ['label', 'language', 'interrupt_sensitivity', 'conversation_speed', 'initial_message_delay', 'direction'],
	voice: ['stability', 'similarity_boost'],
	actions: ['description', 'current_status'],
	trainings: ['instructions', 'current_status'],
	webhooks: ['webhook_url', 'events', 'timeout', 'max_retries', 'enabled'],
};

/** Sets some fields to null. @param field chooses one of the fields; undefined for none */
function unset({ agent, webhooks, ...given }: Answers, field: number | undefined): Answers {
	const without = (name: string, value: unknown) => {
		const fields = maybeUnset[name] as readonly string[];
		return value === null || field === undefined
			? value
			: { ...(value as object), [fields[field % fields.length] as string]: null };
	};
	const members = (name: string) => (agent[name] as unknown[]).map((member) => without(name, member));
	const lists = { actions: members('actions'), trainings: members('trainings') };
	return {
		...given,
		agent: { ...(without('agent', agent) as object), voice: without('voice', agent.voice), ...lists },
		webhooks: webhooks.map((webhook) => without('webhooks', webhook) as Record<string, unknown>),
	};
}

export const answers: fc.Arbitrary<Answers> = fields
	.chain((agent) =>
		fc.record({
			agentId: fc.constant(agent.id),
			agent: fc.constant(agent as Record<string, unknown>),
			flow: fc.oneof(
				fc.constant({ conversation_mode: 'llm_driven', flow_config: null }),
				fc.record({
					conversation_mode: fc.constant('flow_driven'),
					flow_config: anyFlow(agent.actions.map(({ id }) => id)),
				}),
			),
			webhooks: fc.uniqueArray(webhook, { maxLength: 4, selector: (each) => each.created_at }),
			voices: fc.constant(voices),
		}),
	)
	// As it comes from the service: JSON.
	.map((given) => JSON.parse(JSON.stringify(given)) as Answers)
	.chain((given) => fc.option(fc.nat(), { nil: undefined }).map((field) => unset(given, field)));

/** The members of an object in the opposite order, and of those in it; lists keep theirs. */
export function turned(value: unknown): unknown {
	if (Array.isArray(value)) {
		return value.map(turned);
	}
	if (typeof value !== 'object' || value === null) {
		return value;
	}
	const members = Object.entries(value).toReversed();
	return Object.fromEntries(members.map(([key, member]) => [key, turned(member)]));
}

/** The same agent in another environment: other IDs, and other orders of what has none. */
export function elsewhere({ agent, flow, webhooks, voices }: Answers): Answers {
	// No generated object has these.
	const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
	const ids = new Map((agent.actions as Array<{ id: string }>).map(({ id }, index) => [id, idOf(index)]));
	const renamed = (text: string) =>
		[...ids].reduce((result, [id, other]) => result.replaceAll(`"${id}"`, `"${other}"`), text);
	const moved = JSON.parse(renamed(JSON.stringify(turned({ agent, flow })))) as Pick<Answers, 'agent' | 'flow'>;
	const list = (key: string) => (moved.agent[key] as unknown[]).toReversed();
	const events = (webhook: Record<string, unknown>) => (webhook.events as string[] | null)?.toReversed() ?? null;
	return {
		agentId: 'another-agent',
		agent: Object.assign(
			moved.agent,
			...['actions', 'trainings', 'phone_numbers'].map((key) => ({ [key]: list(key) })),
		),
		flow: moved.flow,
		webhooks: webhooks.toReversed().map((webhook) => ({ ...webhook, id: 'other', events: events(webhook) })),
		voices: voices.toReversed(),
	};
}
