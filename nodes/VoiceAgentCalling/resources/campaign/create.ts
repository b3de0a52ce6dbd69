import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { messageWithAdvice, toResult } from '../../../shared/errors/serviceError';
import { FILL_IN_OR_REMOVE, local, reworded, withRules } from '../../../shared/fields/field';
import { trigger } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { createdObject } from '../../operation/responses';
import { connectOwner } from '../webhook/connection';
import { assertListIsUsed, noteUselessList } from './doNotCall';
import {
	assertEndsLater,
	callTimeRanges,
	campaignAgent,
	campaignName,
	campaignType,
	daysOfWeek,
	endDate,
	startsToday,
	timezone,
} from './fields';
import { campaignDescription, campaignRules } from './rules';

const [connectTo] = withRules(
	{ ai: 'fixed' },
	local(
		reworded(trigger, {
			displayName: 'Connect to Trigger',
			required: false,
			description:
				'A published Voice Agent Calling Trigger that is to receive the events of the new campaign, as with Webhook → Connect to Trigger. If that fails, the campaign exists without it, and the output says why.',
		}),
	),
);

/**
 * Connects a new campaign to a trigger. If that fails, the result contains the error, which is not thrown: the campaign
 * exists, and creating it again would make a second campaign. `connected` is null if the outcome is unknown.
 */
async function withConnection(api: Api, campaign: IDataObject, triggerUrl: string): Promise<IDataObject> {
	const owner = { ownerType: 'campaign', ownerId: String(campaign.id) } as const;
	const { error } = await toResult(connectOwner(api, triggerUrl, owner));
	if (error === undefined) {
		return { ...campaign, connected: true };
	}
	const connected = error.accepted === 'no' ? false : null;
	return { ...campaign, connected, connectCode: error.code, connectMessage: messageWithAdvice(error) };
}

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create campaign',
	description:
		'Create a campaign of calls as a draft. Phones ring only after you activate it with Campaign → Set Status.',
	fields: [
		campaignName,
		campaignAgent,
		campaignType('What the campaign is for'),
		startsToday,
		daysOfWeek,
		callTimeRanges,
		timezone,
	],
	options: [connectTo, ...withRules({ empty: FILL_IN_OR_REMOVE }, endDate), campaignDescription, ...campaignRules],
	check: (values) => {
		assertEndsLater(values);
		assertListIsUsed(values, true);
	},
	async run(api, body, { triggerUrl }) {
		const { assertCanCall } = await import('../../callRules/agent.js');
		await assertCanCall(api, body.agent_id);
		const codes = { 404: 'AGENT_NOT_FOUND' } as const;
		const response = await api.request({ method: 'POST', path: ['campaigns'], body, codes });
		const campaign = createdObject(response, 'campaign');
		noteUselessList(api, body, true);
		api.note('A new campaign is a draft: before you queue calls, set it to Active with Campaign → Set Status.');
		return triggerUrl === undefined ? campaign : await withConnection(api, campaign, triggerUrl);
	},
});
