import { defineOperation } from '../../operation/defineOperation';
import { optionalSettings, refusals, requiredSettings } from './fields';

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create SIP trunk',
	description:
		'Connect a carrier of your own. A new trunk is not verified: verify it, then set it active. Only on plans with custom SIP trunks.',
	fields: requiredSettings,
	options: optionalSettings,
	request: (body) => ({ method: 'POST', path: ['sip-trunks'], body, ...refusals }),
	output: (response) => response.data,
	forTools: false,
});
