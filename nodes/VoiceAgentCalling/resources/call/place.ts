import { integer } from '../../../shared/fields/kinds';
import { callingAgent } from '../../../shared/pickers/locators';
import type { ServiceRequest } from '../../../shared/service/request';
import { checkFirst, context, payload, testCall } from '../../fields/common';
import { defaultCountry, phoneNumber } from '../../fields/phoneNumbers';
import { defineOperation } from '../../operation/defineOperation';
import { readiness } from '../../readiness/load';
import type { Api } from '../../sending/api';

const delay = integer(
	'delay_seconds',
	{
		displayName: 'Delay',
		name: 'delay',
		description: 'How many seconds the service waits before it places the call, up to 3600',
	},
	{ min: 0, max: 3600 },
);

/** The fields of both operations that place a call. */
export const placeFields = [callingAgent, phoneNumber, payload, context, testCall] as const;

/** The options of both operations that place a call. */
export const placeOptions = [checkFirst, defaultCountry, delay] as const;

/** The values for the request. */
interface PlaceInput {
	agentId: string;
	to: string;
	payload?: Record<string, unknown>;
}

/** Runs Check First if the user switched it on. @throws ServiceError `NOT_READY` */
export async function checkBeforePlacing(
	api: Api,
	input: PlaceInput,
	{ checkFirst }: { checkFirst?: boolean },
): Promise<void> {
	if (checkFirst) {
		await (await readiness()).assertAgentCallReady(api, input);
	}
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
	action: 'Place call (rings a phone)',
	toolDescription: 'Place a phone call with a voice agent. A real phone rings, and the call costs money.',
	description:
		'Call one phone number with a voice agent. A real phone rings and credits are spent, except for test calls.',
	fields: placeFields,
	options: placeOptions,
	before: checkBeforePlacing,
	request: placeRequest,
	output: (response) => response.data,
	repeat: 'never',
	calledBy: 'agentId',
});
