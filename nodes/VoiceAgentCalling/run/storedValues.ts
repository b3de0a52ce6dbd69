import type { Field } from '../../shared/fields/field';
import { UPDATE_FIELDS } from '../../shared/fields/readFields';
import { isRecord } from '../../shared/lib/json';
import type { Operation } from '../operation/operation';

/** The values of an operation as n8n stores them, with their names in the editor. */
export function storedValues(
	{ fields, updates, filters, options, sending }: Operation,
	stored: Readonly<Record<string, unknown>>,
): Array<{ label: string; value: unknown }> {
	const groups: ReadonlyArray<[fields: readonly Field[], values: unknown]> = [
		[fields, stored],
		[updates, stored[UPDATE_FIELDS]],
		[filters, stored.filters],
		[options, stored.options],
		[sending, stored.sending],
	];
	return groups.flatMap(([group, values]) =>
		group.flatMap(({ properties }) =>
			properties.map(({ name, displayName }) => ({
				label: displayName,
				value: isRecord(values) ? values[name] : undefined,
			})),
		),
	);
}
