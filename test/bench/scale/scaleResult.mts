import type { Circumstances } from '../page.mts';
import type { CampaignRun } from './campaign.mts';
import type { EventsRun } from './events.mts';

/** All that `npm run bench -- scale` measures. */
export interface ScaleResult extends Circumstances {
	/** The contacts of the largest campaign. */
	contacts: number;
	/** The duration of the whole run. */
	minutes: number;
	campaigns: CampaignRun[];
	events: EventsRun[];
}
