import { z } from 'zod';

import { CAMPAIGN_EVENTS } from '../../engine/deliveries/eventTypes.mts';
import { named } from '../../http/named.mts';
import { count, dateText, identifier, shownNumber, shownUrl, timestamp } from '../../http/responseSchemas.mts';

const campaignStatus = z.enum(['draft', 'active', 'paused', 'completed', 'cancelled']);
const campaign_type = z.enum(['sales', 'follow_up', 'reminder', 'custom']);
const days_of_week = z.array(z.number().int().min(1).max(7)).describe('1 for Monday to 7 for Sunday.');
const secondsOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/);
const timezone = z.string().describe('IANA name.');
const cooldown = z.number().int().min(1).max(168);
/** Zero if a cooldown does not apply, such as the post-completion cooldown that is disabled. */
const ownCooldown = z.number().int().min(0).max(168);
const campaignCallStatus = z
	.enum([
		'queued',
		'scheduled',
		'initiated',
		'ringing',
		'answered',
		'completed',
		'failed',
		'busy',
		'no-answer',
		'cancelled',
	])
	.describe(
		'The service documents queued, scheduled, completed and failed; the sandbox also shows the states between.',
	);

/** The fields that the list and the single campaign share. */
const read = {
	id: identifier,
	name: z.string(),
	description: z.string().nullable(),
	status: campaignStatus,
	campaign_type,
	start_date: dateText,
	days_of_week,
	earliest_call_time: secondsOfDay,
	latest_call_time: secondsOfDay,
	timezone,
	agent_id: z.string().uuid(),
	max_retries: count,
	retry_cooldown_hours: cooldown,
	do_not_call_enabled: z.boolean(),
	do_not_call_list_source: z.enum(['environment', 'campaign', 'global', 'custom']),
	agent: z
		.object({ id: identifier, name: z.string(), label: z.string() })
		.nullable()
		.describe('Null after the agent is deleted.'),
	created_at: timestamp,
	updated_at: timestamp,
};
const stats = {
	total_calls: count,
	completed_calls: count,
	failed_calls: count,
	success_rate: z.number().min(0).max(100).describe('Percent.'),
};

export const listedCampaignSchema = named('CampaignSummary', z.object({ ...read, stats: z.object(stats) }));

export const campaignSchema = named(
	'Campaign',
	z.object({
		...read,
		initial_call_delay: count.describe('Seconds.'),
		enable_post_completion_cooldown: z.boolean(),
		post_completion_cooldown_hours: cooldown,
		success_cooldown_hours: ownCooldown,
		voicemail_cooldown_hours: ownCooldown,
		no_answer_cooldown_hours: ownCooldown,
		busy_cooldown_hours: ownCooldown,
		failed_cooldown_hours: ownCooldown,
		auto_add_to_dnc_enabled: z.boolean(),
		auto_dnc_trigger_statuses: z.array(z.string()),
		auto_dnc_trigger_errors: z.array(z.string()),
		calls: z.array(
			z.object({
				id: identifier,
				to: shownNumber,
				status: campaignCallStatus,
				retries: count,
				created_at: timestamp,
			}),
		),
		files: z.array(
			named(
				'CampaignFile',
				z.object({
					id: identifier,
					original_filename: z.string(),
					processed_filename: z.string().nullable().describe('Null until it is processed.'),
					status: z.enum(['uploading', 'processing', 'processed', 'failed']),
					total_records: count,
					processed_records: count,
				}),
			),
		),
		stats: named('CampaignStats', z.object({ ...stats, average_duration: count.describe('Seconds.') })),
	}),
);

const written = {
	id: identifier,
	name: z.string(),
	description: z.string().nullable(),
	campaign_type,
	status: campaignStatus,
	agent_id: z.string().uuid(),
	start_date: dateText,
	end_date: dateText.nullable(),
	days_of_week,
	call_time_ranges: z.array(z.object({ start: z.string(), end: z.string() }).describe('HH:MM.')),
	timezone,
	max_retries: count,
	retry_cooldown_hours: cooldown,
	do_not_call_enabled: z.boolean(),
};
/** The response to a creation. */
export const createdCampaignSchema = named(
	'CreatedCampaign',
	z.object({ ...written, created_at: timestamp, updated_at: timestamp }),
);
/** The response to an update. */
export const updatedCampaignSchema = named('UpdatedCampaign', z.object({ ...written, updated_at: timestamp }));

export const campaignStatusSchema = z.object({ id: identifier, status: campaignStatus, updated_at: timestamp });

const call = { id: identifier, campaign_id: identifier, to: shownNumber, status: campaignCallStatus };

/** The response to queueing a call, which lacks an envelope. */
export const queuedCallSchema = named(
	'QueuedCall',
	z.object({
		campaign_call: named(
			'CampaignCall',
			z.object({
				...call,
				status: z.enum(['queued', 'scheduled']),
				scheduled_at: timestamp
					.nullable()
					.describe('When it is expected to be placed; null if the schedule never opens again.'),
				created_at: timestamp,
			}),
		),
		campaign: z.object({ id: identifier, name: z.string(), status: campaignStatus }),
	}),
);
/** The existing call in a 409. */
export const existingCallSchema = named('ExistingCall', z.object({ ...call, created_at: timestamp }));

const hook = {
	id: identifier,
	campaign_id: identifier,
	name: z.string(),
	webhook_url: shownUrl,
	events: z.array(z.enum(CAMPAIGN_EVENTS)),
	enabled: z.boolean(),
	include_call_events: z.boolean(),
};
export const listedHookSchema = named('CampaignWebhookSummary', z.object(hook));
export const campaignWebhookSchema = named(
	'CampaignWebhook',
	z.object({
		...hook,
		timeout: z.number().int().min(5).max(120).describe('Seconds.'),
		max_retries: z.number().int().min(0).max(10),
		created_at: timestamp,
	}),
);
const { webhook_url: _url, ...createdHook } = hook;
/** The response to a creation, which lacks the URL. */
export const createdHookSchema = named('CreatedCampaignWebhook', z.object({ ...createdHook, created_at: timestamp }));
export const updatedHookSchema = z.object({
	id: identifier,
	events: z.array(z.enum(CAMPAIGN_EVENTS)),
	include_call_events: z.boolean(),
	updated_at: timestamp,
});

const import_schedule = z.enum(['manual', 'hourly', 'daily']);
export const sftpSchema = named(
	'CampaignSftp',
	z.object({
		id: identifier,
		campaign_id: identifier,
		host: z.string(),
		port: z.number().int().min(1).max(65_535),
		username: z.string(),
		auth_type: z.enum(['password', 'private_key']),
		import_path: z.string().nullable(),
		export_path: z.string().nullable(),
		import_schedule,
		is_enabled: z.boolean(),
		last_test_at: timestamp.nullable().describe('Null before the first test.'),
		last_test_success: z.boolean().nullable(),
		created_at: timestamp,
	}),
);
export const createdSftpSchema = z.object({
	id: identifier,
	campaign_id: identifier,
	host: z.string(),
	is_enabled: z.literal(false),
	created_at: timestamp,
});
export const updatedSftpSchema = z.object({
	id: identifier,
	import_schedule,
	is_enabled: z.boolean(),
	updated_at: timestamp,
});
export const sftpTestSchema = z.object({
	tested_at: timestamp,
	import_path_accessible: z.boolean(),
	export_path_accessible: z.boolean(),
});
export const sftpLogSchema = named(
	'SftpLog',
	z.object({
		id: identifier,
		type: z.enum(['import', 'export']),
		status: z.enum(['running', 'succeeded', 'failed', 'cancelled']),
		files_processed: count,
		rows_processed: count,
		error: z.string().optional(),
		started_at: timestamp,
		completed_at: timestamp.optional(),
	}),
);
