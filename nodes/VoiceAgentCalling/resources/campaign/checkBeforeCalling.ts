import { callingCampaign } from '../../../shared/pickers/locators';
import { campaignVariables, variableOptions } from '../../fields/agentVariables';
import { repeatedNumber } from '../../fields/common';
import { forecast } from '../../fields/forecast';
import { anyPhoneNumber, defaultCountry } from '../../fields/phoneNumbers';
import { defineOperation } from '../../operation/defineOperation';
import type { CheckedFirst } from '../../readiness/findings';
import { forecastItem, readiness } from '../../readiness/load';
import { allowDuplicates } from './queueCall';

export const checkBeforeCalling = defineOperation({
	name: 'Check Before Calling',
	value: 'checkBeforeCalling',
	action: 'Check before queueing call',
	description:
		"Find out whether Queue Call would succeed (and if not, why), and when the campaign can call next. Nothing is changed and nobody is called. Placeholders are read from the agent's description, first message, trainings and flow, where they are written as {{name}}. Options → Forecast adds an item with the counts, the estimated cost and the estimated end.",
	fields: [callingCampaign, anyPhoneNumber, campaignVariables],
	options: [allowDuplicates, defaultCountry, forecast, repeatedNumber, ...variableOptions],
	lastItem: forecastItem('campaignId'),
	async run(api, input, { repeatedNumber, variablesError }: CheckedFirst & { repeatedNumber?: string }) {
		const { asItem, checkCampaignCall } = await readiness();
		const existing = input.allow_duplicates !== true;
		const repeated = (repeatedNumber ?? (existing ? 'callOnce' : 'callEachTime')) === 'callOnce';
		return asItem(
			input.to.given,
			await checkCampaignCall(api, input, { repeated, existing, variables: variablesError ?? true }),
		);
	},
});
