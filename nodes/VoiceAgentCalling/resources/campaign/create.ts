import { defineOperation } from '../../operation/defineOperation';
import { assertListIsUsed } from './doNotCall';
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

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create campaign',
	description: 'Plan a campaign of calls. It is a draft until Set Status makes it active: only then phones ring.',
	fields: [
		campaignName,
		campaignType('What the campaign is for'),
		campaignAgent,
		startDate,
		daysOfWeek,
		callTimeRanges,
		timezone,
	],
	options: [endDate, campaignDescription, ...campaignRules],
	check: (values) => {
		assertEndsLater(values);
		assertListIsUsed(values);
	},
	request: (body) => ({
		method: 'POST',
		path: ['campaigns'],
		body,
		codes: { 404: 'AGENT_NOT_FOUND' },
	}),
	output: (response) => response.data,
});
