import { webhooksPath } from '../../../shared/owner';
import { defineOperation } from '../../operation/defineOperation';
import { webhook, webhookOutputs } from './fields';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get webhook',
	description:
		'Get a webhook. The service does not return the signing secret, the extra headers and the delivery method.',
	fields: webhook,
	request: ({ webhookId, ...owner }) => ({ method: 'GET', path: webhooksPath(owner, webhookId) }),
	output: (response) => response.data,
	outputs: webhookOutputs,
});
