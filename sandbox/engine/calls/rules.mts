import type { CallResult } from '../../world/call.mts';
import type { Campaign } from '../../world/campaign.mts';
import type { World } from '../../world/world.mts';

const HOUR_MS = 3_600_000;

/**
 * How long a number rests after an attempt, in hours: the outcome's own cooldown. Where none was set for it, an
 * unanswered call takes `retry_cooldown_hours`, a conversation or voicemail the default of 24.
 */
export function cooldownHours(campaign: Campaign, outcome: CallResult): number {
	switch (outcome) {
		case 'completed':
			return campaign.success_cooldown_hours ?? 24;
		case 'voicemail':
			return campaign.voicemail_cooldown_hours ?? 24;
		case 'no-answer':
			return campaign.no_answer_cooldown_hours ?? campaign.retry_cooldown_hours;
		case 'busy':
			return campaign.busy_cooldown_hours ?? campaign.retry_cooldown_hours;
		case 'failed':
			return campaign.failed_cooldown_hours ?? campaign.retry_cooldown_hours;
	}
}

/** Lets a number rest in a campaign for some hours from now; a longer rest that it already has stays. */
export function rest(world: World, campaign: Campaign, to: string, hours: number): void {
	campaign.rests.set(to, Math.max(restsUntil(campaign, to), world.clock.now() + hours * HOUR_MS));
}

/** Until when a number rests in a campaign (milliseconds since 1970; 0 for one that does not). */
export function restsUntil(campaign: Campaign, to: string): number {
	return campaign.rests.get(to) ?? 0;
}

/** Whether the campaign must not call a number. */
export function isListed(world: World, campaign: Campaign, to: string): boolean {
	return campaign.do_not_call_enabled && listOf(world, campaign).has(to);
}

/** Adds a number to the campaign's do-not-call list where how its call ended asks for it. */
export function listIfTriggered(
	world: World,
	campaign: Campaign,
	to: string,
	outcome: CallResult,
	error: string | undefined,
): void {
	if (!campaign.do_not_call_enabled || !campaign.auto_add_to_dnc_enabled) {
		return;
	}
	const statuses = campaign.auto_dnc_trigger_statuses.map((status) => status.replaceAll('_', '-'));
	const triggered = error ? campaign.auto_dnc_trigger_errors.includes(error) : false;
	if (!triggered && !statuses.includes(outcome)) {
		return;
	}
	if (campaign.do_not_call_list_source === 'custom') {
		campaign.do_not_call_custom_list.push(to);
	} else {
		listOf(world, campaign).add(to);
	}
}

function listOf(world: World, campaign: Campaign): Set<string> {
	switch (campaign.do_not_call_list_source) {
		case 'environment':
			return world.doNotCall.environment;
		case 'global':
			return world.doNotCall.global;
		case 'campaign':
			return campaign.doNotCall;
		case 'custom':
			return new Set(campaign.do_not_call_custom_list);
	}
}
