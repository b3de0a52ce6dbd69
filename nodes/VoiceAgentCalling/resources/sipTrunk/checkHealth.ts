import { sipTrunk } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { refusals } from './fields';

export const checkHealth = defineOperation({
	name: 'Check Health',
	value: 'checkHealth',
	action: 'Check SIP trunk health',
	description: 'Check whether the carrier responds now. The service caches the result for a short time.',
	fields: [sipTrunk],
	request: ({ trunkId }) => ({ method: 'GET', path: ['sip-trunks', trunkId, 'health'], ...refusals }),
	output: (response) => response.data,
});
