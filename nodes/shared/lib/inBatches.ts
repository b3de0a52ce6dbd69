/** Handles items, a few at the same time. @returns the results in the order of the items */
export async function inBatches<Item, Result>(
	items: readonly Item[],
	atOnce: number,
	handle: (item: Item) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	for (let start = 0; start < items.length; start += atOnce) {
		results.push(...(await Promise.all(items.slice(start, start + atOnce).map(handle))));
	}
	return results;
}
