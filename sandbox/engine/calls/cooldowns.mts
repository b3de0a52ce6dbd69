import { HOUR_MS } from '../../time/wallTime.mts';
import type { CallResult } from '../../world/call.mts';
import type { Campaign } from '../../world/campaign.mts';
import type { World } from '../../world/world.mts';

/**
 * The cooldown of a number after an attempt, in hours: the one that is set for its result. If none is set, it is
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

/** Starts a number's cooldown in a campaign; a longer one that is already running stays. */
export function rest(world: World, campaign: Campaign, to: string, hours: number): void {
	campaign.rests.set(to, Math.max(restsUntil(campaign, to), world.clock.now() + hours * HOUR_MS));
}

/** The end of a number's cooldown in a campaign (milliseconds since 1970), 0 without one. */
export function restsUntil(campaign: Campaign, to: string): number {
	return campaign.rests.get(to) ?? 0;
}
