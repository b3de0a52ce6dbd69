import { concurrently } from '../../../../nodes/VoiceAgentCalling/sending/concurrently.ts';

/** Starts so many tasks, and calls `run` with the number of each. */
function tasks(count: number, run: (task: number) => Promise<void>): () => Promise<void> | undefined {
	let next = 0;
	return () => (next < count ? run(next++) : undefined);
}

describe('Tasks at the same time', () => {
	test('end together, never more at once than the limit allows at that moment', async () => {
		const concurrency = { limit: 2 };
		let [running, most, done] = [0, 0, 0];
		await concurrently(
			concurrency,
			tasks(20, async () => {
				running++;
				most = Math.max(most, running);
				await Promise.resolve();
				expect(running).toBeLessThanOrEqual(concurrency.limit);
				running--;
				concurrency.limit = ++done < 10 ? 2 : 4;
			}),
		);
		expect([done, most]).toEqual([20, 4]);
	});

	test('none starts after one has failed, and its error comes when the others have ended', async () => {
		const ended: number[] = [];
		const all = concurrently(
			{ limit: 3 },
			tasks(30, async (task) => {
				await new Promise((resolve) => setTimeout(resolve, task));
				if (task === 0) {
					throw new Error('The first one failed');
				}
				ended.push(task);
			}),
		);
		await expect(all).rejects.toThrow('The first one failed');
		expect(ended).toEqual([1, 2]);
		await new Promise((resolve) => setTimeout(resolve, 20));
		expect(ended).toEqual([1, 2]);
	});

	test('an error in what starts a task is thrown, and nothing waits for ever', async () => {
		let started = 0;
		const all = concurrently({ limit: 1 }, () => {
			if (started++ === 1) {
				throw new Error('No more');
			}
			return Promise.resolve();
		});
		await expect(all).rejects.toThrow('No more');
	});

	test('without a task, nothing happens', async () => {
		await expect(concurrently({ limit: 5 }, () => undefined)).resolves.toBeUndefined();
	});
});
