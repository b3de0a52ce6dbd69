import { isRecord } from '../../../shared/lib/json';
import { ACTION_REFERENCE } from './agentFields';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Where a value is: the names and indexes that lead to it. */
type Place = ReadonlyArray<string | number>;

/** A value in which parts are replaced, from the outside; `replace` returns undefined for a part that stays. */
export function replaceParts(
	value: unknown,
	replace: (part: unknown, place: Place) => unknown,
	place: Place = [],
): unknown {
	const replacement = replace(value, place);
	if (replacement !== undefined) {
		return replacement;
	}
	if (Array.isArray(value)) {
		return value.map((item, index) => replaceParts(item, replace, [...place, index]));
	}
	if (!isRecord(value)) {
		return value;
	}
	const members = Object.entries(value).map(([name, member]) => [
		name,
		replaceParts(member, replace, [...place, name]),
	]);
	return Object.fromEntries(members);
}

/**
 * Replaces the IDs of actions in a flow by references. Which field of a node holds an ID is not documented: every text
 * that equals an ID counts. An ID that is not a UUID may equal ordinary text, so it counts only where the field's name
 * has "action" in it.
 *
 * @param keys the keys of the actions, by ID
 */
export function withReferences(flow: unknown, keys: ReadonlyMap<string, string>): unknown {
	return replaceParts(flow, (part, place) => {
		const key = typeof part === 'string' ? keys.get(part) : undefined;
		const field = place.findLast((each) => typeof each === 'string');
		const isId = key !== undefined && (UUID.test(part as string) || /action/i.test(String(field)));
		return isId ? { [ACTION_REFERENCE]: key } : undefined;
	});
}

/** A reference to an action in the flow of a document. */
export interface ActionReference {
	/** Where it is in the flow, such as `nodes.2.action_id`. */
	path: string;
	/** The key of the action. */
	key: string;
}

/** The key in a reference; undefined for anything else. */
function keyIn(part: unknown): string | undefined {
	const key = isRecord(part) && Object.keys(part).length === 1 ? part[ACTION_REFERENCE] : undefined;
	return typeof key === 'string' ? key : undefined;
}

/**
 * Replaces the references in a flow of a document by IDs. One whose action has no ID stays as it is.
 *
 * @param ids the IDs of the actions, by key
 * @returns the flow, and every reference in it
 */
export function withIds(
	flow: unknown,
	ids: ReadonlyMap<string, string>,
): { flow: unknown; references: ActionReference[] } {
	const references: ActionReference[] = [];
	const result = replaceParts(flow, (part, place) => {
		const key = keyIn(part);
		if (key === undefined) {
			return undefined;
		}
		references.push({ path: place.join('.'), key });
		return ids.get(key) ?? part;
	});
	return { flow: result, references };
}
