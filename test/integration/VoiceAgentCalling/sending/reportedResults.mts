/** What happened to an item, as the error that ends a run reports it. */
export type Reported =
	| 'done'
	| 'unknown'
	| 'failed'
	| 'notTried'
	| 'sameNumber'
	| 'alreadyQueued'
	| 'limitReached'
	| 'tooOften';

/** A list of rows of a spreadsheet, after a text. */
const after = (text: string) => new RegExp(`${text} \\(sheet rows? ([\\d, -]+)(?: and \\d+ more)?\\)`, 'g');

/** The lists of rows in the text, with what stands before or around each. The first that matches counts. */
const lists: Array<[RegExp, Reported]> = [
	[/(?:Calls placed|Calls queued|Done): sheet rows? ([\d, -]+)\./g, 'done'],
	[after('with an unknown outcome'), 'unknown'],
	[after('(?:not tried|with a number that may be ringing already|the first \\d phones only)'), 'notTried'],
	[after('number of an earlier item'), 'sameNumber'],
	[after('in the campaign already(?:, maybe a test call)?'), 'alreadyQueued'],
	[after('beyond a limit'), 'limitReached'],
	[after('called too often'), 'tooOften'],
	[after(''), 'failed'],
];

/**
 * Reads the results of all items in the description of the error that ended a run. Where it says that nothing was done,
 * it leaves out the items that were not tried; of a long list it names only the first of them.
 *
 * @returns the results of each item; exactly one if all is well
 */
export function reportedResults(description: string, items: number): Reported[][] {
	const results: Reported[][] = Array.from({ length: items }, () => []);
	let text = description;
	for (const [pattern, result] of lists) {
		text = text.replace(pattern, (_all, list: string) => {
			for (const range of list.split(', ')) {
				const [from = 0, to = from] = range.split('-').map(Number);
				for (let row = from; row <= to; row++) {
					results[row - 2]?.push(result);
				}
			}
			return '';
		});
	}
	const leavesOut = /No calls were (placed|queued)\.|Nothing was done\.| more\)/.test(description);
	return results.map((own) => (leavesOut && own.length === 0 ? ['notTried'] : own));
}
