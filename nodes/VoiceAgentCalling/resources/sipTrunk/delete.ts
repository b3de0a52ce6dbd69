import { sipTrunk } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { refusals } from './fields';

export const deleteTrunk = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete SIP trunk',
	description: 'Permanently delete a SIP trunk. It must have no numbers and no active calls.',
	fields: [sipTrunk],
	request: ({ trunkId }) => ({ method: 'DELETE', path: ['sip-trunks', trunkId], ...refusals }),
	output: () => ({ deleted: true }),
	forTools: false,
});
