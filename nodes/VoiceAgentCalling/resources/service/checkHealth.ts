import { defineOperation } from '../../operation/defineOperation';

export const checkHealth = defineOperation({
	name: 'Check Health',
	value: 'checkHealth',
	action: 'Check service health',
	description: 'Check whether the service is up. This does not check the token.',
	request: () => ({ method: 'GET', path: ['health'] }),
});
