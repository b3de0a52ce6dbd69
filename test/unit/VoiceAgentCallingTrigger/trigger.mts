import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { type DoubleOptions, doubleOfN8n } from '../n8n.mts';

/** What the service knows of a webhook that the trigger has registered. */
export const webhookOf = (changes: IDataObject = {}): IDataObject => ({
	id: 'w-1',
	webhook_url: 'https://n8n.example/webhook/1/webhook?campaign=c-1',
	name: 'n8n: Follow-up, Calls',
	events: ['campaign_call.completed', 'campaign_call.failed'],
	enabled: true,
	include_call_events: false,
	...changes,
});

/** A trigger for the events of a campaign. */
export function triggerOf({ parameters, ...options }: DoubleOptions = {}) {
	return doubleOfN8n({
		parameters: {
			source: 'campaign',
			campaign: { __rl: true, mode: 'id', value: 'c-1' },
			agent: { __rl: true, mode: 'id', value: 'a-1' },
			events: ['campaign_call.completed', 'campaign_call.failed'],
			options: {},
			...parameters,
		},
		...options,
	});
}

/** The static data of a trigger that has registered its webhook. */
export const registrationOf = (changes: IDataObject = {}): IDataObject => ({
	webhooks: [storedWebhook()],
	secret: '1'.repeat(64),
	instanceId: 'this n8n',
	workflowId: 'workflow-1',
	...changes,
});

/** The entry of a webhook in that static data. */
export const storedWebhook = (changes: IDataObject = {}): IDataObject => ({
	source: 'campaign',
	ownerId: 'c-1',
	webhookId: 'w-1',
	digest: 'unknown',
	...changes,
});

/** The signing secret of the webhook of a campaign. @param secret of the trigger */
export const secretOf = (secret: unknown, campaignId = 'c-1'): string =>
	createHmac('sha256', String(secret)).update(`campaign ${campaignId}`).digest('hex');
