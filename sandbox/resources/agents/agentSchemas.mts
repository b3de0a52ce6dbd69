import { z } from 'zod';

import { AGENT_EVENTS } from '../../engine/deliveries/eventTypes.mts';
import { ASSUMED, named } from '../../http/named.mts';
import { count, identifier, shownUrl, timestamp } from '../../http/responseSchemas.mts';
import { anyObject } from '../../http/schemas.mts';
import { nestedNumberSchema, qualityTier } from '../numbersAndVoices/numberAndVoiceSchemas.mts';

const agentStatus = z.enum(['draft', 'published']);
const direction = z.enum(['inbound', 'outbound']);
const activity = z.enum(['active', 'inactive']);

const unitInterval = z.number().min(0).max(1);
const voice = named(
	'AgentVoice',
	z.object({
		id: identifier,
		name: z.string(),
		label: z.string(),
		stability: unitInterval,
		similarity_boost: unitInterval,
		ambient_background: z.string().nullable(),
		template: z.object({ id: identifier, name: z.string() }),
	}),
);

export const trainingSchema = named(
	'Training',
	z.object({
		id: identifier,
		subject: z.string(),
		instructions: z.string(),
		current_status: activity,
		created_at: timestamp,
		updated_at: timestamp,
	}),
);

export const actionSchema = named(
	'Action',
	z.object({
		id: identifier,
		name: z.string(),
		label: z.string(),
		description: z.string(),
		type: z.enum(['webhook', 'transfer', 'hold', 'external']),
		input_schema: z.array(
			z.object({
				name: z.string(),
				type: z.string(),
				required: z.boolean(),
				description: z.string(),
				value: z.unknown().optional(),
			}),
		),
		config: anyObject.nullable().describe('Its contents are not documented by the service; null in the sandbox.'),
		action_trigger: anyObject
			.nullable()
			.describe('Its contents are not documented by the service; null in the sandbox.'),
		url: shownUrl.nullable(),
		authorization_url: shownUrl.nullable(),
		current_status: activity,
		created_at: timestamp,
		updated_at: timestamp,
	}),
);

export const agentSchema = named(
	'Agent',
	z.object({
		id: identifier,
		name: z.string(),
		label: z.string(),
		description: z.string().nullable(),
		language: z.string(),
		voice: voice.nullable().describe('Null on a new agent.'),
		initial_message: z.string().nullable(),
		interrupt_sensitivity: z.enum(['low', 'medium', 'high']),
		conversation_speed: z.number().min(0.1).max(3),
		initial_message_delay: z.number().int().min(0).max(60).describe('Seconds.'),
		ask_if_human_present_on_idle: z.boolean(),
		llm_temperature: z.number().min(0).max(2),
		direction,
		who_speaks_first: z.enum(['agent', 'user']),
		current_status: agentStatus,
		is_sandbox: z.boolean(),
		is_ready_to_publish: z.boolean(),
		trainings: z.array(trainingSchema),
		actions: z.array(actionSchema),
		phone_numbers: z.array(nestedNumberSchema),
		created_at: timestamp,
		updated_at: timestamp,
	}),
);

/** The response to publishing and unpublishing. */
export const publishStateSchema = named(
	'AgentPublishState',
	z.object({
		id: identifier,
		name: z.string(),
		current_status: agentStatus,
		is_ready_to_publish: z.boolean(),
		updated_at: timestamp,
	}),
);

const callback_config = z.object({ source_agent_ids: z.array(identifier) });
const shownAgent = { id: identifier, name: z.string(), direction, current_status: agentStatus };

export const callbackSourceSchema = named('CallbackSource', z.object(shownAgent));
export const callbackAgentSchema = named(
	'CallbackAgent',
	z.object({ ...shownAgent, label: z.string(), callback_config }),
);
/** The response to a change of a callback agent's sources. */
export const callbackConfigSchema = z.object({ id: identifier, name: z.string(), direction, callback_config });

/** The response to an update of the calling settings. */
export const callingSettingsSchema = named(
	'AgentCallingSettings',
	z.object({
		id: identifier,
		name: z.string(),
		direction,
		current_status: agentStatus,
		phone_numbers: z.array(nestedNumberSchema),
		updated_at: timestamp,
	}),
);

export const flowSchema = named(
	'Flow',
	z.object({
		conversation_mode: z.enum(['llm_driven', 'flow_driven']),
		flow_config: anyObject.nullable().describe('Null in the mode llm_driven.'),
	}),
);

export const flowVersionsSchema = named(
	'FlowVersions',
	z.object({
		versions: z.array(
			z.object({ id: identifier, version: z.number().int(), created_at: timestamp, is_current: z.boolean() }),
		),
	}),
);

/** A sentence for each error of a flow. */
export const flowErrorTexts = z.array(z.string());

const price = z.number().min(0);
const transport = z.object({ country_code: z.string(), unit: z.string(), price });
const tier = qualityTier.nullable().describe(`Null for an agent without a voice. ${ASSUMED}`);

export const pricingSchema = named(
	'AgentPricing',
	z.object({
		agent_id: identifier,
		currency: z.string(),
		components: z.object({
			voice_synthesis: z.object({ unit: z.string(), price, tier }),
			transcription: z.object({ unit: z.string(), price }),
			language_model: z.object({ unit: z.string(), input_price: price, output_price: price }),
		}),
		transport: z.object({ outbound: transport, inbound: transport }),
		estimated_cost_per_minute: price,
		calculated_at: timestamp,
	}),
);

export const pricingSummarySchema = named(
	'AgentPricingSummary',
	z.object({
		agent_id: identifier,
		currency: z.string(),
		estimated_cost_per_minute: price,
		voice_quality_tier: tier,
		optimized_costs_enabled: z.boolean(),
	}),
);

export const actionIntegrationSchema = named(
	'ActionIntegration',
	z.object({
		identifier: z.string(),
		display_name: z.string(),
		description: z.string(),
		category: z.string(),
		icon_url: shownUrl,
	}),
);

export const agentWebhookSchema = named(
	'AgentWebhook',
	z.object({
		id: identifier,
		agent_id: identifier,
		name: z.string(),
		webhook_url: shownUrl,
		events: z.array(z.enum(AGENT_EVENTS)),
		timeout: z.number().int().min(5).max(120).describe('Seconds.'),
		max_retries: z.number().int().min(0).max(10),
		enabled: z.boolean(),
		created_at: timestamp,
		updated_at: timestamp,
		events_count: count,
		status: z
			.enum(['active', 'disabled', 'error'])
			.describe(
				'The service does not document when it is error: in the sandbox after a delivery that has failed for good.',
			),
	}),
);

/** The data of a successful test of an agent's webhook. */
export const testResultSchema = z.object({
	status_code: z.number().int(),
	response_time: z.number().min(0).describe('Milliseconds.'),
});
