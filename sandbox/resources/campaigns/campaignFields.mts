import { z } from 'zod';

import { isoDate, timezoneName } from '../../http/schemas.mts';
import { E164 } from '../../world/phoneNumber.mts';

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const endTime = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/);
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/);
const hours = z.number().int().min(1).max(168);
/** Null restores the default. */
const ownHours = hours.nullable();
const number = z.string().regex(E164);

const timeRange = z
	.object({ start: time, end: endTime })
	.refine(({ start, end }) => start.length !== 5 || end > start, {
		path: ['end'],
		message: 'The end must be after the start.',
	});

const fields = {
	name: z.string().min(1).max(255),
	description: z.string().nullable(),
	campaign_type: z.enum(['sales', 'follow_up', 'reminder', 'custom']),
	agent_id: z.string().uuid(),
	start_date: isoDate,
	end_date: isoDate.nullable(),
	days_of_week: z.array(z.number().int().min(1).max(7)).min(1),
	call_time_ranges: z.array(timeRange).min(1),
	earliest_call_time: timeOfDay,
	latest_call_time: timeOfDay,
	timezone: timezoneName,
	initial_call_delay: z.number().int().min(0),
	max_retries: z.number().int().min(0).max(10),
	retry_cooldown_hours: hours,
	auto_complete: z.boolean(),
	retry_on_no_conversion: z.boolean(),
	enable_post_completion_cooldown: z.boolean(),
	post_completion_cooldown_hours: hours,
	success_cooldown_hours: ownHours,
	voicemail_cooldown_hours: ownHours,
	no_answer_cooldown_hours: ownHours,
	busy_cooldown_hours: ownHours,
	failed_cooldown_hours: ownHours,
	do_not_call_enabled: z.boolean(),
	do_not_call_list_source: z.enum(['environment', 'campaign', 'global', 'custom']),
	do_not_call_custom_list: z.array(number),
	auto_add_to_dnc_enabled: z.boolean(),
	auto_dnc_trigger_statuses: z.array(z.string()),
	auto_dnc_trigger_errors: z.array(z.string()),
};

/** Body of a campaign's update. All fields are optional. */
export const campaignUpdateBody = z.object(fields).partial();

/** Body of a campaign's creation; `earliest_call_time` with `latest_call_time` can replace the time ranges. */
export const campaignCreateBody = campaignUpdateBody
	.required({
		name: true,
		campaign_type: true,
		agent_id: true,
		start_date: true,
		days_of_week: true,
		timezone: true,
	})
	.superRefine((body, context) => {
		if (body.call_time_ranges || (body.earliest_call_time && body.latest_call_time)) {
			return;
		}
		context.addIssue({
			code: 'custom',
			path: ['call_time_ranges'],
			message: 'The call_time_ranges field is required.',
		});
	});

export type CampaignBody = z.output<typeof campaignUpdateBody>;
