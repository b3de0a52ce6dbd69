import type { ServiceRequest } from '../../../shared/client/request';
import { integer } from '../../../shared/fields/kinds';
import { callingAgent } from '../../../shared/pickers/locators';
import { agentVariables } from '../../fields/agentVariables';
import { ifOutside } from '../../fields/callingHours';
import { callOptions } from '../../fields/callOptions';
import { testCall } from '../../fields/common';
import { phoneNumber } from '../../fields/phoneNumbers';
import { MAX_DELAY_MS } from '../../operation/call';
import { defineOperation } from '../../operation/defineOperation';

export const delay = integer(
	'delay_seconds',
	{
		displayName: 'Delay (Seconds)',
		name: 'delay',
		description: 'How long the service waits before it places the call, up to 3600',
	},
	{ min: 0, max: MAX_DELAY_MS / 1000 },
);

/** The fields of both operations that place a call. */
export const placeFields = [callingAgent, phoneNumber, agentVariables, testCall] as const;

/** The options of both operations that place a call. */
export const placeOptions = [delay, ...callOptions] as const;

/** The values for the request. */
interface PlaceInput {
	agentId: string;
	to: string;
	payload?: Record<string, unknown>;
	delay_seconds?: number;
}

/** Builds the request that places a call. */
export function placeRequest({ agentId, ...body }: PlaceInput): ServiceRequest {
	return {
		method: 'POST',
		path: ['agents', agentId, 'call'],
		body,
	};
}

export const place = defineOperation({
	name: 'Place',
	value: 'place',
	action: 'Place call',
	toolDescription: 'Place a phone call with a voice agent. A real phone rings.',
	description:
		'Call a phone number with a voice agent. A real phone rings and credits are spent, except for test calls.',
	sending: true,
	fields: placeFields,
	options: [...placeOptions, ifOutside],
	request: placeRequest,
	output: (response) => response.data,
	repeat: 'never',
	callerIdField: 'agentId',
});
