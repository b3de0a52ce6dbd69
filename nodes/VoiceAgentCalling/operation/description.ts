import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
	alwaysTrue,
	type Field,
	NOT_AS_TOOL,
	ONLY_AS_TOOL,
	PRESERVE_ON_SWITCH,
	parametersOf,
} from '../../shared/fields/field';
import { propertiesOf } from '../../shared/fields/properties';
import { sorted } from '../../shared/lib/collections';
import { publishAfterwards } from '../fields/common';
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

/** A collection, to which the user adds fields. */
function collection(
	name: keyof typeof collections,
	fields: readonly Field[],
	displayName = collections[name].displayName,
): INodeProperties {
	const own = parametersOf(fields);
	// Inside a collection, the prefix "/" refers to the parameters of the node.
	const properties = fields.flatMap((field) => propertiesOf(field, own.has(field.only?.parameter) ? '' : '/'));
	return {
		...collections[name],
		displayName,
		name,
		type: 'collection',
		default: {},
		// Fields of a collection are optional.
		options: sorted(properties.map((property) => ({ ...property, required: undefined }))),
		displayOptions: PRESERVE_ON_SWITCH,
	};
}

/**
 * Returns all properties of an operation, in order. As in n8n's own nodes, the choice of the output comes after what the
 * operation does, and before the collections for what few people need.
 */
function operationProperties({
	notice,
	fields,
	updates,
	filters,
	options,
	optionsTitle,
	sending,
	placesCall,
	checksCall,
	outputs,
}: Operation): INodeProperties[] {
	const last = new Set<Field>([publishAfterwards, ...(outputs?.fields ?? [])]);
	const shown = (field: Field) => propertiesOf(field);
	return [
		...(notice ? [{ displayName: notice, name: 'notice', type: 'notice', default: '' } as const] : []),
		...[...fields.filter((field) => !last.has(field)), ...(placesCall || checksCall ? toolFields : [])].flatMap(shown),
		...(updates.length > 0 ? [collection('updateFields', updates)] : []),
		...fields.filter((field) => last.has(field)).flatMap(shown),
		...(filters.length > 0 ? [collection('filters', filters)] : []),
		...(options.length > 0 ? [collection('options', options, optionsTitle)] : []),
		...(sending.length > 0 ? [collection('sending', sending)] : []),
	];
}

/** A property, the operations that show it, and the properties that are shown right before it. */
interface Shown {
	property: INodeProperties;
	operations: string[];
	after: Set<Shown>;
}

/**
 * Returns the properties of all operations of a resource, without duplicates. n8n shows properties in the order of this
 * list, so they are sorted topologically by the order of each operation.
 */
function mergedProperties(operations: readonly Operation[]): Shown[] {
	const byIdentity = new Map<string, Shown>();
	for (const operation of operations) {
		let previous: Shown | undefined;
		for (const property of operationProperties(operation)) {
			const identity = JSON.stringify(property);
			const shown = byIdentity.get(identity) ?? { property, operations: [], after: new Set() };
			byIdentity.set(identity, shown);
			shown.operations.push(operation.value);
			if (previous) {
				shown.after.add(previous);
			}
			previous = shown;
		}
	}
	const remaining = new Set(byIdentity.values());
	const list: Shown[] = [];
	while (remaining.size > 0) {
		const free = [...remaining].find(({ after }) => ![...after].some((shown) => remaining.has(shown)));
		// If operations have contradictory orders, one order is ignored.
		const next = free ?? [...remaining][0];
		remaining.delete(next);
		list.push(next);
	}
	return list;
}

/** Returns the properties of one resource: the choice of the operation, then the properties of the operations. */
function resourceProperties({ value: resource, operations, firstOperation }: Resource): INodeProperties[] {
	const choices = sorted(operations.map(operationChoice));
	const first = firstOperation ?? operations.find(({ value }) => value.startsWith('getAll'))?.value;
	const choice: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: choices,
		default: first,
	};
	const fields = mergedProperties(operations).map(({ property, operations: shown }) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			show: { resource: [resource], operation: shown, ...property.displayOptions?.show },
		},
	}));
	return [choice, ...fields];
}

/** Describes to a model the cost and limits of its calls. n8n evaluates the expression when it offers the tool. */
const COST_AND_LIMITS =
	'{{ $parameter["testCall"] === "always" ? "Test calls cost nothing" : "The call costs money" }}. Limits of calls: {{ $parameter["maxCalls"] }} in each run of the workflow, {{ $parameter["maxCallsPerHour"] }} per hour{{ $parameter["allowedPrefixes"] ? ", only to numbers that start with " + $parameter["allowedPrefixes"] : "" }}.';

/**
 * Makes the description of the tool for a model. It replaces n8n's own field of that name: without a text, n8n
 * describes the tool by the action alone, which does not mention that a call costs money.
 */
function toolDescription(text: string): INodeProperties {
	return {
		displayName: 'Tool Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 2 },
		default: text,
		description: 'Description of the tool for the model. If empty, the model gets only the name of the operation.',
	};
}

/** Returns the tool descriptions of a resource, each with its operations. */
function toolDescriptions({ value: resource, operations }: Resource): INodeProperties[] {
	const texts = operations.map(({ toolDescription: text = '', placesCall }) =>
		placesCall ? `=${text} ${COST_AND_LIMITS}` : text,
	);
	return [...new Set(texts)].map((text) => ({
		...toolDescription(text),
		displayOptions: {
			show: {
				...ONLY_AS_TOOL?.show,
				resource: [resource],
				operation: operations.filter((_, index) => texts[index] === text).map(({ value }) => value),
			},
		},
	}));
}

/** Returns all tool descriptions. Resources without their own texts share an empty one. */
function allToolDescriptions(resources: readonly Resource[]): INodeProperties[] {
	const adds = ({ operations }: Resource) => operations.some(({ toolDescription: text }) => text !== undefined);
	const others = resources.filter((resource) => !adds(resource)).map(({ value }) => value);
	return [
		{ ...toolDescription(''), displayOptions: { show: { ...ONLY_AS_TOOL?.show, resource: others } } },
		...resources.filter(adds).flatMap(toolDescriptions),
	];
}

/** Returns all properties of the action node. @param firstResource the value of the default resource */
export function nodeProperties(resources: readonly Resource[], firstResource: string): INodeProperties[] {
	const choice: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: firstResource,
	};
	return [alwaysTrue, ...allToolDescriptions(resources), choice, ...resources.flatMap(resourceProperties)];
}
