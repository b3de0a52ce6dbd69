import type { INodeProperties } from 'n8n-workflow';

import { defineField, type FieldSource, jsonObject, rowsOf } from '../../shared/fields/field';

/** Names and values, as n8n's editor asks for them one by one. */
function pairList(displayName: string, name: string, description: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Value',
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

/** The object that names and values make. */
function fromPairs(list: unknown): Record<string, unknown> {
	const named = rowsOf(list).filter(({ name }) => String(name ?? '') !== '');
	return Object.fromEntries(named.map(({ name, value }) => [String(name), value]));
}

/** An object that is given as a list of keys and values or as JSON. */
export function keyValues<const Key extends string>(
	key: Key,
	{ displayName, description }: { displayName: string; description: string },
) {
	const specify = `specify${displayName}`;
	const usingFields = `${key}Fields`;
	const usingJson = `${key}Json`;
	const specifyDescription = `Whether to enter the ${key} value by value or as one JSON object`;
	return defineField({
		key,
		properties: [
			{
				displayName: `Specify ${displayName}`,
				name: specify,
				type: 'options',
				options: [
					{ name: 'Using Fields Below', value: 'keypair' },
					{ name: 'Using JSON', value: 'json' },
				],
				default: 'keypair',
				description: specifyDescription,
			},
			{
				...pairList(displayName, usingFields, description),
				displayOptions: { show: { [specify]: ['keypair'] } },
			},
			{
				displayName: `${displayName} (JSON)`,
				name: usingJson,
				type: 'json',
				default: '{}',
				description,
				displayOptions: { show: { [specify]: ['json'] } },
			},
		],
		read: ({ get }: FieldSource) => (get(specify) === 'json' ? get(usingJson) : fromPairs(get(usingFields))),
		check: (zod) =>
			jsonObject(zod)
				.optional()
				// An empty object says nothing: it is left out of the request.
				.transform((value) => (value && Object.keys(value).length > 0 ? value : undefined)),
	});
}

/**
 * The same for a collection, where either form can be added: the JSON counts where both are. What was
 * added is sent even if it is empty.
 */
export function addedKeyValues<const Key extends string>(
	key: Key,
	{ displayName, description }: { displayName: string; description: string },
) {
	const usingFields = `${key}Fields`;
	const usingJson = `${key}Json`;
	return defineField({
		key,
		properties: [
			pairList(displayName, usingFields, description),
			{
				displayName: `${displayName} (JSON)`,
				name: usingJson,
				type: 'json',
				default: '{}',
				description: 'The same as one JSON object. Where both are added, this one counts.',
			},
		],
		read: ({ get }: FieldSource) => get(usingJson) ?? fromPairs(get(usingFields)),
		check: (zod) => jsonObject(zod),
	});
}
