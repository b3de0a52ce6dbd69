import { callingAgent } from '../../../shared/pickers/locators';
import { agentVariables, variableOptions } from '../../fields/agentVariables';
import { repeatedNumber } from '../../fields/common';
import { forecast } from '../../fields/forecast';
import { anyPhoneNumber, defaultCountry } from '../../fields/phoneNumbers';
import { defineOperation } from '../../operation/defineOperation';
import type { CheckedFirst } from '../../readiness/findings';
import { forecastItem, readiness } from '../../readiness/load';

export const checkBeforeCalling = defineOperation({
	name: 'Check Before Calling',
	value: 'checkBeforeCalling',
	action: 'Check before placing call',
	description:
		"Find out whether Place would succeed, and if not, why. Nothing is changed and nobody is called. Placeholders are read from the agent's description, first message, trainings and flow, where they are written as {{name}}. Options → Forecast adds an item with the counts, the estimated cost and the estimated end.",
	fields: [callingAgent, anyPhoneNumber, agentVariables],
	options: [defaultCountry, forecast, repeatedNumber, ...variableOptions],
	lastItem: forecastItem('agentId'),
	async run(api, input, { repeatedNumber, variablesError }: CheckedFirst & { repeatedNumber?: string }) {
		const { asItem, checkAgentCall } = await readiness();
		return asItem(
			input.to.given,
			await checkAgentCall(api, input, {
				repeated: repeatedNumber !== 'callEachTime',
				existing: true,
				variables: variablesError ?? true,
			}),
		);
	},
});
