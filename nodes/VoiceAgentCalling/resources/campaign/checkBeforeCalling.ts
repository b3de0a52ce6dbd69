import { callingCampaign } from '../../../shared/pickers/locators';
import { campaignVariables } from '../../fields/agentVariables';
import { checkOptions } from '../../fields/callOptions';
import { repeatedNumber } from '../../fields/common';
import { anyPhoneNumber } from '../../fields/phoneNumbers';
import { defineOperation } from '../../operation/defineOperation';
import type { CheckSettings } from '../../readiness/checks';
import { callRules, readiness } from '../../readiness/load';
import type { CallRules } from '../../readiness/mayCall';

export const checkBeforeCalling = defineOperation({
	name: 'Check Before Calling',
	value: 'checkBeforeCalling',
	action: 'Check before queueing call',
	description:
		'Find out whether Queue Call would succeed (and if not, why), and when the campaign can call next. Nothing is changed and nobody is called. Switched to this, a node loses Test Call and Metadata: duplicate it first.',
	sending: true,
	fields: [callingCampaign, anyPhoneNumber, campaignVariables],
	options: [...checkOptions, repeatedNumber],
	checksCall: true,
	async run(api, input, local: CheckSettings & CallRules) {
		const { asItem, checkCampaignCall } = await readiness();
		const call = { to: input.to.number, campaignId: input.campaignId };
		const rules = await (await callRules()).checkRules(api, 'campaignId', call, local);
		return asItem(input.to.given, await checkCampaignCall(api, input, { ...local, rules }));
	},
});
