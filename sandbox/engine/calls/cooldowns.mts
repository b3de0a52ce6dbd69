import { HOUR_MS } from '../../time/wallTime.mts';
import type { CallResult } from '../../world/call.mts';
import type { Campaign } from '../../world/campaign.mts';
import type { World } from '../../world/world.mts';

/**
 * Returns the cooldown of a number after an attempt, in hours. Without a setting for the attempt's result, it is
 * `retry_cooldown_hours` for an unanswered call, and 24 for a conversation or voicemail.
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

/** Starts a number's cooldown in a campaign, unless a longer cooldown is already running. */
export function rest(world: World, campaign: Campaign, to: string, hours: number): void {
	campaign.rests.set(to, Math.max(restsUntil(campaign, to), world.clock.now() + hours * HOUR_MS));
}

/** Returns the end of a number's cooldown in a campaign (milliseconds since 1970), or 0 without a cooldown. */
export function restsUntil(campaign: Campaign, to: string): number {
	return campaign.rests.get(to) ?? 0;
}
