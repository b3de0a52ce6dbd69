import type { INodeProperties } from 'n8n-workflow';

import type { Field } from './field';

/** Sorts by display name. Without `localeCompare`, whose tables take longer to load than the node. */
export function sorted<Entry extends { name: string; displayName?: string }>(entries: Entry[]): Entry[] {
	const label = ({ displayName, name }: Entry) => (displayName ?? name).toLowerCase();
	return [...entries].sort((left, right) => (label(left) < label(right) ? -1 : 1));
}

/** The properties of a field with their `displayOptions`. @param root prefix of the parameter on which they depend */
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
