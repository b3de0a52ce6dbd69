import { sleep } from 'n8n-workflow';

/** A timer cannot be stopped with what n8n offers, so a long wait is made of short ones, in milliseconds. */
const STEP_MS = 250;

/**
 * Waits for work, but not longer than a time. The work goes on after that.
 *
 * @param ms in milliseconds
 * @returns whether the work has ended in time
 * @throws what the work throws in that time
 */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
	const ended = work.then(() => true);
	const until = performance.now() + ms;
	for (let left = ms; left > 0; left = until - performance.now()) {
		if (await Promise.race([ended, sleep(Math.min(left, STEP_MS)).then(() => false)])) {
			return true;
		}
	}
	return false;
}
