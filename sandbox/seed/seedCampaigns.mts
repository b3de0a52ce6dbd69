import { newCampaign } from '../resources/campaigns/campaigns.mts';
import { DAY_MS } from '../time/wallTime.mts';
import type { Campaign } from '../world/campaign.mts';
import { uuidOf } from '../world/ids.mts';
import type { World } from '../world/world.mts';
import { CAMPAIGN_THEMES, TOWNS } from './names.mts';

const COUNT = 45;
const STATUSES = ['active', 'draft', 'paused', 'completed', 'cancelled'] as const;

/**
 * Adds campaigns with the five statuses in turn. They have the service's defaults, except for the first and the last
 * campaign: these are active and open all day, every day, without a cooldown after an answered call. The last campaign
 * has its own agent.
 */
export function seedCampaigns(world: World, agentId: string, lastAgentId: string): Record<Campaign['status'], string> {
	for (let index = 0; index < COUNT; index += 1) {
		const campaign = seedCampaign(world, index, agentId);
		world.campaigns.set(campaign.id, campaign);
	}
	const last = seedCampaign(world, COUNT, lastAgentId);
	world.campaigns.set(last.id, { ...last, ...alwaysOpen, name: 'Appointments, by name' });
	return {
		active: uuidOf('campaign 0'),
		draft: uuidOf('campaign 1'),
		paused: uuidOf('campaign 2'),
		completed: uuidOf('campaign 3'),
		cancelled: uuidOf('campaign 4'),
	};
}

function seedCampaign(world: World, index: number, agentId: string): Campaign {
	const place = TOWNS[index % TOWNS.length]!;
	const [theme, campaign_type] = CAMPAIGN_THEMES[index % CAMPAIGN_THEMES.length]!;
	const round = Math.floor(index / 20) + 1;
	const created = world.clock.now() - (50 - index) * DAY_MS;
	const campaign = newCampaign(world, {
		id: uuidOf(`campaign ${index}`),
		name: `${theme}, ${place}${round > 1 ? ` ${round}` : ''}`,
		description: `${theme} for our customers in ${place}`,
		status: STATUSES[index % STATUSES.length]!,
		campaign_type,
		agent_id: agentId,
		start_date: new Date(created).toISOString().slice(0, 10),
		days_of_week: [1, 2, 3, 4, 5],
		call_time_ranges: [{ start: '09:00', end: '17:00' }],
		timezone: 'UTC',
		created,
		updated: created,
	});
	return index === 0 ? { ...campaign, ...alwaysOpen } : campaign;
}

const alwaysOpen: Partial<Campaign> = {
	days_of_week: [1, 2, 3, 4, 5, 6, 7],
	call_time_ranges: [{ start: '00:00', end: '23:59' }],
	max_retries: 2,
	retry_cooldown_hours: 1,
	enable_post_completion_cooldown: false,
	success_cooldown_hours: 0,
	voicemail_cooldown_hours: 0,
	do_not_call_enabled: false,
	auto_complete: false,
};
