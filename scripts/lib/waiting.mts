import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until there is an answer; undefined means not yet. Gives up with the given text. */
export async function until<T>(
	ask: () => Promise<T | undefined>,
	{ seconds, every = 250, otherwise }: { seconds: number; every?: number; otherwise: () => Error },
): Promise<T> {
	const end = Date.now() + seconds * 1000;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > end) throw otherwise();
		await sleep(every);
	}
}
