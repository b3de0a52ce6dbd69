import { choice, onlyFor } from '../../../shared/fields/field';
import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { flow } from './fields';

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
	description:
		'Replace the conversation flow of a voice agent, or let the language model lead. The current flow cannot be restored: save it with Get first, and check the new one with Validate. The status of the agent does not change; after changes that break its conversations, publish it again.',
	fields: [agent, conversationMode, onlyFor('conversationMode', ['flow_driven'], flow)],
	request: ({ agentId, ...body }) => ({
		method: 'PUT',
		path: ['agents', agentId, 'flow'],
		body,
		codes: { 404: 'AGENT_NOT_FOUND' },
		advice: { 422: 'Correct the flow: Agent Flow → Validate lists the same errors without changing anything.' },
	}),
	output: (response) => response.data,
	forTools: false,
});
