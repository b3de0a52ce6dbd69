import { isRecord } from '../../../shared/lib/json';
import { ACTION_REFERENCE } from './agentFields';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The place of a value: its path as names and indexes. */
type Place = ReadonlyArray<string | number>;

/** Replaces parts of a value, the outermost first. @param replace returns undefined to keep a part */
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
 * Replaces the IDs of actions in a flow by references. The documentation does not define which field of a node contains an
 * ID, so every text that equals an ID is replaced. An ID that is not a UUID may equal ordinary text, so it is replaced only
 * in a field whose name contains "action".
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
interface ActionReference {
	/** The place in the flow, such as `nodes.2.action_id`. */
	path: string;
	/** The key of the action. */
	key: string;
}

/** Returns the key in a reference; undefined for anything else. */
function keyIn(part: unknown): string | undefined {
	const key = isRecord(part) && Object.keys(part).length === 1 ? part[ACTION_REFERENCE] : undefined;
	return typeof key === 'string' ? key : undefined;
}

/**
 * Replaces the references in a flow of a document by IDs. References to unknown actions remain unchanged.
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
