import { objectIn } from '../../../shared/client/refusals';
import { idList } from '../../../shared/fields/kinds';
import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

const sourceAgents = idList(
	'source_agent_ids',
	{
		displayName: 'Source Agent Names or IDs',
		name: 'sourceAgents',
		required: true,
		typeOptions: { loadOptionsMethod: 'getCallbackSources' },
		description:
			'Published outbound agents: people who miss a call of these agents and call back reach the callback agent. They replace the current source agents. To remove the role, use the dashboard. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{ min: 1 },
);

export const setCallbackSources = defineOperation({
	name: 'Set Callback Sources',
	value: 'setCallbackSources',
	action: 'Set callback sources',
	description: 'Set the agents whose missed calls an inbound agent takes when people call back',
	fields: [agent, sourceAgents],
	repeat: 'safe',
	async run(api, { agentId, ...body }) {
		// PUT replaces the sources of an agent that has the role. Whether POST does the same is not documented.
		const all = await api.whole({ method: 'GET', path: ['callback-agents'] }, ({ data }) => data);
		const hasRole = all.some(({ id }) => String(id).toLowerCase() === agentId.toLowerCase());
		const response = await api.request({
			method: hasRole ? 'PUT' : 'POST',
			path: ['agents', agentId, 'callback'],
			body,
			codes: { 404: 'AGENT_NOT_FOUND' },
		});
		return objectIn(response, 'the callback agent', agentId);
	},
	forTools: false,
});
