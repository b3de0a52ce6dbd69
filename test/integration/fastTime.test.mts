import { setTimeout as sleep } from 'node:timers/promises';

import { inFastTime, useService } from './service.mts';

const service = useService();
const now = async () => Date.parse(((await service.control('status')) as { now: string }).now);

test('the clock of what runs in fast time is not set back when other work in fast time ends', async () => {
	const start = await now();
	const seen: number[] = [];
	await inFastTime(async () => {
		await inFastTime(async () => {
			await sleep(120);
			seen.push(await now());
		});
		seen.push(await now());
	});
	expect([seen[0]! - start >= 1000, seen[1]! >= seen[0]!]).toEqual([true, true]);
});
