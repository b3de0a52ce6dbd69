import { callingAgent } from '../../../shared/pickers/locators';
import { agentVariables, variableOptions } from '../../fields/agentVariables';
import { repeatedNumber } from '../../fields/common';
import { anyPhoneNumber, defaultCountry } from '../../fields/phoneNumbers';
import { defineOperation } from '../../operation/defineOperation';
import { readiness } from '../../readiness/load';

export const checkBeforeCalling = defineOperation({
	name: 'Check Before Calling',
	value: 'checkBeforeCalling',
	action: 'Check before placing call',
	description:
		"Find out whether Place would go through, and why not. Nothing is written and nobody is called. Of the agent's prompt it sees the description, initial message, trainings and flow, and placeholders written as {{name}}.",
	fields: [callingAgent, anyPhoneNumber, agentVariables],
	options: [defaultCountry, repeatedNumber, ...variableOptions],
	async run(api, input, { repeatedNumber }) {
		const { asItem, checkAgentCall } = await readiness();
		return asItem(
			input.to.given,
			await checkAgentCall(api, input, {
				repeated: repeatedNumber !== 'callEachTime',
				existing: true,
				variables: true,
			}),
		);
	},
});
