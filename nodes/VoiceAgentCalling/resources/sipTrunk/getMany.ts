import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';
import { refusals } from './fields';

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many SIP trunks',
	description: 'List many SIP trunks of the environment',
	fields: [returnAll],
	request: () => ({ method: 'GET', path: ['sip-trunks'], ...refusals }),
	items: (response) => response.data,
});
