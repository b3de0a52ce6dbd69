import type { INodeProperties } from 'n8n-workflow';

import type { Field } from './field';

/** Explains in the description of a property that the field can be cleared. */
function withClearHint({ description = '', ...property }: INodeProperties): INodeProperties {
	const ended = `${description}.`.replace('..', '.');
	return { ...property, description: `${ended} Leave it empty to remove the current value.` };
}

/** Returns a field's properties with their `displayOptions`. @param root prefix of the parameter that controls them */
export function propertiesOf({ properties, only, empty }: Field, root = ''): INodeProperties[] {
	const [first, ...rest] = properties;
	const all = [empty === 'null' ? withClearHint(first) : first, ...rest];
	if (only === undefined) {
		return all;
	}
	const show = { [root + only.parameter]: [...only.values] };
	return all.map((property) => ({
		...property,
		displayOptions: { ...property.displayOptions, show: { ...show, ...property.displayOptions?.show } },
	}));
}
