import { sipTrunk } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { changeableSettings, refusals } from './fields';

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update SIP trunk',
	description:
		'Change a SIP trunk; only what is added is changed. Another domain, transport or login takes the verification away: verify it again before you set it active.',
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
