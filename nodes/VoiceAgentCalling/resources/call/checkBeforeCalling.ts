import { callingAgent } from '../../../shared/pickers/locators';
import { agentVariables, variablesJson } from '../../fields/agentVariables';
import { ifOutside } from '../../fields/callingHours';
import { callRestrictions } from '../../fields/callOptions';
import { repeatedNumber } from '../../fields/common';
import { anyPhoneNumber } from '../../fields/phoneNumbers';
import { defineOperation } from '../../operation/defineOperation';
import type { VariableSettings } from '../../readiness/findings';
import { callRules, readiness } from '../../readiness/load';
import type { CallRules } from '../../readiness/mayCall';
import { delay } from './place';

export const checkBeforeCalling = defineOperation({
	name: 'Check Before Calling',
	value: 'checkBeforeCalling',
	action: 'Check before placing call',
	description:
		"Find out whether Place would succeed, and if not, why. Nothing is changed and nobody is called. Switched to this, a node loses Test Call and Metadata: duplicate it first. Placeholders are read from the agent's description, first message, trainings and flow, where they are written as {{name}}, probably the notation of the service.",
	sending: true,
	fields: [callingAgent, anyPhoneNumber, agentVariables],
	options: [delay, ifOutside, ...callRestrictions, repeatedNumber, variablesJson],
	async run(
		api,
		input,
		{ repeatedNumber, variablesError, ...rules }: VariableSettings & CallRules & { repeatedNumber?: string },
	) {
		const { asItem, checkAgentCall } = await readiness();
		const call = { to: input.to.number, delay_seconds: input.delay_seconds };
		const result = await (await callRules()).checkRules(api, 'agentId', call, rules);
		return asItem(
			input.to.given,
			await checkAgentCall(api, input, {
				repeated: repeatedNumber !== 'callEachTime',
				variablesError,
				rules: result,
			}),
		);
	},
});
