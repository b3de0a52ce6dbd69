import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { unreadable, unwrap } from '../../../shared/errors/serviceError';
import { choice, onlyFor } from '../../../shared/fields/field';
import { isRecord } from '../../../shared/lib/json';
import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { flow } from './fields';
import { findingsInWords, flowError } from './flowError';

const conversationMode = choice('conversation_mode', {
	displayName: 'Conversation Mode',
	name: 'conversationMode',
	required: true,
	options: [
		{ name: 'Flow Driven', value: 'flow_driven', description: 'The conversation follows the nodes of a flow' },
		{
			name: 'LLM Driven',
			value: 'llm_driven',
			description: 'The language model leads the conversation. The agent has no flow.',
		},
	],
	default: 'flow_driven',
	description: 'Whether the language model or a flow leads the conversation',
});

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update agent flow',
	description: 'Replace the conversation flow of an agent. The current flow is lost: save it with Get first.',
	fields: [agent, conversationMode, onlyFor('conversationMode', ['flow_driven'], flow)],
	async run(api, { agentId, ...body }) {
		const { flow_config } = body;
		const rules = flow_config ? await findingsOf(api, agentId, flow_config) : undefined;
		const response = await api.request({
			method: 'PUT',
			path: ['agents', agentId, 'flow'],
			body: body as IDataObject,
			codes: { 404: 'AGENT_NOT_FOUND', 422: 'FLOW_INVALID' },
		});
		const { data } = response;
		return isRecord(data)
			? { ...(data as IDataObject), ...(rules && { rules }) }
			: unwrap({ error: unreadable('without the flow') });
	},
	forTools: false,
});

/**
 * Checks a flow before it is saved. If its validity is unknown, it is sent: an update is validated, too.
 *
 * @throws ServiceError `FLOW_INVALID` if the service rejects it
 */
async function findingsOf(api: Api, agentId: string, flow_config: Record<string, unknown>): Promise<IDataObject[]> {
	const { checkFlow } = await import('../../agents/flows/checkFlow.js');
	const checked = await checkFlow(api, flow_config, { agentId, readsActions: 'forActionNodes' });
	if (checked.valid === false) {
		throw flowError('FLOW_INVALID', checked);
	}
	findingsInWords(checked).forEach(api.note);
	return checked.rules as unknown as IDataObject[];
}
