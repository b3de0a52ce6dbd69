/**
 * Runs tasks at the same time.
 *
 * @param concurrency how many may run; the number may change meanwhile
 * @param start starts the next task; returns undefined if there is none
 * @returns when all of them have ended
 * @throws the error of the first task that failed, when those that were running have ended; no other starts after it
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
