import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { type Field, NOT_AS_TOOL, parametersOf } from '../../shared/fields/field';
import { propertiesOf, sorted } from '../../shared/fields/properties';
import { sendingFields } from '../fields/sending';
import { toolFields } from '../fields/toolLimits';
import type { Operation, Resource } from './operation';

function operationChoice(operation: Operation): INodePropertyOptions {
	const { name, value, action, description, forTools } = operation;
	return { name, value, action, description, ...(!forTools && { displayOptions: NOT_AS_TOOL }) };
}

const collections = {
	updateFields: { displayName: 'Update Fields', placeholder: 'Add field' },
	filters: { displayName: 'Filters', placeholder: 'Add filter' },
	options: { displayName: 'Options', placeholder: 'Add option' },
	sending: { displayName: 'Sending', placeholder: 'Add setting' },
};

/** One of n8n's collections, to which the user adds what is needed. */
function collection(name: keyof typeof collections, fields: readonly Field[]): INodeProperties {
	const own = parametersOf(fields);
	// Inside a collection a slash leads back to the parameters of the node.
	const properties = fields.flatMap((field) => propertiesOf(field, own.has(field.only?.parameter) ? '' : '/'));
	return {
		...collections[name],
		name,
		type: 'collection',
		default: {},
		// What is in a collection is there because the user added it.
		options: sorted(properties.map((property) => ({ ...property, required: undefined }))),
	};
}

/** All that an operation shows, in its order: fields, then n8n's collections. */
function shownBy({ fields, updates, filters, options, placesCall }: Operation): INodeProperties[] {
	return [
		...[...fields, ...(placesCall ? toolFields : [])].flatMap((field) => propertiesOf(field)),
		...(updates.length > 0 ? [collection('updateFields', updates)] : []),
		...(filters.length > 0 ? [collection('filters', filters)] : []),
		...(options.length > 0 ? [collection('options', options)] : []),
	];
}

/** A property, the operations that show it, and what they show right before it. */
interface Shown {
	property: INodeProperties;
	operations: string[];
	after: Set<Shown>;
}

/**
 * What the operations of a resource show, each property once. n8n shows properties in the order of this
 * list: so they stand in an order in which each operation has its own.
 */
function merged(operations: readonly Operation[]): Shown[] {
	const known = new Map<string, Shown>();
	for (const operation of operations) {
		let before: Shown | undefined;
		for (const property of shownBy(operation)) {
			const identity = JSON.stringify(property);
			const shown = known.get(identity) ?? { property, operations: [], after: new Set() };
			known.set(identity, shown);
			shown.operations.push(operation.value);
			if (before) {
				shown.after.add(before);
			}
			before = shown;
		}
	}
	const waiting = new Set(known.values());
	const list: Shown[] = [];
	while (waiting.size > 0) {
		const free = [...waiting].find(({ after }) => ![...after].some((shown) => waiting.has(shown)));
		// Operations that contradict each other cannot all have their order.
		const next = free ?? [...waiting][0];
		waiting.delete(next);
		list.push(next);
	}
	return list;
}

/** The properties of one resource: its operations, then what they show. */
function resourceProperties({ value: resource, operations, firstOperation }: Resource): INodeProperties[] {
	const choices = sorted(operations.map(operationChoice));
	const first = firstOperation ?? choices[0].value;
	const choice: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: choices,
		default: first,
	};
	const fields = merged(operations).map(({ property, operations: shown }) => ({
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
	return [choice, ...resources.flatMap(resourceProperties), collection('sending', sendingFields)];
}
