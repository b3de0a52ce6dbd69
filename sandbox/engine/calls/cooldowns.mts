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
