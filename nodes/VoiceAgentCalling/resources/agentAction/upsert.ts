import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import {
	actionDescription,
	actionName,
	holdDuration,
	inputs,
	nodeId,
	simplifiedAction,
	transferTo,
	type,
	url,
} from './fields';
import {
	actionStatus,
	authorization,
	authorizationUrl,
	executionMode,
	headers,
	integration,
	speakOnReceive,
	speakOnSend,
} from './optionalFields';

export const upsert = defineOperation({
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update an agent action',
	description:
		'Create a new action of a voice agent, which becomes a draft and must be published again before it can call, or update the current one if it already exists (upsert)',
	fields: [agent, nodeId, actionName, actionDescription, type, url, transferTo, holdDuration, inputs],
	options: [
		authorization,
		authorizationUrl,
		executionMode,
		headers,
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
	simplified: simplifiedAction,
	drafts: true,
	// Which field tells the service that the action is there already is not published: a second one might add another.
	repeat: 'never',
	// It says where data from the calls go, and with which keys: a matter for a person.
	forTools: false,
});
