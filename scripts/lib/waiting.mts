import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls until `poll` returns something other than undefined.
 *
 * @param every pause between polls, in milliseconds
 * @returns what `poll` returned, or undefined after a timeout of `seconds`
 */
export async function waitFor<T>(
	poll: () => Promise<T | undefined>,
	{ seconds, every = 50 }: { seconds: number; every?: number },
): Promise<T | undefined> {
	const end = Date.now() + seconds * 1000;
	for (;;) {
		const result = await poll();
		if (result !== undefined || Date.now() > end) {
			return result;
		}
		await sleep(every);
	}
}

/** Like {@link waitFor}, but throws the error of `otherwise` after the timeout. */
export async function until<T>(
	poll: () => Promise<T | undefined>,
	{ otherwise, ...time }: { seconds: number; every?: number; otherwise: () => Error },
): Promise<T> {
	const result = await waitFor(poll, time);
	if (result === undefined) {
		throw otherwise();
	}
	return result;
}
