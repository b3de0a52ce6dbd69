import { defineOperation } from '../../operation/defineOperation';

export const checkHealth = defineOperation({
	name: 'Check Health',
	value: 'checkHealth',
	action: 'Check the health of the service',
	description: 'Ask the service if it is up. This does not check the token.',
	request: () => ({ method: 'GET', path: ['health'] }),
});
