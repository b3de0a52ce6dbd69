import { local } from '../../shared/fields/field';
import { integer } from '../../shared/fields/kinds';
import { eventOrPolling } from './waiting';

/** How the node learns that a campaign is completed. */
export const waitByCampaignEnd = local(
	eventOrPolling({
		automatic: 'By event if the service can reach this n8n, otherwise by polling',
		event:
			'The execution waits in the database. For that time the campaign has one more webhook, which the node creates and deletes. It needs no trigger.',
		polling: 'The execution keeps running and asks the service at intervals, which works without a public address',
		description: 'How the node learns that the campaign is completed',
	}),
);

/** The time between two polls unless the user says otherwise, in seconds. */
export const DEFAULT_CAMPAIGN_POLL_SECONDS = 60;

/** The time between two polls of a campaign, in seconds. */
export const campaignPollInterval = local(
	integer(
		'pollInterval',
		{
			displayName: 'Poll Interval (Seconds)',
			name: 'pollInterval',
			default: DEFAULT_CAMPAIGN_POLL_SECONDS,
			description: 'How often to ask the service when the node polls, 1 to 3600',
		},
		{ min: 1, max: 3600 },
	),
);
