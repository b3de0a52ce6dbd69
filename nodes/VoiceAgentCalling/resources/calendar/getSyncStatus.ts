import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';

export const getSyncStatus = defineOperation({
	name: 'Get Sync Status',
	value: 'getSyncStatus',
	action: 'Get calendar sync status',
	description: 'List when each connected calendar was last kept in sync, and whether a sync is running',
	fields: [returnAll],
	request: () => ({ method: 'GET', path: ['calendars', 'sync-status'] }),
	items: (response) => response.data,
});
