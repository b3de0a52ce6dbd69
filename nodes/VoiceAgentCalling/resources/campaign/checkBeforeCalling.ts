import { callingCampaign } from '../../../shared/pickers/locators';
import { campaignVariables, variablesJson } from '../../fields/agentVariables';
import { callRestrictions } from '../../fields/callOptions';
import { repeatedNumber } from '../../fields/common';
import { anyPhoneNumber } from '../../fields/phoneNumbers';
import { defineOperation } from '../../operation/defineOperation';
import type { VariableSettings } from '../../readiness/findings';
import { callRules, readiness } from '../../readiness/load';
import type { CallRules } from '../../readiness/mayCall';

export const checkBeforeCalling = defineOperation({
	name: 'Check Before Calling',
	value: 'checkBeforeCalling',
	action: 'Check before queueing call',
	description:
		"Find out whether Queue Call would succeed (and if not, why), and when the campaign can call next. Nothing is changed and nobody is called. Switched to this, a node loses Test Call and Metadata: duplicate it first. Placeholders are read from the agent's description, first message, trainings and flow, where they are written as {{name}}, probably the notation of the service.",
	sending: true,
	fields: [callingCampaign, anyPhoneNumber, campaignVariables],
	options: [...callRestrictions, repeatedNumber, variablesJson],
	async run(
		api,
		input,
		{ repeatedNumber, variablesError, ...rules }: VariableSettings & CallRules & { repeatedNumber?: string },
	) {
		const { asItem, checkCampaignCall } = await readiness();
		const repeated = repeatedNumber !== 'callEachTime';
		const call = { to: input.to.number, campaignId: input.campaignId };
		const result = await (await callRules()).checkRules(api, 'campaignId', call, rules);
		return asItem(input.to.given, await checkCampaignCall(api, input, { repeated, variablesError, rules: result }));
	},
});
