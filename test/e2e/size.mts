/** Whether `npm run test:e2e -- scale` runs. `npm run test:e2e` runs the same tests with fewer events and contacts. */
const isFullSize = process.env.TEST_TIER === 'scale';

/** The size of a test: a small one in each CI run, the full one in `npm run test:e2e -- scale`. */
export function size({ small, full }: { small: number; full: number }): number {
	return isFullSize ? full : small;
}

/** A number as text, such as 20,000. */
export function inWords(number: number): string {
	return number.toLocaleString('en-US');
}
