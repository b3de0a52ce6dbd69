import { z } from 'zod';

import { httpHeader, httpUrl, isoDate, timezoneName } from '../http/schemas.mts';
import { END_OF_TIME, START_OF_TIME } from '../time/time.mts';
import { FAULT_KINDS } from '../world/fault.mts';

/** The last moment that a `Date` can have. */
const LAST_MOMENT = 8.64e15;

/** Says that a file is one of ours. */
export const FORMAT = 'voice-agent-calling-sandbox';
/** Changes with each change of the form of the file. */
export const VERSION = 1;

const id = z.string().min(1);
const text = z.string();
const count = z.number().int().min(0);
const number = z.number().finite();
/** What has happened, in milliseconds since 1970. */
const time = number.min(START_OF_TIME).lt(END_OF_TIME);
/** What is going to happen: it may be after the last moment that the clock can show. */
const due = number.min(START_OF_TIME).max(LAST_MOMENT);
const clockTime = text.regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$|^24:00$/);
const anything = z.record(z.unknown());
const texts = z.array(text);
const headers = z.record(text);

const phoneNumber = z
	.object({
		id,
		number: text,
		country_code: text,
		formatted_number: text,
		international_number: text,
		current_status: z.enum(['active', 'inactive', 'pending', 'suspended']),
		created: time,
	})
	.strict();

const action = z
	.object({
		id,
		node_id: text,
		name: text,
		description: text,
		type: z.enum(['webhook', 'transfer', 'hold', 'external']),
		input_schema: z.array(
			z.object({ name: text, type: text, required: z.boolean(), description: text, value: z.unknown() }).strict(),
		),
		url: text.nullable(),
		authorization_url: text.nullable(),
		current_status: z.enum(['active', 'inactive']),
		unshown: anything,
		created: time,
		updated: time,
	})
	.strict();

const training = z
	.object({
		id,
		node_id: text.nullable(),
		subject: text,
		instructions: text,
		current_status: z.enum(['active', 'inactive']),
		created: time,
		updated: time,
	})
	.strict();

const voice = z
	.object({
		id,
		name: text,
		label: text,
		stability: number,
		similarity_boost: number,
		ambient_background: text.nullable(),
		template: z.object({ id, name: text }).strict(),
	})
	.strict();

const agent = z
	.object({
		id,
		name: text,
		label: text,
		description: text.nullable(),
		language: text,
		voice: voice.nullable(),
		initial_message: text.nullable(),
		interrupt_sensitivity: z.enum(['low', 'medium', 'high']),
		conversation_speed: number,
		initial_message_delay: number,
		ask_if_human_present_on_idle: z.boolean(),
		llm_temperature: number,
		direction: z.enum(['inbound', 'outbound']),
		who_speaks_first: z.enum(['agent', 'user']),
		current_status: z.enum(['draft', 'published']),
		is_ready_to_publish: z.boolean(),
		actions: z.array(action),
		trainings: z.array(training),
		phoneNumberIds: texts,
		unshown: anything,
		conversation_mode: z.enum(['llm_driven', 'flow_driven']),
		flow_config: anything.nullable(),
		flowVersions: z.array(z.object({ id, version: count, created: time }).strict()),
		created: time,
		updated: time,
	})
	.strict();

const callStatus = z.enum(['initiated', 'ringing', 'answered', 'completed', 'failed', 'busy', 'no-answer']);
const side = z.enum(['person', 'agent']);
const after = number.min(0);

const step = z.discriminatedUnion('do', [
	z.object({ after, do: z.literal('start') }).strict(),
	z.object({ after, do: z.literal('ring') }).strict(),
	z.object({ after, do: z.literal('answer') }).strict(),
	z.object({ after, do: z.literal('voicemail') }).strict(),
	z.object({ after, do: z.literal('decline') }).strict(),
	z.object({ after, do: z.literal('busy') }).strict(),
	z.object({ after, do: z.literal('noAnswer') }).strict(),
	z.object({ after, do: z.literal('fail') }).strict(),
	z.object({ after, do: z.literal('hangUp'), by: side }).strict(),
	z.object({ after, do: z.literal('say'), text, by: side }).strict(),
	z.object({ after, do: z.literal('press'), keys: text }).strict(),
	z.object({ after, do: z.literal('useAction'), action: text, arguments: anything }).strict(),
]);

const event = z.object({ event: text, at: time }).strict();

const actionUse = z
	.object({
		id,
		actionId: text,
		name: text,
		type: z.enum(['webhook', 'transfer', 'hold', 'external']),
		arguments: anything,
		status: z.enum(['pending', 'succeeded', 'failed']),
		request: z.object({ method: text, url: text, headers, body: text }).strict().nullable(),
		response: z.object({ status: number, headers, body: text }).strict().nullable(),
		result: z.unknown(),
		error: text.nullable(),
		durationMs: number.nullable(),
		at: time,
	})
	.strict();

const call = z
	.object({
		id,
		sid: text,
		agentId: text,
		to: text,
		from: text,
		isTesting: z.boolean(),
		direction: z.enum(['inbound', 'outbound']),
		status: callStatus,
		history: z.array(z.object({ status: callStatus, at: time }).strict()),
		duration: number,
		payload: anything,
		context: anything,
		/** The id of its campaign call. */
		campaignCall: text.nullable(),
		course: z
			.object({
				kind: z.enum(['automatic', 'manual', 'scripted']),
				steps: z.array(step),
				due: due.nullable(),
				talked: number,
			})
			.strict(),
		machine: z.boolean(),
		endedBy: z.enum(['person', 'agent', 'api']).nullable(),
		transcript: z.array(z.object({ role: z.enum(['agent', 'user']), content: text, at: time }).strict()),
		actionUses: z.array(actionUse),
		events: z.array(event),
		answered: time.optional(),
		created: time,
		updated: time,
	})
	.strict();

const campaignCall = z
	.object({
		id,
		campaignId: text,
		to: text,
		status: z.enum(['queued', 'scheduled', 'cancelled', ...callStatus.options]),
		retries: count,
		duration: number,
		isTesting: z.boolean(),
		payload: anything,
		context: anything,
		events: z.array(event),
		earliest: due,
		scheduledAt: due.nullable(),
		phase: z.enum(['waiting', 'calling', 'over']),
		created: time,
	})
	.strict();

const sftpFile = z.object({ name: text, content: text }).strict();

const sftp = z
	.object({
		id,
		connection: z
			.object({
				host: text,
				port: number,
				username: text,
				auth_type: z.enum(['password', 'private_key']),
				password: text.nullable(),
				private_key: text.nullable(),
				private_key_passphrase: text.nullable(),
			})
			.strict(),
		import_path: text.nullable(),
		export_path: text.nullable(),
		import_schedule: z.enum(['manual', 'hourly', 'daily']),
		is_enabled: z.boolean(),
		lastTestAt: time.nullable(),
		lastTestSuccess: z.boolean().nullable(),
		waiting: z.array(sftpFile).nullable(),
		written: z.array(sftpFile),
		logs: z.array(
			z
				.object({
					id,
					type: z.enum(['import', 'export']),
					status: z.enum(['running', 'succeeded', 'failed', 'cancelled']),
					filesProcessed: count,
					rowsProcessed: count,
					error: text.nullable(),
					started: time,
					completed: time.nullable(),
				})
				.strict(),
		),
		nextImport: due.nullable(),
		created: time,
		updated: time,
	})
	.strict();

const hours = number.nullable();

const campaign = z
	.object({
		id,
		name: text,
		description: text.nullable(),
		status: z.enum(['draft', 'active', 'paused', 'completed', 'cancelled']),
		campaign_type: z.enum(['sales', 'follow_up', 'reminder', 'custom']),
		agent_id: text,
		start_date: isoDate,
		end_date: isoDate.nullable(),
		days_of_week: z.array(number),
		call_time_ranges: z.array(z.object({ start: clockTime, end: clockTime }).strict()),
		timezone: timezoneName,
		initial_call_delay: number,
		max_retries: number,
		retry_cooldown_hours: number,
		auto_complete: z.boolean(),
		retry_on_no_conversion: z.boolean(),
		enable_post_completion_cooldown: z.boolean(),
		post_completion_cooldown_hours: number,
		success_cooldown_hours: hours,
		voicemail_cooldown_hours: hours,
		no_answer_cooldown_hours: hours,
		busy_cooldown_hours: hours,
		failed_cooldown_hours: hours,
		do_not_call_enabled: z.boolean(),
		do_not_call_list_source: z.enum(['environment', 'campaign', 'global', 'custom']),
		do_not_call_custom_list: texts,
		auto_add_to_dnc_enabled: z.boolean(),
		auto_dnc_trigger_statuses: texts,
		auto_dnc_trigger_errors: texts,
		/** The ids of its calls that wait for their turn. */
		line: texts,
		nextTurn: due,
		doNotCall: texts,
		rests: z.array(z.tuple([text, due])),
		files: z.array(
			z
				.object({
					id,
					original_filename: text,
					processed_filename: text.nullable(),
					status: z.enum(['uploading', 'processing', 'processed', 'failed']),
					total_records: count,
					processed_records: count,
					rows: z.array(
						z
							.object({
								to: text,
								payload: z.record(text),
								/** The id of its call, or why it has none. */
								result: z.union([z.object({ call: id }).strict(), z.enum(['invalid_number', 'duplicate'])]),
							})
							.strict(),
					),
				})
				.strict(),
		),
		sftp: sftp.nullable(),
		created: time,
		updated: time,
	})
	.strict();

const webhook = z
	.object({
		id,
		agent_id: text.nullable(),
		campaign_id: text.nullable(),
		name: text,
		webhook_url: httpUrl(),
		events: texts,
		enabled: z.boolean(),
		timeout: number,
		max_retries: number,
		http_method: z.enum(['POST', 'PUT', 'PATCH']),
		authorization_scheme: z.enum(['none', 'bearer', 'basic', 'api_key', 'custom']),
		webhook_secret: text.nullable(),
		custom_headers: z.array(httpHeader.strict()),
		payload_templates: z.record(anything),
		include_call_events: z.boolean(),
		failing: z.boolean(),
		created: time,
		updated: time,
	})
	.strict();

const sipTrunk = z
	.object({
		id,
		name: text,
		provider_name: text,
		domain: text,
		username: text,
		password: text,
		port: number.nullable(),
		transport: z.enum(['udp', 'tcp', 'tls']),
		outbound_proxy: text.nullable(),
		auth_realm: text.nullable(),
		is_active: z.boolean(),
		is_verified: z.boolean(),
		health: z
			.object({ is_healthy: z.boolean(), response_time_ms: number, error: text.optional(), checked: time })
			.strict()
			.nullable(),
		healthKeptUntil: due,
		didIds: texts,
		created: time,
		updated: time,
	})
	.strict();

const calendarEvent = z
	.object({
		id,
		title: text,
		description: text.nullable(),
		start: time,
		end: time,
		status: z.enum(['confirmed', 'tentative', 'cancelled']),
		type: text.nullable(),
		created_by: text.nullable(),
		owner_id: text.nullable(),
		owner_type: z.enum(['user', 'agent']).nullable(),
		attendees: z.array(z.object({ id, name: text, email: text }).strict()),
		meeting: z.object({ id, url: text }).strict().nullable(),
		updated: time,
	})
	.strict();

const rule = z.discriminatedUnion('type', [
	z
		.object({
			id,
			type: z.literal('recurring'),
			days_of_week: z.array(number),
			start_time: clockTime,
			end_time: clockTime,
			timezone: timezoneName,
		})
		.strict(),
	z.object({ id, type: z.literal('exception'), date: isoDate, available: z.boolean() }).strict(),
]);

const calendar = z
	.object({
		id,
		name: text,
		timezone: timezoneName,
		metadata: anything,
		members: z.array(
			z.object({ id, user_id: text, role: z.enum(['owner', 'editor', 'viewer']), added: time }).strict(),
		),
		events: z.array(calendarEvent),
		rules: z.array(rule),
		created: time,
		updated: time,
	})
	.strict();

const delivery = z
	.object({ id, webhookId: text, event: text, body: text, callId: text.nullable(), copy: count.optional() })
	.strict();

const attempt = z
	.object({
		id,
		/** The place of its delivery among `deliveries`. */
		delivery: count,
		number: count,
		status: z.enum(['pending', 'success', 'failed', 'retrying']),
		httpStatus: number.nullable(),
		responseBody: text.nullable(),
		responseHeaders: headers.nullable(),
		sent: z.object({ method: text, url: text, headers, alteredBody: text.nullable(), at: time }).strict().nullable(),
		repeats: z.boolean(),
		retryAt: due.nullable(),
		error: text.nullable(),
		durationMs: number.nullable(),
		delivered: time.nullable(),
		created: time,
	})
	.strict();

const request = z
	.object({
		id,
		method: text,
		path: text,
		query: anything,
		url: text,
		status: number.nullable(),
		body: z.unknown(),
		contentType: text.nullable(),
		hasToken: z.boolean(),
		rejected: z
			.object({ message: text, fields: z.record(texts) })
			.strict()
			.nullable(),
		durationMs: number.nullable(),
		fault: text.optional(),
		at: text,
	})
	.strict();

const fault = z
	.object({
		id,
		match: z.object({ method: text.optional(), path: text.optional() }).strict(),
		kind: z.enum(FAULT_KINDS),
		status: number.int().min(200).max(599).optional(),
		body: z.unknown(),
		headers: headers.optional(),
		ms: number.optional(),
		times: count,
	})
	.strict();

/** A state file and a snapshot: everything that a sandbox has, but its options. */
export const stateSchema = z
	.object({
		format: z.literal(FORMAT),
		version: z.literal(VERSION),
		/** The real time and the sandbox's time when it was saved (milliseconds since 1970). */
		savedAt: time,
		now: time,
		ids: z.record(count),
		signingKey: id,
		/** Null for unlimited. */
		credits: count.nullable(),
		mode: z.object({ calls: z.enum(['automatic', 'manual']), ringSeconds: number.min(0) }).strict(),
		delays: z.array(z.tuple([text, number.nullable()])),
		faults: z.array(fault),
		scripts: z.array(
			z
				.object({ id, to: text.nullable(), from: text.nullable(), times: count, steps: z.array(step), created: time })
				.strict(),
		),
		phoneNumbers: z.array(phoneNumber),
		agents: z.array(agent),
		campaigns: z.array(campaign),
		/** Those of all campaigns, and those of deleted ones of which calls are left. */
		campaignCalls: z.array(campaignCall),
		calls: z.array(call),
		webhooks: z.array(webhook),
		sipTrunks: z.array(sipTrunk),
		calendars: z.array(calendar),
		doNotCall: z.object({ environment: texts, global: texts }).strict(),
		deliveries: z.array(delivery),
		attempts: z.array(attempt),
		/** Deliveries whose first attempt is due later. */
		delayed: z.array(
			z
				.object({
					delivery,
					due: due,
					copies: z
						.object({ times: count, tamper: z.enum(['body', 'signature', 'secret']).nullable() })
						.strict()
						.nullable(),
				})
				.strict(),
		),
		requests: z.array(request),
		dropped: z.object({ calls: count, attempts: count, requests: count }).strict(),
	})
	.strict();

export type SavedState = z.output<typeof stateSchema>;
