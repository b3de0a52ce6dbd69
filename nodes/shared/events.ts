import type { INodePropertyOptions } from 'n8n-workflow';

/** The kinds of event that a campaign webhook can deliver ("Events"), by name. */
export const campaignEvents: INodePropertyOptions[] = [
	{ name: 'Call Recording Ready', value: 'event_recording' },
	{ name: 'Call Report Ready', value: 'event_call_report' },
	{ name: 'Call Transcript Ready', value: 'event_call_transcript' },
	{ name: 'Campaign Call Completed', value: 'campaign_call.completed' },
	{ name: 'Campaign Call Failed', value: 'campaign_call.failed' },
	{ name: 'Campaign Call Queued', value: 'campaign_call.queued' },
	{ name: 'Campaign Call Retry Scheduled', value: 'campaign_call.retry_scheduled' },
	{ name: 'Campaign Call Started', value: 'campaign_call.started' },
	{ name: 'Campaign Completed', value: 'campaign.completed' },
	{ name: 'Campaign Created', value: 'campaign.created' },
	{ name: 'Campaign Paused', value: 'campaign.paused' },
	{ name: 'Campaign Started', value: 'campaign.started' },
	{ name: 'Campaign Updated', value: 'campaign.updated' },
];

/**
 * Joins the chosen kinds with those typed as text, each once.
 *
 * @param additional kinds parted by commas, blanks or line ends
 */
export function eventKinds(chosen: readonly string[], additional = ''): string[] {
	const kinds = [...chosen, additional].flatMap((text) => text.split(/[\s,;]+/));
	return [...new Set(kinds)].filter((kind) => kind !== '');
}
