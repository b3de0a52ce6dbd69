import { play, TIME_LIMIT_MS, useProcesses } from './play.mts';
import { triggerHistories } from './steps.mts';

useProcesses();

test(
	'no event is lost, doubled or forged, and nobody is called twice or forgotten, whatever happens in whatever order',
	async () =>
		await play(triggerHistories, 35, [
			'execution: waiting',
			'delivered: 200',
			'delivered: 500',
			'forged: 401',
			'rotate: true',
			'rotate: failed',
		]),
	TIME_LIMIT_MS,
);
