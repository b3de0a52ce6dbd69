/** What became of an item, as the error that ends a run reports it. */
export type Reported = 'done' | 'unknown' | 'failed' | 'notTried';

const labels: Record<string, Reported> = {
	'Calls placed': 'done',
	'Calls queued': 'done',
	Done: 'done',
	'Outcome unknown': 'unknown',
	Errors: 'failed',
	'Not tried': 'notTried',
};

/**
 * Reads the results of all items in the description of the error that ended a run. Where it says that nothing was done,
 * it leaves out the items that were not tried.
 *
 * @returns the results of each item; exactly one if all is well
 */
export function reportedResults(description: string, items: number): Reported[][] {
	const results: Reported[][] = Array.from({ length: items }, () => []);
	const lists = new RegExp(`(${Object.keys(labels).join('|')}): items? ([\\d, -]+)\\.`, 'g');
	for (const [, label = '', list = ''] of description.matchAll(lists)) {
		for (const range of list.split(', ')) {
			const [from = 0, to = from] = range.split('-').map(Number);
			for (let item = from; item <= to; item++) {
				results[item]?.push(labels[label] as Reported);
			}
		}
	}
	const nothingDone = /No calls were (placed|queued)\.|Nothing was done\./.test(description);
	return results.map((own) => (nothingDone && own.length === 0 ? ['notTried'] : own));
}
