import { sipTrunk } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { changeableSettings, refusals } from './fields';

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update SIP trunk',
	description: 'Change a SIP trunk. After a new domain, transport or login, verify it again before you activate it.',
	fields: [sipTrunk],
	updates: changeableSettings,
	request: ({ trunkId, ...body }) => ({
		method: 'PUT',
		path: ['sip-trunks', trunkId],
		body,
		...refusals,
	}),
	output: (response) => response.data,
	forTools: false,
});
