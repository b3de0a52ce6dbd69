import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until there is an answer; undefined means not yet, and after the time also never. */
export async function waitFor<T>(
	ask: () => Promise<T | undefined>,
	{ seconds, every = 50 }: { seconds: number; every?: number },
): Promise<T | undefined> {
	const end = Date.now() + seconds * 1000;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined || Date.now() > end) {
			return answer;
		}
		await sleep(every);
	}
}

/** Like `waitFor`, but gives up with an error. */
export async function until<T>(
	ask: () => Promise<T | undefined>,
	{ otherwise, ...time }: { seconds: number; every?: number; otherwise: () => Error },
): Promise<T> {
	const answer = await waitFor(ask, time);
	if (answer === undefined) {
		throw otherwise();
	}
	return answer;
}
