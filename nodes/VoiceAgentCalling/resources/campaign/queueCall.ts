import { isRecord } from '../../../shared/errors';
import { choice } from '../../../shared/field';
import { toggle } from '../../../shared/fieldKinds';
import { checkFirst, context, payload, testCall } from '../../../shared/fields';
import { campaign } from '../../../shared/locators';
import { defaultCountry, phoneNumber } from '../../../shared/numberFields';
import { defineOperation } from '../../../shared/operation';
import { readiness } from '../../../shared/readiness/load';

const onDuplicate = choice('onDuplicate', {
	displayName: 'On Duplicate',
	name: 'onDuplicate',
	options: [
		{
			name: 'Return Existing',
			value: 'returnExisting',
			description: 'Give back the call that is there, marked alreadyQueued',
		},
		{ name: 'Skip', value: 'skip', description: 'Give back nothing for this item' },
		{ name: 'Fail', value: 'fail', description: 'Treat it as a refusal' },
	],
	default: 'returnExisting',
	description:
		'What to do when the number already has an active or queued call in the campaign. The service does not queue a second one.',
});

export const allowDuplicates = toggle('allow_duplicates', {
	displayName: 'Allow Duplicates',
	name: 'allowDuplicates',
	description:
		'Whether to queue the call even if the number already has an active or queued one in the campaign',
});

export const queueCall = defineOperation({
	name: 'Queue Call',
	value: 'queueCall',
	action: 'Queue a call in a campaign that makes a real phone ring',
	description:
		"Add one phone number to an active campaign. The phone rings by the campaign's schedule, and credits are spent, except for test calls.",
	fields: [campaign, phoneNumber, payload, context, testCall, onDuplicate],
	options: [allowDuplicates, checkFirst, defaultCountry],
	async before(api, input) {
		if (!input.checkFirst) return;
		// What becomes of a call that is there already says On Duplicate: the service's refusal has that call.
		const existing = input.onDuplicate === 'fail' && input.allow_duplicates !== true;
		await (await readiness()).assertCampaignCallReady(api, input, { existing });
	},
	request: ({ campaignId, ...input }) => ({
		method: 'POST',
		path: ['campaigns', campaignId, 'call'],
		body: { ...input, checkFirst: undefined, defaultCountry: undefined, onDuplicate: undefined },
		// A number that is refused can come with this status too: that is no reason to stop.
		codes: { 400: { code: 'CAMPAIGN_NOT_ACTIVE', says: /\bactive\b/i }, 404: 'CAMPAIGN_NOT_FOUND', 409: 'DUPLICATE_CALL' },
	}),
	output: (response) => response.campaign_call,
	recover: ({ httpStatus, body }, input) => {
		const existing = isRecord(body) ? body.existing_call : undefined;
		if (httpStatus !== 409 || !isRecord(existing) || input.onDuplicate === 'fail') return undefined;
		return input.onDuplicate === 'skip' ? [] : { ...existing, alreadyQueued: true };
	},
	repeat: 'never',
	calledBy: 'campaignId',
});
