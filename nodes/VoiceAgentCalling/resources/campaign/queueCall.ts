import { isRecord, type ServiceError } from '../../../shared/errors/serviceError';
import { choice } from '../../../shared/fields/field';
import { toggle } from '../../../shared/fields/kinds';
import { campaign } from '../../../shared/pickers/locators';
import type { ServiceRequest } from '../../../shared/service/request';
import { checkFirst, context, payload, testCall } from '../../fields/common';
import { defaultCountry, phoneNumber } from '../../fields/phoneNumbers';
import { defineOperation } from '../../operation/defineOperation';
import { readiness } from '../../readiness/load';
import type { Api } from '../../sending/api';

/** What On Duplicate has in common in both operations; only the options differ. */
export const duplicateField = { displayName: 'On Duplicate', name: 'onDuplicate', default: 'returnExisting' } as const;

/** The option of On Duplicate that both operations have. */
export const failOnDuplicate = { name: 'Fail', value: 'fail', description: 'Treat it as a refusal' } as const;

const onDuplicate = choice('onDuplicate', {
	...duplicateField,
	options: [
		{
			name: 'Return Existing',
			value: 'returnExisting',
			description: 'Give back the call that is there, marked alreadyQueued',
		},
		{ name: 'Skip', value: 'skip', description: 'Give back nothing for this item' },
		failOnDuplicate,
	],
	description:
		'What to do when the number already has an active or queued call in the campaign. The service does not queue a second one.',
});

export const allowDuplicates = toggle('allow_duplicates', {
	displayName: 'Allow Duplicates',
	name: 'allowDuplicates',
	description: 'Whether to queue the call even if the number already has an active or queued one in the campaign',
});

/** The fields of both operations that queue a call. */
export const queueFields = [campaign, phoneNumber, payload, context, testCall] as const;

/** The options of both operations that queue a call. */
export const queueOptions = [allowDuplicates, checkFirst, defaultCountry] as const;

interface QueueInput {
	campaignId: string;
	to: string;
	payload?: Record<string, unknown>;
	checkFirst?: boolean;
	allow_duplicates?: boolean;
	onDuplicate: 'returnExisting' | 'skip' | 'fail';
}

/** Runs Check First if the user switched it on. @throws ServiceError `NOT_READY` */
export async function checkBeforeQueueing(api: Api, input: QueueInput): Promise<void> {
	if (!input.checkFirst) {
		return;
	}
	// Return Existing and Skip need the existing call from the 409 response, so only Fail checks for one first.
	const existing = input.onDuplicate === 'fail' && input.allow_duplicates !== true;
	await (await readiness()).assertCampaignCallReady(api, input, { existing });
}

/** Builds the request that queues a call. */
export function queueRequest({ campaignId, ...input }: QueueInput): ServiceRequest {
	return {
		method: 'POST',
		path: ['campaigns', campaignId, 'call'],
		body: { ...input, checkFirst: undefined, defaultCountry: undefined, onDuplicate: undefined },
		// Status 400 can also mean an invalid number. Only an inactive campaign is a reason to stop the run.
		codes: {
			400: { code: 'CAMPAIGN_NOT_ACTIVE', says: /\bactive\b/i },
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
export function existingCall({ httpStatus, body }: ServiceError, { onDuplicate }: Pick<QueueInput, 'onDuplicate'>) {
	const existing = isRecord(body) ? body.existing_call : undefined;
	if (httpStatus !== 409 || !isRecord(existing) || onDuplicate === 'fail') {
		return undefined;
	}
	return onDuplicate === 'skip' ? [] : { ...existing, alreadyQueued: true };
}

export const queueCall = defineOperation({
	name: 'Queue Call',
	value: 'queueCall',
	action: 'Queue a call in a campaign that makes a real phone ring',
	description:
		"Add one phone number to an active campaign. The phone rings by the campaign's schedule, and credits are spent, except for test calls.",
	fields: [...queueFields, onDuplicate],
	options: queueOptions,
	before: checkBeforeQueueing,
	request: queueRequest,
	output: (response) => response.campaign_call,
	recover: existingCall,
	repeat: 'never',
	calledBy: 'campaignId',
});
