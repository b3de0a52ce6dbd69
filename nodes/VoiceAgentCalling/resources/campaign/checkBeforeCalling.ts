import { callingCampaign } from '../../../shared/pickers/locators';
import type { CheckSettings } from '../../callRules/checks';
import { campaignVariables } from '../../fields/agentVariables';
import { callOptions } from '../../fields/callOptions';
import { repeatedNumber, testCall } from '../../fields/common';
import { anyPhoneNumber } from '../../fields/phoneNumbers';
import { defineOperation } from '../../operation/defineOperation';
import { ifQueued } from './queueCall';

export const checkBeforeCalling = defineOperation({
	name: 'Check Before Calling',
	value: 'checkBeforeCalling',
	action: 'Check before queueing call',
	description: 'Find out whether Queue Call would succeed, and when the campaign can call next. Nobody is called.',
	sending: true,
	// Includes fields without effect here, because n8n drops the values of missing fields when the user switches to this
	// operation.
	fields: [callingCampaign, anyPhoneNumber, campaignVariables, testCall],
	options: [ifQueued, ...callOptions, repeatedNumber],
	checksCall: true,
	async run(api, input, local: CheckSettings) {
		const { readinessItem, checkCampaignCall } = await import('../../callRules/checks.js');
		const isTest = input.is_testing || api.testCallsOnly;
		return readinessItem(input, isTest, await checkCampaignCall(api, input, local));
	},
});
