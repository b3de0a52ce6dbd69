import { defineOperation } from '../../operation/defineOperation';
import { webhookPath } from '../webhookOperations/kind';
import { kind } from './kind';

export const sendTest = defineOperation({
	name: 'Test',
	value: 'test',
	action: 'Test campaign webhook',
	description:
		'Have the service send one test event to a campaign webhook. The result is not awaited: Get Deliveries shows it.',
	fields: [kind.owner, kind.webhook],
	request: (input) => ({ method: 'POST', path: [...webhookPath(kind, input), 'test'] }),
	output: ({ success, message }) => (success === true ? { dispatched: true, message } : undefined),
});
