import { type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';

import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';

const { description } = new VoiceAgentCalling();
const { properties } = description;
/** The defaults of all parameters, as the editor stores them in a new node. */
export const defaults = Object.fromEntries(
	properties.map(({ name, type, default: value }) => [
		name,
		type === 'resourceLocator' ? { __rl: true, ...Object(value) } : value,
	]),
) as INodeParameters;

/** The parameters that the description shows for these values. */
export function shownFor(values: INodeParameters): INodeProperties[] {
	return properties.filter(
		(property) =>
			property.type !== 'hidden' && NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, description),
	);
}

/** The labels of parameters; a list of values that begins with a row shows the row's too. A notice has no label. */
export function namesOf(shown: INodeProperties[]): string[] {
	return shown.flatMap(({ displayName, type, default: first, options = [] }) => {
		if (type === 'notice') {
			return [];
		}
		const rows = type === 'fixedCollection' ? Object.keys(Object(first)) : [];
		const values = options.flatMap((row) => ('values' in row && rows.includes(row.name) ? row.values : []));
		return [displayName, ...values.map((value) => value.displayName)];
	});
}

/** Required, or a menu with nothing chosen, and not filled in yet: n8n marks these. */
export function isMissing({ required, default: value, type }: INodeProperties): boolean {
	if (type === 'options') {
		return value === '';
	}
	return required === true && (value === '' || (typeof value === 'object' && value !== null && 'mode' in value));
}

/** The entries that a collection offers for these values. */
export function offeredBy({ options = [] }: INodeProperties, values: INodeParameters): INodeProperties[] {
	return (options as INodeProperties[]).filter((entry) =>
		NodeHelpers.displayParameter({}, entry, { typeVersion: 1 }, description, values),
	);
}
