import { checkFirst, context, payload, testCall } from '../../../shared/fields';
import { callingAgent } from '../../../shared/locators';
import { integer } from '../../../shared/fieldKinds';
import { defaultCountry, phoneNumber } from '../../../shared/numberFields';
import { defineOperation } from '../../../shared/operation';
import { readiness } from '../../../shared/readiness/load';

const delay = integer(
	'delay_seconds',
	{
		displayName: 'Delay',
		name: 'delay',
		description: 'How many seconds the service waits before it places the call, up to 3600',
	},
	{ min: 0, max: 3600 },
);

export const place = defineOperation({
	name: 'Place',
	value: 'place',
	action: 'Place a call that makes a real phone ring',
	description:
		'Call one phone number with a voice agent. A real phone rings and credits are spent, except for test calls.',
	fields: [callingAgent, phoneNumber, payload, context, testCall],
	options: [checkFirst, defaultCountry, delay],
	async before(api, input) {
		if (input.checkFirst) await (await readiness()).assertAgentCallReady(api, input);
	},
	request: ({ agentId, ...input }) => ({
		method: 'POST',
		path: ['agents', agentId, 'call'],
		body: { ...input, checkFirst: undefined, defaultCountry: undefined },
	}),
	output: (response) => response.data,
	repeat: 'never',
	calledBy: 'agentId',
});
