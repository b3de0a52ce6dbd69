import { sipTrunk } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { refusals } from './fields';

export const checkHealth = defineOperation({
	name: 'Check Health',
	value: 'checkHealth',
	action: 'Check SIP trunk health',
	description:
		'Look if the carrier answers at this moment. It leaves the verification as it is, and the service keeps the finding for a short while.',
	fields: [sipTrunk],
	request: ({ trunkId }) => ({ method: 'GET', path: ['sip-trunks', trunkId, 'health'], ...refusals }),
	output: (response) => response.data,
});
