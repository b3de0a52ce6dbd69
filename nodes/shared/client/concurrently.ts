/**
 * Runs tasks concurrently, and resolves when all of them have ended.
 *
 * @param concurrency how many tasks may run at a time; the limit may change during the run
 * @param start starts the next task; returns undefined after the last one
 * @throws the error of the first failed task, after the running tasks have ended; no further task is started
 */
export async function concurrently(
	concurrency: { readonly limit: number },
	start: () => Promise<void> | undefined,
): Promise<void> {
	let running = 0;
	let failure: { error: unknown } | undefined;
	await new Promise<void>((resolve, reject) => {
		const run = async (task: Promise<void>) => {
			running++;
			try {
				await task;
			} catch (error) {
				failure ??= { error };
			}
			running--;
			fill();
		};
		const fill = () => {
			try {
				while (failure === undefined && running < concurrency.limit) {
					const task = start();
					if (task === undefined) {
						break;
					}
					void run(task);
				}
			} catch (error) {
				failure = { error };
			}
			if (running > 0) {
				return;
			}
			if (failure === undefined) {
				resolve();
			} else {
				reject(failure.error);
			}
		};
		fill();
	});
}
