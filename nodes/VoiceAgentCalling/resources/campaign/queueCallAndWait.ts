import { callOptions } from '../../fields/callOptions';
import { campaignCallTimeLimit } from '../../fields/timeLimit';
import { pollInterval, waitByCampaignEvent, waitForCampaignCall } from '../../fields/waiting';
import { defineOperation } from '../../operation/defineOperation';
import { existingCall, ifQueuedBeforeWait, queuedCall, queueFields, queueRequest } from './queueCall';

export const queueCallAndWait = defineOperation({
	name: 'Queue Call and Wait',
	value: 'queueCallAndWait',
	action: 'Queue call and wait',
	toolDescription: 'Queue a phone call in a campaign. A real phone rings.',
	description:
		'Queue a call and wait for its outcome. A real phone rings and credits are spent, except for test calls.',
	sending: true,
	fields: [...queueFields, waitByCampaignEvent],
	options: [ifQueuedBeforeWait, ...callOptions, pollInterval, campaignCallTimeLimit, waitForCampaignCall],
	request: queueRequest,
	output: queuedCall,
	recover: existingCall,
	repeat: 'never',
	callerIdField: 'campaignId',
	waits: true,
	// An AI agent cannot wait for hours.
	forTools: false,
});
