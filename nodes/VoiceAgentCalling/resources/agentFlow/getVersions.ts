import { isRecord } from '../../../shared/lib/json';
import { agent } from '../../../shared/pickers/locators';
import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';

export const getVersions = defineOperation({
	name: 'Get Versions',
	value: 'getVersions',
	action: 'Get agent flow versions',
	description: 'List when the conversation flow of an agent was updated. The flows themselves are not included.',
	fields: [agent, returnAll],
	request: ({ agentId }) => ({
		method: 'GET',
		path: ['agents', agentId, 'flow', 'versions'],
		codes: { 404: 'AGENT_NOT_FOUND' },
	}),
	items: ({ data }) => (isRecord(data) ? data.versions : data),
});
