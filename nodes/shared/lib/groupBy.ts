/**
 * Groups items by a key, in their order.
 *
 * @param keyOf the key of an item; an item with the key undefined is left out
 */
export function groupBy<Item, Key>(
	items: Iterable<Item>,
	keyOf: (item: Item) => Key | undefined,
): Map<Key, [Item, ...Item[]]> {
	const groups = new Map<Key, [Item, ...Item[]]>();
	for (const item of items) {
		const key = keyOf(item);
		if (key === undefined) {
			continue;
		}
		const group = groups.get(key);
		if (group) {
			group.push(item);
		} else {
			groups.set(key, [item]);
		}
	}
	return groups;
}
