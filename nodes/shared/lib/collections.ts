/**
 * Groups items by a key, in their order.
 *
 * @param keyOf returns the key of an item; items with the key undefined are left out
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

/** Handles items in batches of a few at a time. @returns the results in the order of the items */
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

/**
 * Runs tasks with the same key one after another.
 *
 * @param lastByKey for each key, a promise that resolves when its last task has ended
 * @param waitFor waits for the earlier task
 */
export async function inTurn<Value>(
	lastByKey: Map<string, Promise<unknown>>,
	key: string,
	task: () => Promise<Value>,
	waitFor = (earlier: Promise<unknown>) => earlier,
): Promise<Value> {
	const earlier = lastByKey.get(key);
	const result = earlier ? waitFor(earlier).then(task) : task();
	const deleteKey = () => {
		if (lastByKey.get(key) === ended) {
			lastByKey.delete(key);
		}
	};
	const ended = result.then(deleteKey, deleteKey);
	lastByKey.set(key, ended);
	return await result;
}

/** A map with a maximum number of entries, by default 10,000. Beyond it, a new key replaces the oldest entry. */
export class BoundedMap<Value> {
	private readonly values = new Map<string, Value>();
	private readonly most: number;

	constructor(most = 10_000) {
		this.most = most;
	}

	get(key: string): Value | undefined {
		return this.values.get(key);
	}

	has(key: string): boolean {
		return this.values.has(key);
	}

	/** Sets a value and makes it the newest entry. */
	set(key: string, value: Value): void {
		this.values.delete(key);
		this.values.set(key, value);
		if (this.values.size > this.most) {
			const [oldest] = this.values.keys();
			this.values.delete(oldest);
		}
	}

	delete(key: string): void {
		this.values.delete(key);
	}
}

/** Sorts by display name, without `localeCompare`, whose tables take longer to load than the node. */
export function sorted<Entry extends { name: string; displayName?: string }>(entries: Entry[]): Entry[] {
	const label = ({ displayName, name }: Entry) => (displayName ?? name).toLowerCase();
	return [...entries].sort((left, right) => (label(left) < label(right) ? -1 : 1));
}
