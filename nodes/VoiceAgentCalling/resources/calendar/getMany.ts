import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many calendars',
	description:
		'List many calendars of the environment. The service lists 100 at most and has no further pages: Return All cannot reach more than these.',
	fields: [returnAll],
	request: () => ({ method: 'GET', path: ['calendars'] }),
	items: (response) => response.data,
});
