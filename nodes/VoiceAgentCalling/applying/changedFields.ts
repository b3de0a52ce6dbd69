import { isSame, isSet } from '../agentDocument/differences';

type Members = Readonly<Record<string, unknown>>;

/** Whether two lists have the same members, in any order. */
export function isSameSet(left: readonly unknown[], right: readonly unknown[]): boolean {
	const inOrder = (list: readonly unknown[]) => [...new Set(list.map(String))].sort();
	return isSame(inOrder(left), inOrder(right));
}

/**
 * The fields whose value in the document differs from that of the service. A field that one of them lacks is not known,
 * so it does not count.
 */
export function changedFields(wanted: Members, current: Members, fields: readonly string[]): string[] {
	return fields.filter(
		(field) =>
			wanted[field] !== undefined &&
			current[field] !== undefined &&
			// An unset value is null or, where the service keeps no null, an empty text.
			!isSame(wanted[field] ?? '', current[field] ?? ''),
	);
}

/** The fields that the document has and that the service does not return. */
export function unknownFields(wanted: Members, current: Members, fields: readonly string[]): string[] {
	return fields.filter((field) => isSet(wanted[field]) && current[field] === undefined);
}

/** The values of some fields: those of the document, otherwise those of the service; undefined where neither has one. */
export function mergedFields(wanted: Members, current: Members, fields: readonly string[]): Record<string, unknown> {
	return Object.fromEntries(
		fields.map((field) => [field, wanted[field] === undefined ? current[field] : wanted[field]]),
	);
}

/** The members that are set. */
export function setMembers<Values extends Members>(values: Values): Partial<Values> {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => isSet(value))) as Partial<Values>;
}
