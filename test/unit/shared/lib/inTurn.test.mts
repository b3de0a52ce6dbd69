import { setTimeout as sleep } from 'node:timers/promises';

import { inTurn } from '../../../../nodes/shared/lib/collections.ts';

test('Tasks with the same key run one after another, also after a failure; tasks with other keys do not wait', async () => {
	const lastByKey = new Map<string, Promise<unknown>>();
	const log: string[] = [];
	const task =
		(name: string, ms: number, fails = false) =>
		async () => {
			log.push(`${name} starts`);
			await sleep(ms);
			log.push(`${name} ends`);
			if (fails) {
				throw new Error(name);
			}
			return name;
		};
	const results = await Promise.allSettled([
		inTurn(lastByKey, 'x', task('first', 30, true)),
		inTurn(lastByKey, 'x', task('second', 0)),
		inTurn(lastByKey, 'y', task('other', 0)),
	]);
	expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
	expect(log).toEqual(['first starts', 'other starts', 'other ends', 'first ends', 'second starts', 'second ends']);
	expect(lastByKey.size).toBe(0);
});

test('A task can wait for less than the end of the earlier one', async () => {
	const lastByKey = new Map<string, Promise<unknown>>();
	const never = new Promise<never>(() => {});
	void inTurn(lastByKey, 'x', () => never);
	expect(
		await inTurn(
			lastByKey,
			'x',
			async () => 'done',
			async () => undefined,
		),
	).toBe('done');
});
