import { locator, sipTrunk } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { refusals } from './fields';

const trunkNumber = locator('phoneNumberId', {
	displayName: 'Number',
	name: 'trunkNumber',
	description: 'The number of the SIP trunk to remove',
	list: 'searchSipTrunkNumbers',
});

export const removeNumber = defineOperation({
	name: 'Remove Number',
	value: 'removeNumber',
	action: 'Remove number from SIP trunk',
	description:
		'Remove a number from a SIP trunk and from the phone numbers of the environment. No active agent may use it.',
	fields: [sipTrunk, trunkNumber],
	request: ({ trunkId, phoneNumberId }) => ({
		method: 'DELETE',
		path: ['sip-trunks', trunkId, 'dids', phoneNumberId],
		...refusals,
	}),
	output: () => ({ deleted: true }),
	forTools: false,
});
