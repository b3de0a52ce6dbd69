import { isRecord } from '../../../shared/lib/isRecord';
import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { flow } from './fields';

export const validate = defineOperation({
	name: 'Validate',
	value: 'validate',
	action: 'Validate agent flow',
	description:
		'Check a conversation flow for an agent without saving it. If the flow has errors, the item does not fail: valid is false, and errors lists them.',
	fields: [agent, flow],
	request: ({ agentId, flow_config }) => ({
		method: 'POST',
		path: ['agents', agentId, 'flow', 'validate'],
		body: { flow_config },
		codes: { 404: 'AGENT_NOT_FOUND' },
	}),
	output: ({ success, errors }) =>
		success === true || Array.isArray(errors) ? { valid: success === true, errors: errors ?? [] } : undefined,
	// Which HTTP status an invalid flow has is not documented: it may be an error with a list of texts.
	recover: ({ httpStatus, body }) =>
		(httpStatus === 422 || httpStatus === 400) && isRecord(body) && Array.isArray(body.errors)
			? { valid: false, errors: body.errors as string[] }
			: undefined,
	// Validation saves nothing.
	repeat: 'safe',
});
