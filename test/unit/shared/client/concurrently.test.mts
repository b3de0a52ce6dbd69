import { concurrently } from '../../../../nodes/shared/client/concurrently.ts';

/** Starts so many tasks, and calls `run` with the number of each. */
function tasks(count: number, run: (task: number) => Promise<void>): () => Promise<void> | undefined {
	let next = 0;
	return () => (next < count ? run(next++) : undefined);
}

describe('Tasks at the same time', () => {
	test('end together, never more at once than the limit allows at that moment', async () => {
		const concurrency = { limit: 2 };
		let [running, most, done] = [0, 0, 0];
		const run = async () => {
			most = Math.max(most, ++running);
			await Promise.resolve();
			expect(running--).toBeLessThanOrEqual(concurrency.limit);
			concurrency.limit = ++done < 10 ? 2 : 4;
		};
		await concurrently(concurrency, tasks(20, run));
		expect([done, most]).toEqual([20, 4]);
		await concurrently(
			concurrency,
			tasks(0, async () => undefined),
		);
	});

	test('none starts after one has failed, and its error comes when the others have ended', async () => {
		const ended: number[] = [];
		const run = async (task: number) => {
			await new Promise((resolve) => setTimeout(resolve, task));
			if (task === 0) {
				throw new Error('The first one failed');
			}
			ended.push(task);
		};
		await expect(concurrently({ limit: 3 }, tasks(30, run))).rejects.toThrow('The first one failed');
		expect(ended).toEqual([1, 2]);
	});

	test('an error in what starts a task is thrown, and nothing waits for ever', async () => {
		let started = 0;
		const start = () => {
			if (started++ === 1) {
				throw new Error('No more');
			}
			return Promise.resolve();
		};
		await expect(concurrently({ limit: 1 }, start)).rejects.toThrow('No more');
	});
});
