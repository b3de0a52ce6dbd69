import { scheduledAt } from '../../engine/calls/callQueue.mts';
import { cooldownHours } from '../../engine/calls/cooldowns.mts';
import { iso } from '../../time/time.mts';
import type { CampaignCall } from '../../world/call.mts';
import type { Campaign, TimeRange } from '../../world/campaign.mts';
import type { CampaignFile } from '../../world/sftp.mts';
import type { World } from '../../world/world.mts';

type Fields = Record<string, unknown>;

/** Returns a campaign for `GET /campaigns/{id}`. */
export function campaignObject(world: World, campaign: Campaign): Fields {
	return {
		...readFields(world, campaign),
		initial_call_delay: campaign.initial_call_delay,
		enable_post_completion_cooldown: campaign.enable_post_completion_cooldown,
		post_completion_cooldown_hours: campaign.post_completion_cooldown_hours,
		success_cooldown_hours: cooldownHours(campaign, 'completed'),
		voicemail_cooldown_hours: cooldownHours(campaign, 'voicemail'),
		no_answer_cooldown_hours: cooldownHours(campaign, 'no-answer'),
		busy_cooldown_hours: cooldownHours(campaign, 'busy'),
		failed_cooldown_hours: cooldownHours(campaign, 'failed'),
		auto_add_to_dnc_enabled: campaign.auto_add_to_dnc_enabled,
		auto_dnc_trigger_statuses: campaign.auto_dnc_trigger_statuses,
		auto_dnc_trigger_errors: campaign.auto_dnc_trigger_errors,
		calls: campaign.calls.map(({ id, to, status, retries, created }) => ({
			id,
			to,
			status,
			retries,
			created_at: iso(created),
		})),
		files: campaign.files.map(fileObject),
		stats: stats(campaign),
	};
}

/** Returns a campaign for the list: with fewer fields, and stats without `average_duration`. */
export function listedCampaign(world: World, campaign: Campaign): Fields {
	const { average_duration: _average, ...shown } = stats(campaign);
	return { ...readFields(world, campaign), stats: shown };
}

/** Returns a campaign for the responses to its creation and update. */
export function writtenCampaign(campaign: Campaign): Fields {
	return {
		id: campaign.id,
		name: campaign.name,
		description: campaign.description,
		campaign_type: campaign.campaign_type,
		status: campaign.status,
		agent_id: campaign.agent_id,
		start_date: campaign.start_date,
		end_date: campaign.end_date,
		days_of_week: campaign.days_of_week,
		call_time_ranges: campaign.call_time_ranges,
		timezone: campaign.timezone,
		max_retries: campaign.max_retries,
		retry_cooldown_hours: campaign.retry_cooldown_hours,
		do_not_call_enabled: campaign.do_not_call_enabled,
		created_at: iso(campaign.created),
		updated_at: iso(campaign.updated),
	};
}

/** Returns a call for the response to queueing it. */
export function campaignCallObject(call: CampaignCall): Fields {
	return { ...existingCallObject(call), scheduled_at: scheduledAt(call), created_at: iso(call.created) };
}

/** Returns a call for the `existing_call` of a 409. */
export function existingCallObject({ id, campaignId, to, status, created }: CampaignCall): Fields {
	return { id, campaign_id: campaignId, to, status, created_at: iso(created) };
}

function fileObject({ rows: _rows, ...shown }: CampaignFile): Fields {
	return shown;
}

function readFields(world: World, campaign: Campaign): Fields {
	const agent = world.agents.get(campaign.agent_id);
	const { start, end } = outerTimes(campaign);
	return {
		id: campaign.id,
		name: campaign.name,
		description: campaign.description,
		status: campaign.status,
		campaign_type: campaign.campaign_type,
		start_date: campaign.start_date,
		days_of_week: campaign.days_of_week,
		earliest_call_time: `${start}:00`,
		latest_call_time: end >= '23:59' ? '23:59:59' : `${end}:00`,
		timezone: campaign.timezone,
		agent_id: campaign.agent_id,
		max_retries: campaign.max_retries,
		retry_cooldown_hours: campaign.retry_cooldown_hours,
		do_not_call_enabled: campaign.do_not_call_enabled,
		do_not_call_list_source: campaign.do_not_call_list_source,
		agent: agent ? { id: agent.id, name: agent.name, label: agent.label } : null,
		created_at: iso(campaign.created),
		updated_at: iso(campaign.updated),
	};
}

/** Returns the earliest start and the latest end of all time ranges: the older pair of times. */
export function outerTimes({ call_time_ranges: ranges }: Campaign): TimeRange {
	const starts = ranges.map(({ start }) => start).sort();
	const ends = ranges.map(({ end }) => end).sort();
	return { start: starts[0] ?? '00:00', end: ends.at(-1) ?? '23:59' };
}

/** Computes the stats of a campaign's calls without test calls. */
function stats(campaign: Campaign): Record<string, number> {
	const calls = campaign.calls.filter(({ isTesting }) => !isTesting);
	const completed = calls.filter(({ status }) => status === 'completed');
	const failed = calls.filter(({ phase, status }) => phase === 'over' && status === 'failed').length;
	const ended = completed.length + failed;
	const seconds = completed.reduce((sum, { duration }) => sum + duration, 0);
	return {
		total_calls: calls.length,
		completed_calls: completed.length,
		failed_calls: failed,
		success_rate: ended === 0 ? 0 : Math.round((completed.length / ended) * 10_000) / 100,
		average_duration: completed.length === 0 ? 0 : Math.round(seconds / completed.length),
	};
}
