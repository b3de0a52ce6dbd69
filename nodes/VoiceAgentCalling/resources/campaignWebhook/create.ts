import { campaign } from '../../../shared/locators';
import { defineOperation } from '../../../shared/operation';
import {
	authorizationScheme,
	deliveryMethod,
	deliveryRetries,
	deliveryTimeout,
	enabled,
	eventsField,
	extraHeaders,
	includeCallEvents,
	payloadTemplates,
	signingSecret,
	webhookName,
	webhookUrl,
} from '../../../shared/webhookFields';

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create a campaign webhook',
	description:
		'Register an address that the service sends the events of a campaign to. To start a workflow, use the Voice Agent Calling Trigger instead: it registers itself.',
	fields: [campaign, webhookName, webhookUrl, eventsField('Events'), includeCallEvents],
	options: [
		authorizationScheme,
		deliveryMethod,
		deliveryRetries,
		deliveryTimeout,
		enabled,
		extraHeaders,
		payloadTemplates,
		signingSecret,
	],
	request: ({ campaignId, ...body }) => ({
		method: 'POST',
		path: ['campaigns', campaignId, 'webhooks'],
		body,
		codes: { 404: 'CAMPAIGN_NOT_FOUND' },
	}),
	output: (response) => response.data,
});
