import { z } from 'zod';

const LANGUAGES = [
	'pt-BR',
	'pt-PT',
	'en-US',
	'en-CA',
	'es-ES',
	'fr-FR',
	'de-DE',
	'it-IT',
	'nl-NL',
	'ja-JP',
	'ko-KR',
	'zh-TW',
] as const;

const description = z.string().min(5);
const language = z.enum(LANGUAGES);
const initial_message = z.string().min(5).max(255).nullish();
const interrupt_sensitivity = z.enum(['low', 'medium', 'high']);
/** The service documents 0.1 to 3 and, elsewhere, 1 to 2 exclusively, but with an example of 1. */
const conversation_speed = z.number().min(0.1).max(3);
const initial_message_delay = z.number().int().min(0).max(60);
const ask_if_human_present_on_idle = z.boolean();
const llm_temperature = z.number().min(0).max(2);
const direction = z.enum(['inbound', 'outbound']);
const who_speaks_first = z.enum(['agent', 'user']);
const phone_number_ids = z.array(z.string().uuid()).optional();
const similarity = z.number().min(0.5).max(1);

/** Body of an agent's creation. */
export const agentCreateBody = z.object({
	name: z.string().min(1).max(255),
	label: z.string().min(1).max(255),
	description: description.nullish(),
	language,
	initial_message,
	interrupt_sensitivity,
	endpointing_sensitivity: z.string().min(1).max(255),
	ivr_navigation_mode: z.string().min(1).max(255),
	conversation_speed,
	initial_message_delay,
	ask_if_human_present_on_idle,
	idle_time_seconds: z.number().int().min(1).max(300),
	max_idle_check_count: z.number().int().min(1).max(10).optional(),
	max_call_duration_seconds: z.number().int().min(1).max(3600).optional(),
	say_goodbye_on_max_duration: z.boolean().optional(),
	user_inactivity_timeout_seconds: z.number().int().min(5).max(120).optional(),
	initial_idle_time_seconds: z.number().int().min(1).max(60).optional(),
	initial_max_idle_check_count: z.number().int().min(0).max(10).optional(),
	llm_temperature,
	enable_recording: z.boolean(),
	direction,
	who_speaks_first,
	phone_number_ids,
});

/** Body of `PUT /agents/{agent_id}/knowledge`. */
export const knowledgeBody = z.object({
	description,
	initial_message,
	interrupt_sensitivity,
	ask_if_human_present_on_idle,
	llm_temperature,
	initial_message_delay,
});

/** Body of `PUT /agents/{agent_id}/voice`. */
export const voiceBody = z.object({
	voice_id: z.string().min(1),
	conversation_speed,
	who_speaks_first,
	ambient_background: z.string().nullish(),
	ambient_volume: z.number().min(0).max(2).default(1),
	language: language.optional(),
	similarity: similarity.optional(),
	stability: similarity.optional(),
});

/** Body of `PUT /agents/{agent_id}/calling`. */
export const callingBody = z.object({ direction, phone_number_ids });
