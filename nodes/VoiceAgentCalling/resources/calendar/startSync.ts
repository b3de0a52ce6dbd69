import { defineOperation } from '../../operation/defineOperation';

export const startSync = defineOperation({
	name: 'Start Sync',
	value: 'startSync',
	action: 'Start calendar sync',
	description:
		'Start the sync of all calendars of the environment with their providers. Runs once for all input items. Get Sync Status shows when the sync has ended.',
	oncePerRun: true,
	request: () => ({ method: 'POST', path: ['calendars', 'sync'] }),
	output: (response) => response.data,
	// The service skips calendars that are syncing or up to date.
	repeat: 'safe',
});
