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
	startsToday,
	workflowTimeZone,
} from './fields';
import { campaignDescription, campaignRules } from './rules';

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
		workflowTimeZone,
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
