import type { IDataObject } from 'n8n-workflow';

import { existingCallIn } from '../../../shared/client/forms';
import type { ServiceRequest } from '../../../shared/client/request';
import type { ServiceError } from '../../../shared/errors/serviceError';
import { choice } from '../../../shared/fields/field';
import { isRecord } from '../../../shared/lib/json';
import { isAnotherPhone } from '../../../shared/phoneNumbers/e164';
import { callingCampaign } from '../../../shared/pickers/locators';
import { campaignVariables } from '../../fields/agentVariables';
import { callOptions } from '../../fields/callOptions';
import { testCall } from '../../fields/common';
import { phoneNumber } from '../../fields/phoneNumbers';
import { defineOperation } from '../../operation/defineOperation';
import type { CallResult } from '../../operation/items';

const choices = [
	{ name: 'Fail', value: 'fail', description: 'Return an error for this item' },
	{
		name: 'Queue Again',
		value: 'queueAgain',
		description: 'Queue one more call. Repeated Number still applies to the items of this run.',
	},
	{
		name: 'Return Existing',
		value: 'returnExisting',
		description: 'Return the existing call, with the result alreadyQueued. Its outcome is not awaited.',
	},
	{ name: 'Skip', value: 'skip', description: 'Return no item' },
] as const;

/** Makes the field for what to do about a number that already has a call in the campaign. */
function ifAlreadyQueued(values: ReadonlyArray<(typeof choices)[number]['value']>) {
	return choice('ifAlreadyQueued', {
		displayName: 'If Already Queued',
		name: 'ifAlreadyQueued',
		options: choices.filter(({ value }) => values.includes(value)),
		default: 'returnExisting',
		description: 'What to do if the number already has an active or queued call in the campaign',
	});
}

/** For operations that queue a call, or check whether one can be queued. */
export const ifQueued = ifAlreadyQueued(['fail', 'queueAgain', 'returnExisting', 'skip']);

/** The same without Skip, because an operation that waits for calls returns an output for each item. */
export const ifQueuedBeforeWait = ifAlreadyQueued(['fail', 'queueAgain', 'returnExisting']);

/** The fields of both operations that queue a call. */
export const queueFields = [callingCampaign, phoneNumber, campaignVariables, testCall] as const;

/** The values for the request. */
interface QueueInput {
	campaignId: string;
	to: string;
	payload?: Record<string, unknown>;
	/** By default the existing call is returned. */
	ifAlreadyQueued?: (typeof choices)[number]['value'];
}

/**
 * The messages of a 400 response that mean that the campaign is not active. Any other message, such as about a number
 * on a do-not-call list or a contact that has completed the campaign, concerns one item only.
 */
const NOT_ACTIVE =
	/^(?!.*(number|n[uú]mero|phone|tel[eé]fon|contact|recipient|do.not.call|\blists?\b))(?=.*campa(ign|nh|ñ)).*\b(inactiv|activ|ativ|draft|paus|complet|conclu|finished|ended|cancel)/is;

/** Makes the request that queues a call. */
export function queueRequest({ campaignId, ifAlreadyQueued, ...body }: QueueInput): ServiceRequest {
	return {
		method: 'POST',
		path: ['campaigns', campaignId, 'call'],
		body: { ...body, ...(ifAlreadyQueued === 'queueAgain' && { allow_duplicates: true }) },
		codes: {
			400: { code: 'CAMPAIGN_NOT_ACTIVE', when: NOT_ACTIVE },
			404: 'CAMPAIGN_NOT_FOUND',
			409: 'DUPLICATE_CALL',
		},
	};
}

/**
 * Handles the service's 409 for a number that already has a call in the campaign, according to If Already Queued.
 *
 * @returns the existing call, an empty list for Skip, or undefined to fail with the error
 * @throws ServiceError if the existing call is to another number
 */
export function existingCall(error: ServiceError, { to, ifAlreadyQueued }: QueueInput) {
	const { httpStatus, body } = error;
	const existing = existingCallIn(body);
	if (httpStatus !== 409 || existing === undefined || ifAlreadyQueued === 'fail') {
		return undefined;
	}
	if (isAnotherPhone(existing.to, to)) {
		const message = 'Not queued: the service returned a call to another number as the existing call';
		const advice = "Set 'If Already Queued' to Queue Again, or contact the service.";
		throw error.with({ message, advice, code: 'UNREADABLE_ANSWER' });
	}
	const result: CallResult = 'alreadyQueued';
	return ifAlreadyQueued === 'skip' ? [] : { ...existing, result };
}

/** Returns the queued call, with the campaign's ID, name and status. */
export function queuedCall(body: IDataObject): unknown {
	const inner = isRecord(body.data) ? body.data : {};
	const alone = 'to' in inner ? inner : undefined;
	const { campaign_call = inner.campaign_call ?? alone, campaign = inner.campaign } = body;
	return isRecord(campaign_call) && isRecord(campaign) ? { ...campaign_call, campaign } : campaign_call;
}

export const queueCall = defineOperation({
	name: 'Queue Call',
	value: 'queueCall',
	action: 'Queue call',
	toolDescription: 'Queue a phone call in a campaign. A real phone rings.',
	description: 'Queue a call in an active campaign. A real phone rings and credits are spent, except for test calls.',
	sending: true,
	fields: queueFields,
	options: [ifQueued, ...callOptions],
	request: queueRequest,
	output: queuedCall,
	recover: existingCall,
	repeat: 'never',
	callerIdField: 'campaignId',
});
