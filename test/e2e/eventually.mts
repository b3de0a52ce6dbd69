import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../../scripts/lib/process.mts';

/** How long a page may take to show something, on a busy machine too. */
export const patienceMs = 120_000;

/** Repeats an expectation until it holds; throws its last error when the time is up. */
export async function eventually(expectation: () => Promise<void>): Promise<void> {
	const end = Date.now() + patienceMs;
	for (;;) {
		try {
			return await expectation();
		} catch (error) {
			if (Date.now() > end) {
				throw error;
			}
		}
		await sleep(100);
	}
}

/** Asks until the answer is neither undefined nor false; gives it. @param what is waited for, as the error says */
export async function comes<T>(ask: () => Promise<T | undefined | false>, what: string, seconds = 30): Promise<T> {
	const otherwise = () => new Error(`This did not come: ${what}`);
	return await until(async () => (await ask()) || undefined, { seconds, otherwise });
}
