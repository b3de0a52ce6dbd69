import { defineOperation } from '../../operation/defineOperation';
import { webhookPath } from '../webhookOperations/kind';
import { kind } from './kind';

export const sendTest = defineOperation({
	name: 'Test',
	value: 'test',
	action: 'Test campaign webhook',
	description:
		'Let the service send one made-up event to a campaign webhook. It does not wait for what comes of it: Get Deliveries tells.',
	fields: [kind.owner, kind.webhook],
	request: (input) => ({ method: 'POST', path: [...webhookPath(kind, input), 'test'] }),
	output: ({ success, message }) => (success === true ? { dispatched: true, message } : undefined),
});
