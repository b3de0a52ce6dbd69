import { defineOperation } from '../../operation/defineOperation';
import { optionalSettings, refusals, requiredSettings } from './fields';

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create SIP trunk',
	description:
		'Connect your own carrier. Verify a new trunk before you activate it. Requires a plan with custom SIP trunks.',
	fields: requiredSettings,
	options: optionalSettings,
	request: (body) => ({ method: 'POST', path: ['sip-trunks'], body, ...refusals }),
	output: (response) => response.data,
	forTools: false,
});
