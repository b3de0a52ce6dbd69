import type { CallResult } from '../../world/call.mts';
import type { Campaign } from '../../world/campaign.mts';
import type { World } from '../../world/world.mts';

/** Whether a number is on the do-not-call list that applies to the campaign. */
export function isListed(world: World, campaign: Campaign, to: string): boolean {
	return campaign.do_not_call_enabled && listOf(world, campaign).has(to);
}

/** Adds a number to the campaign's do-not-call list if the result or error of its call is a trigger. */
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
