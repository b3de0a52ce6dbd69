import type { IDataObject } from 'n8n-workflow';

import { agent } from '../../../shared/pickers/locators';
import { validation, validityIn, validityInError } from '../../flows/validation';
import { defineOperation } from '../../operation/defineOperation';
import { flow } from './fields';

export const validate = defineOperation({
	name: 'Validate',
	value: 'validate',
	action: 'Validate agent flow',
	description:
		'Have the service check a conversation flow for an agent without saving it. If the flow has errors, the item does not fail: valid is false, and errors lists them. Lint finds more, and says what to do.',
	fields: [agent, flow],
	request: ({ agentId, flow_config }) => validation(agentId, flow_config),
	output: (body) => validityIn(body) as IDataObject | undefined,
	recover: (error) => validityInError(error) as IDataObject | undefined,
	// Validation saves nothing.
	repeat: 'safe',
});
