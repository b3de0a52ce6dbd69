import { play, TIME_LIMIT_MS, useProcesses } from './play.mts';
import { executionHistories } from './steps.mts';

useProcesses();

test(
	'nobody is called twice, forgotten, beyond a limit or after a stop, whatever happens in whatever order',
	async () =>
		await play(executionHistories, 35, [
			'execution: canceled',
			'execution: error',
			'execution: success',
			'retry: error',
			'retry: success',
			'place: placed',
			'place: sameNumber',
			'place: unknown',
			'place: failed',
			'place: notTried',
			'place: limitReached',
			'place: tooOften',
			'queueCall: queued',
			'queueCall: alreadyQueued',
			'placeAndWait: placed',
			'queueCallAndWait: queued',
			'tool: placed',
			'tool: unknown',
			'tool: limitReached',
		]),
	TIME_LIMIT_MS,
);
