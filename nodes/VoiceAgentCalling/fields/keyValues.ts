import type { INodeProperties } from 'n8n-workflow';

import { invalid } from '../../shared/errors/serviceError';
import { defineField, type FieldSource, jsonObject, rowsOf, type Zod } from '../../shared/fields/field';
import { isBlank, isRecord } from '../../shared/lib/json';
import { withoutResumeTokens } from '../../shared/triggerSecrets/resumeToken';

/** Makes the property for a list of names and values. */
function pairList(displayName: string, name: string, description: string, placeholder = 'Add Value'): INodeProperties {
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

/** Whether a row of a list has a name and a value, and nothing else. */
const isPair = (row: unknown): row is { name: unknown; value?: unknown } =>
	isRecord(row) && Object.keys(row).every((member) => member === 'name' || member === 'value');

/**
 * Converts a list of names and values to an object. Empty rows are ignored.
 *
 * @throws ServiceError `INVALID_INPUT` for a value without a name, for two values with the same name, and for an
 * expression without a value, which JSON would omit
 */
function fromPairs(list: unknown, displayName: string): Record<string, unknown> {
	const rows = rowsOf(list);
	if (!Array.isArray(rows) || !rows.every(isPair)) {
		throw invalid(
			`'${displayName}' is not a list of names and values`,
			`Enter them one by one, or give the object in '${displayName} (JSON)'.`,
		);
	}
	const filled = rows.filter(({ name, value }) => !isBlank(name) || !isBlank(value));
	const names = filled.map(({ name }) => (typeof name === 'number' ? String(name) : name));
	for (const [index, name] of names.entries()) {
		if (typeof name !== 'string' || isBlank(name)) {
			throw invalid(`'${displayName}' has a value without a name`, 'Enter its name, or remove it.');
		}
		if (names.indexOf(name) !== index) {
			throw invalid(`'${displayName}' has two values named ${JSON.stringify(name)}`, 'Remove one of them.');
		}
		if (filled[index].value === undefined) {
			throw invalid(
				`${JSON.stringify(name)} in '${displayName}' is empty: its expression has no value`,
				"Correct the expression, or give it another value for such items, such as {{ $json.id ?? '' }}.",
			);
		}
	}
	return Object.fromEntries(filled.map(({ value }, index) => [names[index], value]));
}

/**
 * Accepts an object to send with a call or in a query. An empty object is not sent. Resume tokens in an object that was
 * copied from an event are removed, because they would resume the execution that waits for the other call.
 */
export function sentObject(zod: Zod) {
	return jsonObject(zod)
		.optional()
		.transform((value) => withoutResumeTokens(value ?? {}))
		.transform((value) => (Object.keys(value).length > 0 ? value : undefined));
}

/**
 * Makes a field for an object, entered as a list of names and values or as JSON. The JSON has priority. An empty object
 * is sent too.
 *
 * @param name the prefix of the names of both parameters
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
		read: ({ get }: FieldSource) => {
			const entered = get(usingJson);
			return isBlank(entered) ? fromPairs(get(usingFields), displayName) : entered;
		},
		check: (zod) => jsonObject(zod),
	});
}
