import { authorizationScheme, extraHeaders } from '../../../shared/fields/webhooks';
import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { actionDescription, actionName, actionOutputs, inputs, nodeId, type } from './fields';
import {
	actionStatus,
	authorizationUrl,
	executionMode,
	holdDuration,
	integration,
	speakOnReceive,
	speakOnSend,
	transferTo,
	url,
} from './optionalFields';

export const upsert = defineOperation({
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update agent action',
	description: 'Create a new action of a voice agent, or update the current one if it already exists (upsert)',
	fields: [agent, nodeId, actionName, actionDescription, type, transferTo, url, inputs],
	options: [
		authorizationScheme,
		authorizationUrl,
		executionMode,
		extraHeaders,
		holdDuration,
		integration,
		speakOnReceive,
		speakOnSend,
		actionStatus,
	],
	request: ({ agentId, integration, ...body }) => ({
		method: 'POST',
		path: ['agents', agentId, 'actions'],
		body: { ...body, ...(integration !== undefined && { integration: { id: integration } }) },
		codes: { 403: 'UNAUTHORIZED', 404: 'AGENT_NOT_FOUND' },
	}),
	output: (response) => response.data,
	outputs: actionOutputs,
	drafts: 'part',
	// The documentation does not define which field identifies an action, so a retry might create a second one.
	repeat: 'never',
	// A person decides where call data is sent and with which credentials, not an AI agent.
	forTools: false,
});
