import { sipTrunk } from '../../../shared/pickers/locators';
import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';
import { refusals } from './fields';

export const getNumbers = defineOperation({
	name: 'Get Numbers',
	value: 'getNumbers',
	action: 'Get SIP trunk numbers',
	description: 'List the phone numbers that were added to a SIP trunk',
	fields: [sipTrunk, returnAll],
	request: ({ trunkId }) => ({ method: 'GET', path: ['sip-trunks', trunkId, 'dids'], ...refusals }),
	items: (response) => response.data,
});
