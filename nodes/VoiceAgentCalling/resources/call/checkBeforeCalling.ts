import { callingAgent } from '../../../shared/pickers/locators';
import { agentVariables } from '../../fields/agentVariables';
import { ifOutside } from '../../fields/callingHours';
import { checkOptions } from '../../fields/callOptions';
import { repeatedNumber } from '../../fields/common';
import { anyPhoneNumber } from '../../fields/phoneNumbers';
import { defineOperation } from '../../operation/defineOperation';
import type { CheckSettings } from '../../readiness/checks';
import { callRules, readiness } from '../../readiness/load';
import type { CallRules } from '../../readiness/mayCall';
import { delay } from './place';

export const checkBeforeCalling = defineOperation({
	name: 'Check Before Calling',
	value: 'checkBeforeCalling',
	action: 'Check before placing call',
	description:
		'Find out whether Place would succeed, and if not, why. Nothing is changed and nobody is called. Switched to this, a node loses Test Call and Metadata: duplicate it first.',
	sending: true,
	fields: [callingAgent, anyPhoneNumber, agentVariables],
	options: [delay, ifOutside, ...checkOptions, repeatedNumber],
	checksCall: true,
	async run(api, input, local: CheckSettings & CallRules) {
		const { asItem, checkAgentCall } = await readiness();
		const call = { to: input.to.number, delay_seconds: input.delay_seconds };
		const rules = await (await callRules()).checkRules(api, 'agentId', call, local);
		return asItem(input.to.given, await checkAgentCall(api, input, { ...local, rules }));
	},
});
