import { isRecord } from '../../shared/lib/isRecord';
import { compareTexts } from './names';

/**
 * What kind of difference it is.
 *
 * - `added`: only the document has it
 * - `removed`: the document lacks it
 * - `changed`: both have it
 * - `fixed`: it differs, and cannot be changed after the creation
 * - `unknown`: the service does not return it, so nobody can say whether it differs
 */
export const changes = ['added', 'removed', 'changed', 'fixed', 'unknown'] as const;

export type Change = (typeof changes)[number];

/** One difference between a document and what the service has. */
export interface Difference {
	/** Where it is in the document, such as `actions.book.url`. */
	path: string;
	change: Change;
	/** The value at the service; absent if it has none, or if it is unknown. */
	from?: unknown;
	/** The value in the document; absent if it has none. A secret is `[hidden]`. */
	to?: unknown;
}

/** Joins keys to a path in a document, such as `actions.book.speak_on_send`. */
export function pathOf(...keys: ReadonlyArray<string | number>): string {
	return keys.join('.');
}

/** Whether a value is set. The service returns null for what is not. */
export function isSet(value: unknown): boolean {
	return value !== undefined && value !== null;
}

/** Whether two values are the same. The order of members does not matter, that of lists does. */
export function isSame(left: unknown, right: unknown): boolean {
	return JSON.stringify(inOrder(left)) === JSON.stringify(inOrder(right));
}

/** A value with the members of its objects in one order. Lists keep theirs. @param compare compares two names */
export function inOrder(value: unknown, compare = compareTexts): unknown {
	if (Array.isArray(value)) {
		return value.map((item) => inOrder(item, compare));
	}
	if (!isRecord(value)) {
		return value;
	}
	const names = Object.keys(value).sort(compare);
	return Object.fromEntries(names.map((name) => [name, inOrder(value[name], compare)]));
}

/** What identifies the members of a list of objects: each has one of its own. */
const IDENTIFIERS = ['id', 'name'];

/** The members of a list by what identifies them; undefined if nothing does. */
function identified(list: readonly unknown[]): Map<string, unknown> | undefined {
	for (const identifier of IDENTIFIERS) {
		const keys = list.map((item) => (isRecord(item) ? item[identifier] : undefined));
		if (keys.every((key) => typeof key === 'string') && new Set(keys).size === keys.length) {
			return new Map(keys.map((key, index) => [key as string, list[index]]));
		}
	}
	return undefined;
}

/**
 * Compares two values, down to the smallest parts that differ. Objects in lists are matched by their `id` or `name`.
 *
 * @param from the value at the service
 * @param to the value in the document
 */
export function differencesOf(path: string, from: unknown, to: unknown): Difference[] {
	if (!isSet(from) && !isSet(to)) {
		return [];
	}
	if (!isSet(from)) {
		return [{ path, change: 'added', to }];
	}
	if (!isSet(to)) {
		return [{ path, change: 'removed', from }];
	}
	if (isSame(from, to)) {
		return [];
	}
	if (isRecord(from) && isRecord(to)) {
		return inMembers(path, new Map(Object.entries(from)), new Map(Object.entries(to)));
	}
	const [before, after] = [from, to].map((value) => (Array.isArray(value) ? identified(value) : undefined));
	if (before === undefined || after === undefined || before.size === 0 || after.size === 0) {
		return [{ path, change: 'changed', from, to }];
	}
	const inItems = inMembers(path, before, after);
	const [oldOrder, newOrder] = [before, after].map((items) => [...items.keys()]);
	const order = oldOrder.filter((key) => after.has(key));
	const isMoved = !isSame(
		order,
		newOrder.filter((key) => before.has(key)),
	);
	return isMoved ? [...inItems, { path, change: 'changed', from: oldOrder, to: newOrder }] : inItems;
}

/** The differences of members: first those of the document in its order, then those that it lacks. */
function inMembers(path: string, from: ReadonlyMap<string, unknown>, to: ReadonlyMap<string, unknown>): Difference[] {
	const keys = new Set([...to.keys(), ...from.keys()]);
	return [...keys].flatMap((key) => differencesOf(pathOf(path, key), from.get(key), to.get(key)));
}

/** Compares lists whose order does not matter. */
export function inSet(path: string, from: unknown, to: unknown): Difference[] {
	const sorted = (list: unknown) => (Array.isArray(list) ? list.map(String).sort(compareTexts) : list);
	return isSame(sorted(from), sorted(to)) ? [] : differencesOf(path, from, to);
}

/** How many differences there are of each kind. */
export function countsOf(differences: readonly Difference[]): Record<Change, number> {
	const count = (change: Change) => differences.filter((difference) => difference.change === change).length;
	return Object.fromEntries(changes.map((change) => [change, count(change)])) as Record<Change, number>;
}
