import { objectIn } from '../../../shared/client/refusals';
import { withRules } from '../../../shared/fields/field';
import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { assertListIsUsed, noteUselessList } from './doNotCall';
import {
	assertEndsLater,
	callTimeRanges,
	campaignAgent,
	campaignName,
	campaignType,
	daysOfWeek,
	endDate,
	startDate,
	timezone,
} from './fields';
import { campaignDescription, campaignRules } from './rules';

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update campaign',
	description: 'Change settings of a campaign. Pause an active one before you change its dates or times.',
	fields: [campaign],
	updates: [
		campaignName,
		campaignType('What the campaign is for'),
		...withRules({ empty: 'null' }, campaignDescription),
		// A person, not a model, decides whom a campaign calls, when and how often.
		...withRules({ ai: 'fixed' }, campaignAgent, startDate, daysOfWeek, callTimeRanges, timezone, ...campaignRules),
		...withRules({ ai: 'fixed', empty: 'null' }, endDate),
	],
	check: (values) => {
		assertEndsLater(values);
		assertListIsUsed(values);
	},
	async run(api, { campaignId, ...body }) {
		if (body.agent_id !== undefined) {
			const { assertCanCall } = await import('../../callRules/agent.js');
			await assertCanCall(api, body.agent_id);
		}
		const codes = { 404: 'CAMPAIGN_NOT_FOUND', 409: 'CAMPAIGN_HAS_ACTIVE_CALLS' } as const;
		const response = await api.request({ method: 'PUT', path: ['campaigns', campaignId], body, codes });
		noteUselessList(api, body);
		return objectIn(response, 'the campaign');
	},
});
