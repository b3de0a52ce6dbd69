import type { INodeProperties } from 'n8n-workflow';

import type { Field } from './field';

/** Sorts by the name that the user sees. Not by a locale: its tables take longer to load than the node. */
export function sorted<Entry extends { name: string; displayName?: string }>(entries: Entry[]): Entry[] {
	const seen = ({ displayName, name }: Entry) => (displayName ?? name).toLowerCase();
	return [...entries].sort((left, right) => (seen(left) < seen(right) ? -1 : 1));
}

/** The properties of a field, with what they depend on. @param root how to get to the node's parameters */
export function propertiesOf({ properties, only }: Field, root = ''): INodeProperties[] {
	if (only === undefined) {
		return [...properties];
	}
	const show = { [root + only.parameter]: [...only.values] };
	return properties.map((property) => ({
		...property,
		displayOptions: { ...property.displayOptions, show: { ...show, ...property.displayOptions?.show } },
	}));
}
