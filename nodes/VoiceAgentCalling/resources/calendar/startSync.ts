import { defineOperation } from '../../operation/defineOperation';

export const startSync = defineOperation({
	name: 'Start Sync',
	value: 'startSync',
	action: 'Start calendar sync',
	description: 'Sync all calendars of the environment with their providers, once for all input items',
	oncePerRun: true,
	request: () => ({ method: 'POST', path: ['calendars', 'sync'] }),
	output: (response) => response.data,
	// The service skips calendars that are syncing or up to date.
	repeat: 'safe',
});
