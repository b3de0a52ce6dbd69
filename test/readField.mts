import { z } from 'zod/v3';

import type { Field, FieldSource } from '../nodes/shared/fields/field.ts';
import { readFields } from '../nodes/shared/fields/readFields.ts';
import { NumberList } from '../nodes/VoiceAgentCalling/fields/numberList.ts';

/** The parameters of an item in a workflow that is no tool, where every value is from an expression. */
export const sourceOf = (parameters: Record<string, unknown>, run: Partial<FieldSource> = {}): FieldSource => ({
	get: (name) => parameters[name],
	rootMode: 'trigger',
	asTool: false,
	isConstant: () => false,
	timezone: 'UTC',
	...run,
});

/**
 * Reads one field as the nodes do, also where another value hides it. The numbers of a list are read, too.
 *
 * @param collection the collection that has the field; '' for a field outside
 * @throws ServiceError
 */
export function readField(
	field: Field,
	parameters: Record<string, unknown>,
	{ collection = '', ...run }: Partial<FieldSource> & { collection?: string } = {},
): unknown {
	const shown = { ...field, only: undefined };
	const source = sourceOf(collection === '' ? parameters : { [collection]: parameters }, run);
	const { input, local } =
		collection === '' ? readFields(z, [shown], {}, source) : readFields(z, [], { [collection]: [shown] }, source);
	const value = (field.local ? local : input)[field.key];
	if (value instanceof NumberList) {
		value.read();
		return [...value.phones];
	}
	return value;
}
