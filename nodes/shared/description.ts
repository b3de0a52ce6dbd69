import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { NOT_AS_TOOL, parametersOf, type Field } from './field';
import { requestTimeout } from './fields';
import type { Operation, Resource } from './operation';
import { toolFields } from './toolGuard';

/** Sorts by the name that the user sees. Not by a locale: its tables take longer to load than the node. */
export function sorted<Entry extends { name: string; displayName?: string }>(entries: Entry[]): Entry[] {
	const seen = ({ displayName, name }: Entry) => (displayName ?? name).toLowerCase();
	return [...entries].sort((left, right) => (seen(left) < seen(right) ? -1 : 1));
}

function operationChoice(operation: Operation): INodePropertyOptions {
	const { name, value, action, description, forTools } = operation;
	return { name, value, action, description, ...(!forTools && { displayOptions: NOT_AS_TOOL }) };
}

const collections = {
	updateFields: { displayName: 'Update Fields', placeholder: 'Add field' },
	filters: { displayName: 'Filters', placeholder: 'Add filter' },
	options: { displayName: 'Options', placeholder: 'Add option' },
};

/** One of n8n's collections, to which the user adds what is needed. */
function collection(name: keyof typeof collections, fields: readonly Field[]): INodeProperties {
	const own = parametersOf(fields);
	// Inside a collection a slash leads back to the parameters of the node.
	const properties = fields.flatMap((field) =>
		propertiesOf(field, own.has(field.only?.parameter) ? '' : '/'),
	);
	return {
		...collections[name],
		name,
		type: 'collection',
		default: {},
		// What is in a collection is there because the user added it.
		options: sorted(properties.map((property) => ({ ...property, required: undefined }))),
	};
}

/** The properties of a field, with what they depend on. @param root how to get to the node's parameters */
function propertiesOf({ properties, only }: Field, root = ''): INodeProperties[] {
	if (only === undefined) return [...properties];
	const show = { [root + only.parameter]: [...only.values] };
	return properties.map((property) => ({
		...property,
		displayOptions: { ...property.displayOptions, show: { ...show, ...property.displayOptions?.show } },
	}));
}

/**
 * The properties of one resource: its operations, then their fields. A field that several operations
 * share appears once, shown for all of them.
 */
function resourceProperties({ value: resource, operations }: Resource): INodeProperties[] {
	const shownFor = new Map<string, { property: INodeProperties; operations: string[] }>();
	const show = (operation: Operation, property: INodeProperties) => {
		const identity = JSON.stringify(property);
		const shown = shownFor.get(identity) ?? { property, operations: [] };
		shown.operations.push(operation.value);
		shownFor.set(identity, shown);
	};
	// n8n shows properties in the order of the list: the collections of all operations come last.
	for (const operation of operations) {
		const guards = operation.spends ? toolFields : [];
		for (const property of [...operation.fields, ...guards].flatMap((field) => propertiesOf(field))) {
			show(operation, property);
		}
	}
	for (const operation of operations) {
		if (operation.updates.length > 0) show(operation, collection('updateFields', operation.updates));
		if (operation.filters.length > 0) show(operation, collection('filters', operation.filters));
		show(operation, collection('options', [...operation.options, requestTimeout]));
	}
	const choices = sorted(operations.map(operationChoice));
	const firstChoice = choices[0].value;
	const choice: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: choices,
		default: firstChoice,
	};
	const fields = [...shownFor.values()].map(({ property, operations: shown }) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			show: { resource: [resource], operation: shown, ...property.displayOptions?.show },
		},
	}));
	return [choice, ...fields];
}

/** Everything the action node asks for, from the declarations of its operations. */
export function nodeProperties(resources: readonly Resource[], firstResource: string): INodeProperties[] {
	const choice: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: sorted(resources.map(({ name, value }) => ({ name, value }))),
		default: firstResource,
	};
	return [choice, ...resources.flatMap(resourceProperties)];
}
