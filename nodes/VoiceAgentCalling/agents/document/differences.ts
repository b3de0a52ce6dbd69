import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../shared/lib/json';
import type { AgentField } from './agentFields';
import { compareTexts } from './names';

/** One difference between a document and what the service has. */
export interface Difference {
	/** Where it is in the document, such as `actions.book.url`. */
	path: string;
	/** The value at the service; absent if it has none. */
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
		return [{ path, to }];
	}
	if (!isSet(to)) {
		return [{ path, from }];
	}
	if (isSame(from, to)) {
		return [];
	}
	if (isRecord(from) && isRecord(to)) {
		return inMembers(path, new Map(Object.entries(from)), new Map(Object.entries(to)));
	}
	const [before, after] = [from, to].map((value) => (Array.isArray(value) ? identified(value) : undefined));
	if (before === undefined || after === undefined || before.size === 0 || after.size === 0) {
		return [{ path, from, to }];
	}
	const inItems = inMembers(path, before, after);
	const [oldOrder, newOrder] = [before, after].map((items) => [...items.keys()]);
	const order = oldOrder.filter((key) => after.has(key));
	const isMoved = !isSame(
		order,
		newOrder.filter((key) => before.has(key)),
	);
	return isMoved ? [...inItems, { path, from: oldOrder, to: newOrder }] : inItems;
}

/** The differences of members: first those of the document in its order, then those that it lacks. */
function inMembers(path: string, from: ReadonlyMap<string, unknown>, to: ReadonlyMap<string, unknown>): Difference[] {
	const keys = new Set([...to.keys(), ...from.keys()]);
	return [...keys].flatMap((key) => differencesOf(pathOf(path, key), from.get(key), to.get(key)));
}

/** Fields by their names, as `fieldsOf` has them. */
type Fields = ReadonlyArray<readonly [name: string, field: AgentField]>;

type Values = Readonly<Record<string, unknown>>;

/** How the fields of a document relate to what the service has. What the document leaves out stays as it is. */
interface Comparison {
	/** The names of those that differ. */
	changed: string[];
	/** The names of those that the document has and the service does not return. */
	unknown: string[];
}

/** Compares the values of some fields. */
export function compareFields(fields: Fields, wanted: Values, now: Values): Comparison {
	const stated = fields.filter(([name]) => wanted[name] !== undefined);
	const isKnown = ([name, { isReadable }]: Fields[number]) => isReadable && now[name] !== undefined;
	const differs = ([name, field]: Fields[number]) =>
		!isSame(comparable(field, wanted[name]), comparable(field, now[name]));
	return {
		changed: stated.filter((each) => isKnown(each) && differs(each)).map(([name]) => name),
		unknown: stated.filter((each) => !isKnown(each) && isSet(wanted[each[0]])).map(([name]) => name),
	};
}

/**
 * A value in the form in which it is compared: what is not set is null, an empty text or an empty list, the order of some
 * lists does not matter, and inputs of actions have the defaults that the service returns.
 */
function comparable({ isUnordered }: AgentField, value: unknown): unknown {
	if (!isSet(value) || value === '' || (Array.isArray(value) && value.length === 0)) {
		return '';
	}
	if (Array.isArray(value) && isUnordered) {
		return [...new Set(value.map(String))].sort();
	}
	return completed(value);
}

/** A value as the service returns it: inputs of an action have defaults. */
export function completed(value: unknown): unknown {
	const isInput = (item: unknown): item is Values => isRecord(item) && 'type' in item;
	return Array.isArray(value)
		? value.map((item) =>
				isInput(item) ? { ...item, required: item.required ?? false, description: item.description ?? '' } : item,
			)
		: value;
}

/** The values of some fields: those of the document, otherwise those of the service; without what is not set. */
export function mergedValues(fields: Fields, wanted: Values, now: Values): IDataObject {
	const values = fields.map(([name]) => [name, wanted[name] === undefined ? now[name] : wanted[name]] as const);
	return Object.fromEntries(values.filter(([, value]) => isSet(value))) as IDataObject;
}
