/**
 * Formats item indexes in ascending order: "0-4, 7" for 0, 1, 2, 3, 4, 7.
 *
 * @param max the maximum number of ranges; the number of the other items is added: "0-4, 7 and 12 more"
 */
export function itemRanges(indexes: readonly number[], max = Number.POSITIVE_INFINITY): string {
	const parts: Array<[number, number]> = [];
	for (const index of indexes) {
		const last = parts.at(-1);
		if (last && last[1] === index - 1) {
			last[1] = index;
		} else {
			parts.push([index, index]);
		}
	}
	const shown = parts.slice(0, max);
	const remaining = parts.slice(max).reduce((count, [from, to]) => count + to - from + 1, 0);
	const text = shown.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
	return remaining > 0 ? `${text} and ${remaining} more` : text;
}
