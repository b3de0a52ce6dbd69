import { defineOperation } from '../../operation/defineOperation';

export const checkHealth = defineOperation({
	name: 'Check Health',
	value: 'checkHealth',
	action: 'Check service health',
	description: 'Ask the service if it is up. This does not check the token.',
	request: () => ({ method: 'GET', path: ['health'] }),
});
