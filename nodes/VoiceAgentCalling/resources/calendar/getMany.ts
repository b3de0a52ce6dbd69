import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many calendars',
	description: 'List many calendars of the environment. The service lists at most 100.',
	fields: [returnAll],
	request: () => ({ method: 'GET', path: ['calendars'] }),
	items: (response) => response.data,
});
