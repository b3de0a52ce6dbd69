import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v3';

import type { Zod } from '../../../shared/fields/field';

// The only description of the fields of an agent: documents, plans, requests and the editor use it.

/** Inclusive limits of a number, or of the length of a text. */
export interface Limits {
	min?: number;
	max?: number;
}

/** The kind of values that a field has. */
interface Kind<Schema extends z.ZodTypeAny> {
	schema: (zod: Zod) => Schema;
	/** The limits in the editor. They also apply to a document, unless the service may return other values. */
	limits?: Limits;
}

/** One field of an agent, an action, a training or a webhook. */
export interface AgentField<Schema extends z.ZodTypeAny = z.ZodTypeAny> extends Kind<Schema> {
	/** Whether the service returns it. */
	isReadable: boolean;
	/** Whether the service requires it with every change of its section, and in a new action, training or webhook. */
	isRequired?: true;
	/** Whether the request that creates an agent accepts it. */
	isInCreation?: true;
	/** The value if something is created without it. The creation of an agent sends it, unless it is null or an empty list. */
	default?: unknown;
	/** Its name in requests, if it differs from the name in documents. Then the document has names, and the request has IDs. */
	sentAs?: string;
	/** The types of actions that have it; undefined for all types. */
	types?: readonly string[];
	/** For a list whose order does not matter. */
	isUnordered?: true;
	/** Whether it tunes a voice. A new voice does not keep it, and some voices do not support it. */
	isTuning?: true;
	/** Whether a request without it leaves its value unchanged. */
	survivesOmission?: true;
	/** Whether the service identifies an action or a training by it. */
	isIdentity?: true;
	/** Whether its value must never be shown. */
	isSecret?: true;
	/** For a field that is not readable: the reason or a remark, as a sentence. */
	note?: string;
}

/** Further properties of a field. */
type More = Omit<AgentField, keyof Kind<z.ZodTypeAny> | 'isReadable' | 'note'>;

/** The form of the key of an action, training or webhook. Keys are used in paths, and as `node_id`. */
export const KEY = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,79}$/u;

/** In a document, an object with only this member replaces the ID of an action in a flow. Its value is the action's key. */
export const ACTION_REFERENCE = '$action';

const LONGEST_NAME = 255;

const bool: Kind<z.ZodBoolean> = { schema: (zod) => zod.boolean() };
const anyText: Kind<z.ZodString> = { schema: (zod) => zod.string() };
const someText: Kind<z.ZodString> = { schema: (zod) => zod.string().min(1) };
const name: Kind<z.ZodString> = {
	schema: (zod) => zod.string().min(1).max(LONGEST_NAME),
	limits: { max: LONGEST_NAME },
};
const shortText: Kind<z.ZodString> = { schema: (zod) => zod.string().max(LONGEST_NAME), limits: { max: LONGEST_NAME } };

function whole(min: number, max?: number): Kind<z.ZodNumber> {
	const schema = (zod: Zod) => {
		const atLeast = zod.number().int().min(min);
		return max === undefined ? atLeast : atLeast.max(max);
	};
	return { schema, limits: { min, max } };
}

function decimal(min: number, max: number): Kind<z.ZodNumber> {
	return { schema: (zod) => zod.number().min(min).max(max), limits: { min, max } };
}

function oneOf<const Values extends [string, ...string[]]>(...values: Values) {
	return { schema: (zod: Zod) => zod.enum<string, Values>(values) };
}

/** Limits a kind in the editor only. In a document, other values are valid, because the service may return them. */
function upTo<Schema extends z.ZodTypeAny>(kind: Kind<Schema>, limits: Limits): Kind<Schema> {
	return { ...kind, limits };
}

/** Adds an explanation to a kind, which the JSON schema shows. */
function about<Schema extends z.ZodTypeAny>(words: string, kind: Kind<Schema>): Kind<Schema> {
	return { ...kind, schema: (zod) => kind.schema(zod).describe(words) };
}

/** Makes a field that the service returns; as null if it is not set. */
function returned<Schema extends z.ZodTypeAny>(kind: Kind<Schema>, more: More = {}) {
	const schema = (zod: Zod) => {
		const inner = kind.schema(zod);
		const optional = inner.nullable().optional();
		return inner.description === undefined ? optional : optional.describe(inner.description);
	};
	return { ...more, limits: kind.limits, schema, isReadable: true };
}

/** Makes a field that the service always returns, so that no document lacks it. */
function always<Schema extends z.ZodTypeAny>(kind: Kind<Schema>, more: More = {}): AgentField<Schema> {
	return { ...more, ...kind, isReadable: true };
}

const NOT_READABLE = 'The service does not return it, so Export leaves it out: add it by hand.';

/** Makes a field that the service accepts and never returns. @param note the reason or a remark */
function hidden<Schema extends z.ZodTypeAny>(kind: Kind<Schema>, note: string, more: More = {}) {
	const schema = (zod: Zod) => {
		const inner = kind.schema(zod);
		return inner.optional().describe([NOT_READABLE, inner.description].filter(Boolean).join(' '));
	};
	return { ...more, limits: kind.limits, schema, isReadable: false, note };
}

/** Makes a field that only the creation of an agent sets. */
function atCreation<Schema extends z.ZodTypeAny>(kind: Kind<Schema>, initial?: unknown) {
	const more: More = { isInCreation: true, ...(initial !== undefined && { default: initial }) };
	return hidden(kind, 'Only the creation of an agent sets it.', more);
}

/** The properties of a field that both the creation of an agent and later updates set. */
const setTwice = (initial?: unknown): More => ({
	isInCreation: true,
	...(initial !== undefined && { default: initial }),
});

const status = oneOf('active', 'inactive');
const schemes = oneOf('none', 'bearer', 'basic', 'api_key', 'custom');
const nothingSaid = (kind: Kind<z.ZodString>) => ({
	schema: (zod: Zod) => kind.schema(zod).nullable().describe('Null if the agent says nothing.'),
});
const headers = {
	schema: (zod: Zod) =>
		zod
			.array(zod.object({ key: zod.string().min(1), value: zod.string() }).strict())
			.describe('The values are secrets.'),
};

/** Creates the check of an input of an action. */
const input = (zod: Zod) =>
	zod
		.object({
			name: zod.string().min(1),
			type: zod.string().min(1),
			required: zod.boolean().nullable().optional(),
			description: zod.string().nullable().optional(),
			value: zod.unknown(),
		})
		.strict();

/** Creates the check of the names of a voice. */
const voiceTemplate = (zod: Zod) =>
	zod
		.object({
			name: zod.string().min(1),
			language: zod.string().nullable().optional(),
			quality_tier: zod
				.string()
				.nullable()
				.optional()
				.describe('basic, pro, ultra or beta: the tiers of a voice share its name.'),
		})
		.strict()
		.describe('The voice by its names. Null if the agent has none.');

/**
 * All fields by their section in a document. One request sends one section: the creation of the agent sends `settings`,
 * and `knowledge`, `voice`, `calling` and `conversation` have an update each. Of `actions`, `trainings` and `webhooks`,
 * each member has its own request.
 */
export const agentFields = {
	settings: {
		name: always(about('Name of the agent.', name), { isInCreation: true }),
		label: returned(about('Name of the agent in the dashboard.', shortText), { isInCreation: true }),
		endpointing_sensitivity: atCreation(shortText, 'auto'),
		ivr_navigation_mode: atCreation(shortText, 'off'),
		// The service documents two limits, 60 and 300 seconds. This is the larger one.
		idle_time_seconds: atCreation(whole(1, 300), 10),
		max_idle_check_count: atCreation(whole(1, 10)),
		max_call_duration_seconds: atCreation(whole(1, 3600)),
		say_goodbye_on_max_duration: atCreation(bool),
		user_inactivity_timeout_seconds: atCreation(whole(5, 120)),
		initial_idle_time_seconds: atCreation(whole(1, 60)),
		initial_max_idle_check_count: atCreation(whole(0, 10)),
		enable_recording: atCreation(bool, false),
	},
	knowledge: {
		description: returned(about('The prompt.', upTo(anyText, { min: 5 })), { ...setTwice(), isRequired: true }),
		initial_message: returned(about('What the agent says first.', upTo(anyText, { min: 5, max: 255 })), setTwice()),
		interrupt_sensitivity: returned(oneOf('low', 'medium', 'high'), { ...setTwice('medium'), isRequired: true }),
		ask_if_human_present_on_idle: returned(bool, { ...setTwice(true), isRequired: true }),
		llm_temperature: returned(decimal(0, 2), { ...setTwice(0.4), isRequired: true }),
		initial_message_delay: returned(about('In seconds.', whole(0, 60)), { ...setTwice(1), isRequired: true }),
	},
	voice: {
		template: returned({ schema: voiceTemplate }, { sentAs: 'voice_id', isRequired: true }),
		language: returned(about('The language that the agent speaks.', anyText), setTwice()),
		// The service documents two ranges, 0.1 to 3 and 1 to 2. This is the larger one.
		conversation_speed: returned(decimal(0.1, 3), { ...setTwice(1), isRequired: true }),
		who_speaks_first: returned(oneOf('agent', 'user'), { ...setTwice('agent'), isRequired: true }),
		ambient_background: returned(anyText),
		ambient_volume: hidden(decimal(0, 2), 'Every change of the voice sets it.', { default: 1 }),
		similarity: returned(upTo(decimal(0, 1), { min: 0.5, max: 1 }), { isTuning: true }),
		stability: returned(upTo(decimal(0, 1), { min: 0.5, max: 1 }), { isTuning: true }),
	},
	calling: {
		direction: returned(oneOf('inbound', 'outbound'), { ...setTwice('outbound'), isRequired: true }),
		phone_numbers: returned(
			{ schema: (zod) => zod.array(zod.string().min(1)).describe('In E.164, such as +12025550123.') },
			{ ...setTwice(), sentAs: 'phone_number_ids', isUnordered: true, survivesOmission: true },
		),
	},
	conversation: {
		conversation_mode: returned(oneOf('llm_driven', 'flow_driven'), { isRequired: true }),
		flow_config: returned({
			schema: (zod) =>
				zod
					.record(zod.unknown())
					.describe(`The flow. An action of the agent is written as {"${ACTION_REFERENCE}": "its key in actions"}.`),
		}),
	},
	actions: {
		name: always(name),
		description: returned(anyText, { isRequired: true }),
		type: always(oneOf('webhook', 'transfer', 'hold', 'external')),
		inputs: returned({ schema: (zod) => zod.array(input(zod)) }),
		url: returned(anyText, { types: ['webhook'] }),
		authorization_url: returned(anyText, { types: ['webhook'] }),
		transfer_to: returned(about('For the type transfer: a number in E.164.', anyText), { types: ['transfer'] }),
		hold_duration: returned(about('For the type hold: in seconds.', whole(0)), { types: ['hold'] }),
		current_status: returned(status),
		node_id: hidden(someText, 'It identifies the action. Without it, the key in the document is used.', {
			isIdentity: true,
		}),
		integration: hidden(
			{
				schema: (zod) =>
					zod
						.object({ id: zod.string().min(1) })
						.strict()
						.nullable()
						.describe('Null if the action uses none.'),
			},
			'The external system that the action uses.',
			{ default: null },
		),
		authorization_scheme: hidden(schemes, 'For requests to the URL.', { default: 'none' }),
		custom_headers: hidden(headers, 'The values are secrets.', { isSecret: true, default: [] }),
		speak_on_send: hidden(nothingSaid(anyText), 'Spoken before the request.', { default: null }),
		speak_on_receive: hidden(nothingSaid(anyText), 'Spoken after the response.', { default: null }),
		execution_mode: hidden(oneOf('during_call', 'post_call'), 'Only actions of the type external have it.', {
			types: ['external'],
			default: 'during_call',
		}),
	},
	trainings: {
		subject: always(name),
		instructions: returned(anyText, { isRequired: true }),
		current_status: returned(status),
		node_id: hidden(someText, 'It identifies the training. Without it, the key in the document is used.', {
			isIdentity: true,
		}),
	},
	webhooks: {
		name: always(name),
		webhook_url: returned(someText, { isRequired: true }),
		events: returned({ schema: (zod) => zod.array(zod.string()) }, { isRequired: true, isUnordered: true }),
		timeout: returned(about('In seconds.', { schema: (zod) => zod.number().int() })),
		max_retries: returned({ schema: (zod) => zod.number().int() }),
		enabled: returned(bool),
		webhook_secret: hidden(shortText, 'It is a secret.', { isSecret: true, survivesOmission: true }),
		http_method: hidden(oneOf('POST', 'PUT', 'PATCH'), 'The method of deliveries.', { default: 'POST' }),
		authorization_scheme: hidden(schemes, 'For deliveries.', { default: 'none' }),
		custom_headers: hidden(headers, 'The values are secrets.', { isSecret: true, default: [] }),
		payload_templates: hidden({ schema: (zod) => zod.record(zod.record(zod.unknown())) }, 'The bodies of deliveries.', {
			default: {},
		}),
	},
} as const satisfies Record<string, Record<string, AgentField>>;

export type Section = keyof typeof agentFields;

/** The sections whose members have keys. */
export const keyedSections = ['actions', 'trainings', 'webhooks'] as const;

export type KeyedSection = (typeof keyedSections)[number];

/** The sections that have an update each. */
export const settingSections = ['knowledge', 'voice', 'calling'] as const;

export type SettingSection = (typeof settingSections)[number];

/**
 * Returns the fields of a section with their names, in the order of the document.
 *
 * @param type the type of an action, to omit the fields of other types
 */
export function fieldsOf(section: Section, type?: unknown): Array<[name: string, field: AgentField]> {
	const fields = Object.entries<AgentField>(agentFields[section]);
	return fields.filter(([, { types }]) => type === undefined || types === undefined || types.includes(String(type)));
}

/** Returns the fields that the creation of an agent can set, with their sections. */
export function creationFields(): Array<{ section: 'settings' | SettingSection; name: string; field: AgentField }> {
	return (['settings', ...settingSections] as const).flatMap((section) =>
		fieldsOf(section)
			.filter(([, { isInCreation }]) => isInCreation)
			.map(([name, field]) => ({ section, name, field })),
	);
}

/** Returns the defaults that the creation of an agent sends for fields that the user did not set. */
export function creationDefaults(): IDataObject {
	const withDefault = creationFields().filter(({ field }) => field.default !== undefined);
	return Object.fromEntries(withDefault.map(({ name, field }) => [name, field.default])) as IDataObject;
}
