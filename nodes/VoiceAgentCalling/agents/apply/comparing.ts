import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../shared/lib/json';
import type { AgentField } from '../document/agentFields';
import { isSame, isSet } from '../document/differences';

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
