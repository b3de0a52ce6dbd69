import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../shared/lib/json';
import type { AgentField } from './agentFields';
import { compareTexts } from './names';

/** One difference between a document and the agent at the service. */
export interface Difference {
	/** The place in the document, such as `actions.book.url`. */
	path: string;
	/** The value at the service; absent if it is not set. */
	from?: unknown;
	/** The value in the document; absent if it is not set. A secret is `[hidden]`. */
	to?: unknown;
}

/** Joins keys to a path in a document, such as `actions.book.speak_on_send`. */
export function pathOf(...keys: ReadonlyArray<string | number>): string {
	return keys.join('.');
}

/** Whether a value is set. For a field that is not set, the service returns null. */
export function isSet(value: unknown): boolean {
	return value !== undefined && value !== null;
}

/** Whether two values are equal. The order of list items matters, the order of object members does not. */
export function isSame(left: unknown, right: unknown): boolean {
	return JSON.stringify(inOrder(left)) === JSON.stringify(inOrder(right));
}

/** Sorts the members of all objects in a value. Lists keep their order. @param compare compares two names */
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

/** Fields that can identify an object in a list, if their values are unique. */
const IDENTIFIERS = ['id', 'name'];

/** Returns the items of a list by their identifier; undefined if they lack a unique one. */
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
 * Compares two values and returns the smallest parts that differ. Objects in lists are matched by their `id` or `name`.
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

/** Returns the differences of members: in the order of the document, followed by members that it lacks. */
function inMembers(path: string, from: ReadonlyMap<string, unknown>, to: ReadonlyMap<string, unknown>): Difference[] {
	const keys = new Set([...to.keys(), ...from.keys()]);
	return [...keys].flatMap((key) => differencesOf(pathOf(path, key), from.get(key), to.get(key)));
}

/** Fields with their names, as returned by `fieldsOf`. */
type Fields = ReadonlyArray<readonly [name: string, field: AgentField]>;

type Values = Readonly<Record<string, unknown>>;

/** The result of comparing the fields of a document with the service. Fields that the document omits do not count. */
interface Comparison {
	/** The names of fields that differ. */
	changed: string[];
	/** The names of fields that the document has and the service does not return. */
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
 * Returns a value in the form in which it is compared. Null, an empty text and an empty list count as not set, the order of
 * some lists does not matter, and inputs of actions get the defaults that the service returns.
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

/** Adds the defaults that the service returns to the inputs of an action. Other values are returned unchanged. */
export function completed(value: unknown): unknown {
	const isInput = (item: unknown): item is Values => isRecord(item) && 'type' in item;
	return Array.isArray(value)
		? value.map((item) =>
				isInput(item) ? { ...item, required: item.required ?? false, description: item.description ?? '' } : item,
			)
		: value;
}

/** Returns the values of fields that are set: the value of the document, or else the value of the service. */
export function mergedValues(fields: Fields, wanted: Values, now: Values): IDataObject {
	const values = fields.map(([name]) => [name, wanted[name] === undefined ? now[name] : wanted[name]] as const);
	return Object.fromEntries(values.filter(([, value]) => isSet(value))) as IDataObject;
}
