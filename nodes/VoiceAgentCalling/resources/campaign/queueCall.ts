import type { IDataObject } from 'n8n-workflow';

import type { ServiceError } from '../../../shared/errors/serviceError';
import { choice, local } from '../../../shared/fields/field';
import { toggle } from '../../../shared/fields/kinds';
import { isRecord } from '../../../shared/lib/isRecord';
import { callingCampaign } from '../../../shared/pickers/locators';
import type { ServiceRequest } from '../../../shared/service/request';
import { campaignVariables } from '../../fields/agentVariables';
import { callOptions } from '../../fields/callOptions';
import { testCall } from '../../fields/common';
import { phoneNumber } from '../../fields/phoneNumbers';
import { defineOperation } from '../../operation/defineOperation';
import type { ItemResult } from '../../operation/items';
import type { CheckedFirst } from '../../readiness/findings';
import { callRules, readiness } from '../../readiness/load';
import type { CallRules } from '../../readiness/mayCall';
import type { Api } from '../../sending/api';
import type { LastCheck } from '../../sending/requests';

/** What On Duplicate has in common in both operations; only the options differ. */
export const duplicateField = { displayName: 'On Duplicate', name: 'onDuplicate', default: 'returnExisting' } as const;

/** The option of On Duplicate that both operations have. */
export const failOnDuplicate = { name: 'Fail', value: 'fail', description: 'Return an error for this item' } as const;

const onDuplicate = local(
	choice('onDuplicate', {
		...duplicateField,
		options: [
			failOnDuplicate,
			{
				name: 'Return Existing',
				value: 'returnExisting',
				description: 'Return the existing call, with the result alreadyQueued',
			},
			{ name: 'Skip', value: 'skip', description: 'Return no item' },
		],
		description:
			'What to do if the number already has an active or queued call in the campaign. The service does not queue a second call.',
	}),
);

export const allowDuplicates = toggle('allow_duplicates', {
	displayName: 'Allow Duplicates',
	name: 'allowDuplicates',
	description:
		'Whether to queue the call even if the number already has an active or queued call in the campaign. Input items with the same number are then queued separately, unless Repeated Number is Call Once.',
});

/** The fields of both operations that queue a call. */
export const queueFields = [callingCampaign, phoneNumber, campaignVariables, testCall] as const;

/** The options of both operations that queue a call. */
export const queueOptions = [allowDuplicates, ...callOptions] as const;

/** The values for the request. */
interface QueueInput {
	campaignId: string;
	to: string;
	payload?: Record<string, unknown>;
	allow_duplicates?: boolean;
}

/** What the user decides about the queueing itself. */
interface QueueSettings extends CheckedFirst, CallRules {
	/** By default the existing call is returned. */
	onDuplicate?: 'returnExisting' | 'skip' | 'fail';
}

/**
 * Checks Blocked Numbers and Calling Hours, and runs Check First if the user switched it on.
 *
 * @returns what has to be checked again right before the request is sent
 * @throws Withheld; ServiceError `NOT_READY`, or why the variables are refused
 */
export async function checkBeforeQueueing(
	api: Api,
	input: QueueInput,
	{ checkFirst, missingVariables, onDuplicate, variablesError, ...rules }: QueueSettings,
): Promise<LastCheck | undefined> {
	const lastCheck = await (await callRules()).mayCall(api, 'campaignId', input, rules);
	if (variablesError) {
		throw variablesError;
	}
	if (!checkFirst) {
		return lastCheck;
	}
	// On Duplicate decides about an existing call; the service's refusal contains that call.
	const existing = onDuplicate === 'fail' && input.allow_duplicates !== true;
	await (await readiness()).assertCampaignCallReady(api, input, { existing, variables: missingVariables !== 'ignore' });
	return lastCheck;
}

/**
 * The messages of a 400 that are about the values of one item and say nothing about other numbers. The only documented
 * 400 is a campaign that is not active.
 */
const ABOUT_VALUES =
	/^(?!.*campaign).*(number|n[uú]mero|phone|tel[eé]fon|e\.?164|field|payload|context|is_testing|allow_duplicates)/is;

/** The request that queues a call. */
export function queueRequest({ campaignId, ...body }: QueueInput): ServiceRequest {
	return {
		method: 'POST',
		path: ['campaigns', campaignId, 'call'],
		body,
		codes: {
			400: { code: 'CAMPAIGN_NOT_ACTIVE', unless: ABOUT_VALUES },
			404: 'CAMPAIGN_NOT_FOUND',
			409: 'DUPLICATE_CALL',
		},
	};
}

/**
 * Handles the service's 409 for a number that already has a call in the campaign, according to On Duplicate.
 *
 * @returns the existing call, an empty list for Skip, or undefined to fail with the error
 */
export function existingCall(
	{ httpStatus, body }: ServiceError,
	_input: QueueInput,
	{ onDuplicate }: Pick<QueueSettings, 'onDuplicate'>,
) {
	const existing = isRecord(body) ? body.existing_call : undefined;
	if (httpStatus !== 409 || !isRecord(existing) || onDuplicate === 'fail') {
		return undefined;
	}
	const result: ItemResult = 'alreadyQueued';
	return onDuplicate === 'skip' ? [] : { ...existing, result };
}

/** The queued call, with the campaign's ID, name and status. */
export function queuedCall({ campaign_call, campaign }: IDataObject): unknown {
	return isRecord(campaign_call) && isRecord(campaign) ? { ...campaign_call, campaign } : campaign_call;
}

export const queueCall = defineOperation({
	name: 'Queue Call',
	value: 'queueCall',
	action: 'Queue call (rings a phone)',
	toolDescription: 'Queue a phone call in a campaign. A real phone rings, and the call costs money.',
	description:
		"Queue a call to a phone number in an active campaign. A real phone rings according to the campaign's schedule, and credits are spent, except for test calls.",
	fields: queueFields,
	options: [...queueOptions, onDuplicate],
	before: checkBeforeQueueing,
	request: queueRequest,
	output: queuedCall,
	recover: existingCall,
	repeat: 'never',
	calledBy: 'campaignId',
});
