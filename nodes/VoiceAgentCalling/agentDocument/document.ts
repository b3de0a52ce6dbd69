import type { z } from 'zod/v3';

import type { Zod } from '../../shared/fields/field';

/** The version of the format. A document with another one is rejected. */
export const SCHEMA_VERSION = 1;

/** The address of the JSON schema, which editors use for completion. */
export const SCHEMA_URL =
	'https://raw.githubusercontent.com/n8n-nodes-voice-agent-calling/n8n-nodes-voice-agent-calling/main/docs/agent-document.schema.json';

/** What the key of an action, a training or a webhook looks like: it is a part of paths, and of a `node_id`. */
export const KEY = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,79}$/u;

/** What replaces the ID of an action in a flow: an object with the key of the action as its only member. */
export const ACTION_REFERENCE = '$action';

const LONGEST_NAME = 255;

const status = (zod: Zod) => zod.enum(['active', 'inactive']);

const schemes = ['none', 'bearer', 'basic', 'api_key', 'custom'] as const;

const NOT_READABLE = 'The service does not return it, so Export leaves it out: add it by hand.';

/** Settings that only the creation of an agent can set. */
function settings(zod: Zod) {
	const seconds = (min: number, max: number) => zod.number().int().min(min).max(max).optional().describe(NOT_READABLE);
	const text = zod.string().max(LONGEST_NAME);
	return zod
		.object({
			name: text.min(1).describe('Name of the agent.'),
			label: text.nullable().optional().describe('Name of the agent in the dashboard.'),
			endpointing_sensitivity: text.optional().describe(NOT_READABLE),
			ivr_navigation_mode: text.optional().describe(NOT_READABLE),
			idle_time_seconds: seconds(1, 300),
			max_idle_check_count: seconds(1, 10),
			max_call_duration_seconds: seconds(1, 3600),
			say_goodbye_on_max_duration: zod.boolean().optional().describe(NOT_READABLE),
			user_inactivity_timeout_seconds: seconds(5, 120),
			initial_idle_time_seconds: seconds(1, 60),
			initial_max_idle_check_count: seconds(0, 10),
			enable_recording: zod.boolean().optional().describe(NOT_READABLE),
		})
		.strict()
		.describe('Only the creation of an agent sets them: they cannot be changed afterwards.');
}

/** The body of `PUT /agents/{agent_id}/knowledge`. */
function knowledge(zod: Zod) {
	return zod
		.object({
			description: zod.string().nullable().optional().describe('The prompt.'),
			initial_message: zod.string().nullable().optional().describe('What the agent says first.'),
			interrupt_sensitivity: zod.enum(['low', 'medium', 'high']).nullable().optional(),
			ask_if_human_present_on_idle: zod.boolean().nullable().optional(),
			llm_temperature: zod.number().min(0).max(2).nullable().optional(),
			initial_message_delay: zod.number().int().min(0).max(60).nullable().optional().describe('In seconds.'),
		})
		.strict();
}

/** The body of `PUT /agents/{agent_id}/voice`, with the voice by its names. */
function voice(zod: Zod) {
	const template = zod
		.object({
			name: zod.string().min(1),
			language: zod.string().nullable().optional(),
			quality_tier: zod
				.string()
				.nullable()
				.optional()
				.describe('basic, pro, ultra or beta: the tiers of a voice share its name.'),
		})
		.strict();
	return zod
		.object({
			template: template.nullable().optional().describe('The voice by its names. Null if the agent has none.'),
			language: zod.string().nullable().optional().describe('The language that the agent speaks.'),
			conversation_speed: zod.number().min(0.1).max(3).nullable().optional(),
			who_speaks_first: zod.enum(['agent', 'user']).nullable().optional(),
			ambient_background: zod.string().nullable().optional(),
			ambient_volume: zod.number().min(0).max(2).optional().describe(NOT_READABLE),
			similarity: zod.number().min(0).max(1).nullable().optional(),
			stability: zod.number().min(0).max(1).nullable().optional(),
		})
		.strict();
}

/** The body of `PUT /agents/{agent_id}/calling`, with the numbers themselves. */
function calling(zod: Zod) {
	return zod
		.object({
			direction: zod.enum(['inbound', 'outbound']).nullable().optional(),
			phone_numbers: zod.array(zod.string().min(1)).optional().describe('In E.164, such as +12025550123.'),
		})
		.strict();
}

/** The body of `PUT /agents/{agent_id}/flow`. */
function conversation(zod: Zod) {
	const flow = zod.record(zod.unknown()).nullable();
	return zod
		.object({
			conversation_mode: zod.enum(['llm_driven', 'flow_driven']).nullable().optional(),
			flow_config: flow
				.optional()
				.describe(`The flow. An action of the agent is written as {"${ACTION_REFERENCE}": "its key in actions"}.`),
		})
		.strict();
}

/** The body of `POST /agents/{agent_id}/actions`. */
function action(zod: Zod) {
	const input = zod
		.object({
			name: zod.string().min(1),
			type: zod.string().min(1),
			required: zod.boolean().nullable().optional(),
			description: zod.string().nullable().optional(),
			value: zod.unknown(),
		})
		.strict();
	const spoken = zod.string().nullable().optional().describe(`${NOT_READABLE} Null if the agent says nothing.`);
	return zod
		.object({
			name: zod.string().min(1).max(LONGEST_NAME),
			description: zod.string().nullable().optional(),
			type: zod.enum(['webhook', 'transfer', 'hold', 'external']),
			inputs: zod.array(input).optional(),
			url: zod.string().nullable().optional(),
			authorization_url: zod.string().nullable().optional(),
			transfer_to: zod.string().optional().describe('For the type transfer: a number in E.164.'),
			hold_duration: zod.number().int().min(0).optional().describe('For the type hold: in seconds.'),
			current_status: status(zod).nullable().optional(),
			node_id: zod.string().min(1).optional().describe(`${NOT_READABLE} By default the key of the action.`),
			integration: zod
				.object({ id: zod.string().min(1) })
				.strict()
				.nullable()
				.optional()
				.describe(`${NOT_READABLE} Null if the action uses none.`),
			authorization_scheme: zod.enum(schemes).optional().describe(NOT_READABLE),
			custom_headers: headers(zod),
			speak_on_send: spoken,
			speak_on_receive: spoken,
			execution_mode: zod.enum(['during_call', 'post_call']).optional().describe(NOT_READABLE),
		})
		.strict();
}

/** The body of `POST /agents/{agent_id}/trainings`. */
function training(zod: Zod) {
	return zod
		.object({
			subject: zod.string().min(1).max(LONGEST_NAME),
			instructions: zod.string().nullable().optional(),
			current_status: status(zod).nullable().optional(),
			node_id: zod.string().min(1).optional().describe(`${NOT_READABLE} By default the key of the training.`),
		})
		.strict();
}

/** The body of `POST /agents/{agent_id}/webhooks`. */
function webhook(zod: Zod) {
	return zod
		.object({
			name: zod.string().min(1).max(LONGEST_NAME),
			webhook_url: zod.string().min(1).nullable().optional(),
			events: zod.array(zod.string()).nullable().optional(),
			timeout: zod.number().int().nullable().optional().describe('In seconds.'),
			max_retries: zod.number().int().nullable().optional(),
			enabled: zod.boolean().nullable().optional(),
			webhook_secret: zod.string().max(LONGEST_NAME).optional().describe(`${NOT_READABLE} It is a secret.`),
			http_method: zod.enum(['POST', 'PUT', 'PATCH']).optional().describe(NOT_READABLE),
			authorization_scheme: zod.enum(schemes).optional().describe(NOT_READABLE),
			custom_headers: headers(zod),
			payload_templates: zod.record(zod.record(zod.unknown())).optional().describe(NOT_READABLE),
		})
		.strict();
}

function headers(zod: Zod) {
	const header = zod.object({ key: zod.string().min(1), value: zod.string() }).strict();
	return zod.array(header).optional().describe(`${NOT_READABLE} The values are secrets.`);
}

/**
 * Creates the check of the format: unknown names are errors, all sections are required. Null is what the service returns
 * for what is not set, so it is allowed for all that it returns.
 */
export function documentSchema(zod: Zod) {
	const key = zod
		.string()
		.regex(KEY, 'Keys have up to 80 letters, digits, hyphens and underscores and begin with a letter or digit');
	return zod
		.object({
			$schema: zod.string().optional().describe('The address of this schema.'),
			schemaVersion: zod.literal(SCHEMA_VERSION),
			settings: settings(zod),
			knowledge: knowledge(zod),
			voice: voice(zod),
			calling: calling(zod),
			conversation: conversation(zod),
			actions: zod.record(key, action(zod)).describe('By key.'),
			trainings: zod.record(key, training(zod)).describe('By key.'),
			webhooks: zod
				.record(key, webhook(zod))
				.describe('By key. Those of a Voice Agent Calling Trigger do not belong here: triggers register themselves.'),
			notReadable: zod
				.array(zod.string())
				.optional()
				.describe('What the service did not return: paths in the document. Export writes the list, nothing reads it.'),
		})
		.strict();
}

/** An agent as a document. A field that is left out is not known: by Export, because the service does not return it. */
export type AgentDocument = z.output<ReturnType<typeof documentSchema>>;

/** An action in a document. */
export type DocumentAction = AgentDocument['actions'][string];

/** A training in a document. */
export type DocumentTraining = AgentDocument['trainings'][string];

/** A webhook in a document. */
export type DocumentWebhook = AgentDocument['webhooks'][string];

/** The fields of the section `knowledge`, in their order. */
export const knowledgeFields: readonly string[] = [
	'description',
	'initial_message',
	'interrupt_sensitivity',
	'ask_if_human_present_on_idle',
	'llm_temperature',
	'initial_message_delay',
];

/** The sections whose members have keys. */
export const keyedSections = ['actions', 'trainings', 'webhooks'] as const;
