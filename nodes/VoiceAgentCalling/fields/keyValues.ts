import type { INodeProperties } from 'n8n-workflow';

import { defineField, type FieldSource, jsonObject, rowsOf, type Zod } from '../../shared/fields/field';
import { withoutTickets } from '../../shared/nodeLink/ticket';

/** The property for a list of names and values. */
export function pairList(
	displayName: string,
	name: string,
	description: string,
	placeholder = 'Add Value',
): INodeProperties {
	return {
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder,
		default: {},
		description,
		options: [
			{
				displayName: 'Value',
				name: 'values',
				values: [
					{ displayName: 'Name', name: 'name', type: 'string', default: '' },
					{ displayName: 'Value', name: 'value', type: 'string', default: '' },
				],
			},
		],
	};
}

/** The object of a list of names and values; rows without a name are ignored. */
export function fromPairs(list: unknown): Record<string, unknown> {
	const rows = rowsOf(list).filter(({ name }) => String(name ?? '') !== '');
	return Object.fromEntries(rows.map(({ name, value }) => [String(name), value]));
}

/**
 * Accepts an object to send with a call or in a query. An empty one is not sent, and neither are the tickets in an
 * object that was copied from an event: the ticket of another call would continue the execution that awaits that.
 */
export function sentObject(zod: Zod) {
	return jsonObject(zod)
		.optional()
		.transform((value) => withoutTickets(value ?? {}))
		.transform((value) => (Object.keys(value).length > 0 ? value : undefined));
}

/**
 * An object in a collection, entered as a list of names and values or as JSON. The JSON has priority. An empty object
 * is sent too.
 *
 * @param name the start of the names of both parameters
 */
export function addedKeyValues<const Key extends string>(
	key: Key,
	{ displayName, name, description }: { displayName: string; name: string; description: string },
) {
	const usingFields = `${name}Fields`;
	const usingJson = `${name}Json`;
	return defineField({
		key,
		properties: [
			pairList(displayName, usingFields, description),
			{
				displayName: `${displayName} (JSON)`,
				name: usingJson,
				type: 'json',
				default: '{}',
				description: 'The same as a JSON object. If both are added, the JSON is used.',
			},
		],
		read: ({ get }: FieldSource) => get(usingJson) ?? fromPairs(get(usingFields)),
		check: (zod) => jsonObject(zod),
	});
}
