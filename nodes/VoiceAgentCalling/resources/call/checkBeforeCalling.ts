import { callingAgent } from '../../../shared/pickers/locators';
import type { CheckSettings } from '../../callRules/checks';
import { agentVariables } from '../../fields/agentVariables';
import { ifOutside } from '../../fields/callingHours';
import { callOptions } from '../../fields/callOptions';
import { repeatedNumber, testCall } from '../../fields/common';
import { anyPhoneNumber } from '../../fields/phoneNumbers';
import { defineOperation } from '../../operation/defineOperation';
import { delay } from './place';

export const checkBeforeCalling = defineOperation({
	name: 'Check Before Calling',
	value: 'checkBeforeCalling',
	action: 'Check before placing call',
	description: 'Find out whether Place would succeed, and if not, why. Nothing is changed and nobody is called.',
	sending: true,
	// Includes fields without effect here, because n8n drops the values of missing fields when the user switches to this
	// operation.
	fields: [callingAgent, anyPhoneNumber, agentVariables, testCall],
	options: [delay, ifOutside, ...callOptions, repeatedNumber],
	checksCall: true,
	async run(api, input, local: CheckSettings) {
		const { readinessItem, checkAgentCall } = await import('../../callRules/checks.js');
		const isTest = input.is_testing || api.testCallsOnly;
		return readinessItem(input, isTest, await checkAgentCall(api, input, local));
	},
});
