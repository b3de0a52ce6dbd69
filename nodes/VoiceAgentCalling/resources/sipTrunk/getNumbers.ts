import { returnAll } from '../../../shared/fields';
import { sipTrunk } from '../../../shared/locators';
import { defineOperation } from '../../../shared/operation';
import { refusals } from './fields';

export const getNumbers = defineOperation({
	name: 'Get Numbers',
	value: 'getNumbers',
	action: 'Get the numbers of a SIP trunk',
	description: 'List the phone numbers that were added to a SIP trunk',
	fields: [sipTrunk, returnAll],
	request: ({ trunkId }) => ({ method: 'GET', path: ['sip-trunks', trunkId, 'dids'], ...refusals }),
	items: (response) => response.data,
});
