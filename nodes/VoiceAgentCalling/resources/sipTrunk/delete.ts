import { sipTrunk } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { refusals } from './fields';

export const deleteTrunk = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete SIP trunk',
	description: 'Remove a SIP trunk for good. It must have no numbers and no active calls: remove its numbers first.',
	fields: [sipTrunk],
	request: ({ trunkId }) => ({ method: 'DELETE', path: ['sip-trunks', trunkId], ...refusals }),
	output: () => ({ deleted: true }),
	forTools: false,
});
