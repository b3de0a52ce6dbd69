import {
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type INodeTypeDescription,
	isINodePropertiesList,
	isINodePropertyCollectionList,
	isINodePropertyOptionsList,
	NodeHelpers,
	type NodeParameterValueType,
} from 'n8n-workflow';

import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { VoiceAgentCallingTrigger } from '../../nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts';

type Values = INodeParameters;
type Description = INodeTypeDescription;

const action = new VoiceAgentCalling().description;
const trigger = new VoiceAgentCallingTrigger().description;
const version = { typeVersion: 1 };

function isDisplayed(property: INodeProperties, description: Description, values: Values, root = values): boolean {
	return NodeHelpers.displayParameter(values, property, version, description, root);
}

/**
 * Removes a value as n8n's editor does where a parameter changes on which it depends: a choice that the new list lacks, a
 * list of choices, and **each** collection, because the editor compares its entries with the names of all parameters.
 * This is `removeMismatchedOptionValues` in n8n's features/ndv/shared/ndv.utils.ts, since n8n 1.22.
 */
function removeMismatched(description: Description, values: Values, changed: string): void {
	for (const property of description.properties) {
		const { name, options, displayOptions: { show, hide } = {} } = property;
		if (!(name in values) || !options || (show?.[changed] === undefined && hide?.[changed] === undefined)) {
			continue;
		}
		let isValid = true;
		if (isINodePropertyCollectionList(options) || isINodePropertiesList(options)) {
			isValid = Object.keys(values).every((key) => options.some((option) => option.name === key));
		} else if (isINodePropertyOptionsList(options)) {
			isValid = options.some(({ value }) => value === values[name]);
		}
		if (!isValid && isDisplayed(property, description, values)) {
			delete values[name];
		}
	}
}

/**
 * The values of a node after a user changed one in n8n's editor. This is `updateNodeParameter` in n8n's
 * features/ndv/parameters/composables/useNodeSettingsParameters.ts.
 */
function afterChange(description: Description, values: Values, name: string, value: NodeParameterValueType): Values {
	const { properties } = description;
	const stored = { ...NodeHelpers.getNodeParameters(properties, values, false, false, version, description) };
	stored[name] = value;
	removeMismatched(description, stored, name);
	return withDefaults(description, stored);
}

function choicesOf({ options = [] }: INodeProperties): INodePropertyOptions[] {
	return options.flatMap((option) => ('value' in option ? [option] : []));
}

function entriesOf({ options = [] }: INodeProperties): INodeProperties[] {
	return options.flatMap((option) => ('type' in option ? [option] : []));
}

/** A value that a user may have set: not the default. */
function setValue(property: INodeProperties, description: Description, root: Values): NodeParameterValueType {
	const { name, type, default: byDefault } = property;
	switch (type) {
		case 'collection': {
			const own: Values = {};
			for (const entry of entriesOf(property)) {
				if (isDisplayed(entry, description, own, root)) {
					own[entry.name] = setValue(entry, description, root);
				}
			}
			return own;
		}
		case 'fixedCollection': {
			const [group] = (property.options ?? []) as INodePropertyCollection[];
			const row = Object.fromEntries(group.values.map((part) => [part.name, setValue(part, description, root)]));
			return { [group.name]: property.typeOptions?.multipleValues ? [row] : row } as NodeParameterValueType;
		}
		case 'options':
			return choicesOf(property).find(({ value }) => value !== byDefault)?.value ?? `set ${name}`;
		case 'multiOptions':
			return [choicesOf(property)[0]?.value ?? `set ${name}`] as string[];
		case 'boolean':
			return byDefault !== true;
		case 'number':
			return Number(byDefault) + 1;
		case 'resourceLocator':
			return { __rl: true, mode: 'id', value: `set ${name}` };
		case 'resourceMapper':
			return { mappingMode: 'defineBelow', value: { name: 'set' } } as unknown as NodeParameterValueType;
		default:
			return `set ${name}`;
	}
}

/** Parameters without a value of the user. */
const isSetByUser = ({ type }: INodeProperties) => type !== 'notice' && type !== 'hidden';

function withDefaults(description: Description, values: Values): Values {
	return NodeHelpers.getNodeParameters(description.properties, values, true, false, version, description) ?? {};
}

/** The values with all else set that is displayed with them. */
function everythingSet(description: Description, chosen: Values): Values {
	const names = conditionsOf(description);
	const root = withDefaults(description, chosen);
	const values = { ...root };
	for (const property of description.properties) {
		const isFixed = property.name in chosen || names.has(property.name);
		if (!isFixed && isSetByUser(property) && isDisplayed(property, description, root)) {
			values[property.name] = setValue(property, description, root);
		}
	}
	return values;
}

/** Whether a parameter has the type and the choices of another one with this value. */
function takes(property: INodeProperties, other: INodeProperties, value: unknown): boolean {
	const offered = choicesOf(property).map((choice) => choice.value as unknown);
	const chosen = other.type === 'multiOptions' ? (value as unknown[]) : [value];
	return property.type === other.type && (offered.length === 0 || chosen.every((one) => offered.includes(one)));
}

/** A parameter, or an entry of a collection, that is displayed. */
interface Entered {
	path: string;
	property: INodeProperties;
	value: unknown;
}

function enteredIn(description: Description, values: Values): Entered[] {
	return description.properties
		.filter((property) => isSetByUser(property) && isDisplayed(property, description, values))
		.flatMap((property) => {
			const value = values[property.name];
			if (property.type !== 'collection') {
				return [{ path: property.name, property, value }];
			}
			const own = (value ?? {}) as Values;
			return entriesOf(property)
				.filter((entry) => isDisplayed(entry, description, own, values))
				.map((entry) => ({ path: `${property.name}.${entry.name}`, property: entry, value: own[entry.name] }));
		});
}

/** What a change loses although it can be entered afterwards, too, and what it keeps although it cannot. */
function mistakes(description: Description, before: Entered[], after: Values, changed: readonly string[]): string[] {
	const offered = new Map(enteredIn(description, after).map((entered) => [entered.path, entered]));
	const lost = before.filter(({ path, property, value }) => {
		const same = offered.get(path);
		return (
			!changed.includes(path) &&
			value !== undefined &&
			same !== undefined &&
			takes(same.property, property, value) &&
			JSON.stringify(same.value) !== JSON.stringify(value)
		);
	});
	const collections = new Set(enteredIn(description, after).map(({ path }) => path.split('.')[0]));
	const kept = before.filter(({ path }) => {
		const [name = '', entry] = path.split('.');
		const stored = entry === undefined ? after : Object(after[name]);
		return !offered.has(path) && (entry ?? name) in stored && (entry !== undefined || !collections.has(name));
	});
	return [...lost.map(({ path }) => `loses ${path}`), ...kept.map(({ path }) => `keeps ${path}`)];
}

/** The description with what these resources show alone: n8n's functions look at all properties each time. */
function ofResources(...chosen: string[]): Description {
	const properties = action.properties.filter(
		({ displayOptions: { show } = {} }) => !show?.resource || show.resource.some((one) => chosen.includes(String(one))),
	);
	return { ...action, properties };
}

/** The names of the parameters on which others depend. */
function conditionsOf({ properties }: Description): Set<string> {
	const all = [...properties, ...properties.flatMap(entriesOf)];
	const shows = all.flatMap(({ displayOptions }) => Object.keys(displayOptions?.show ?? {}));
	return new Set(shows.map((name) => name.replace('/', '')));
}

/** Each value of each displayed parameter on which others depend. */
function controlsOf(description: Description, chosen: Values): Array<{ name: string; value: string | boolean }> {
	const names = conditionsOf(description);
	const values = withDefaults(description, chosen);
	return description.properties
		.filter(({ name }) => names.has(name) && !(name in chosen))
		.filter((property) => isDisplayed(property, description, values))
		.flatMap((property) => {
			const choices = property.type === 'boolean' ? [true, false] : choicesOf(property).map(({ value }) => value);
			return choices.map((value) => ({ name: property.name, value: value as string | boolean }));
		});
}

const operations = resources.flatMap(({ value: resource, operations: own }) =>
	own.map(({ value: operation }) => ({ resource, operation })),
);

/** The name of a state in a list of mistakes. */
const named = (chosen: object) => Object.values(chosen).join('.');

test('what a user has set stays in a switch to another operation that has it, and nothing else does', () => {
	const found: string[] = [];
	for (const from of operations) {
		const own = ofResources(from.resource);
		const targets = operations.filter((to) =>
			from.resource === to.resource ? from.operation !== to.operation : from.operation === to.operation,
		);
		// Other values of what the operation itself shows change which fields can be set.
		for (const variant of [from, ...controlsOf(own, from).map(({ name, value }) => ({ ...from, [name]: value }))]) {
			const before = everythingSet(own, variant);
			const entered = enteredIn(own, before);
			for (const to of targets) {
				const changed = from.resource === to.resource ? 'operation' : 'resource';
				const description = changed === 'operation' ? own : ofResources(from.resource, to.resource);
				const after = afterChange(description, before, changed, to[changed]);
				const wrong = mistakes(description, entered, after, ['resource', 'operation']);
				found.push(...wrong.map((mistake) => `${named(variant)} → ${named(to)} ${mistake}`));
			}
		}
	}
	expect(found).toEqual([]);
});

/** What keeps a phone from ringing, or makes its call a test call. */
const PROTECTIONS = ['testCall', 'blockedNumbers', 'callingHours', 'consent', 'frequencyCap', 'repeatedNumber'];
const OF_TOOLS = ['maxCalls', 'maxCallsPerHour', 'allowedPrefixes'];

test.each([
	['node', action.name, PROTECTIONS],
	['tool', `${action.name}Tool`, [...PROTECTIONS, ...OF_TOOLS]],
])(
	'a %s that keeps its number through a switch to another operation and back keeps all that protects it',
	(_what, name, protecting) => {
		const unprotected: string[] = [];
		const seen = new Set<string>();
		let ringing = 0;
		const calling = resources.flatMap(({ value: resource, operations: own }) =>
			own.filter(({ placesCall }) => placesCall).map(({ value: operation }) => ({ resource, operation })),
		);
		expect(calling.length).toBeGreaterThanOrEqual(4);
		for (const from of calling) {
			for (const to of operations.filter(
				({ resource, operation }) => resource !== from.resource || operation !== from.operation,
			)) {
				const description = { ...ofResources(from.resource, to.resource), name };
				const before = everythingSet(description, from);
				let values = before;
				for (const { resource, operation } of [to, from]) {
					values = afterChange(description, values, 'resource', resource);
					values = afterChange(description, values, 'operation', operation);
				}
				const protections = ({ options, ...rest }: Values): Values => ({ ...rest, ...(options as Values) });
				const [all, left] = [protections(before), protections(values)];
				const lost = protecting.filter((one) => JSON.stringify(left[one]) !== JSON.stringify(all[one]));
				if ('phoneNumber' in before && values.phoneNumber === before.phoneNumber) {
					ringing += 1;
					protecting.filter((one) => one in all).forEach((one) => seen.add(one));
					unprotected.push(...lost.map((one) => `${named(from)} → ${named(to)} loses ${one}`));
				}
			}
		}
		expect(unprotected).toEqual([]);
		expect(ringing).toBeGreaterThan(0);
		expect([...seen].sort()).toEqual(protecting.toSorted());
	},
);

/** A required list, which goes back to its default: the events of an agent and of a campaign differ. */
const EVENTS = 'events';

test.each([
	...operations.map((chosen) => ({ ...chosen, description: ofResources(chosen.resource), chosen: chosen as Values })),
	{ resource: 'the trigger', operation: '', description: trigger, chosen: {} },
])(
	'$resource $operation: what stays displayed keeps its value where another field changes',
	({ description, chosen }) => {
		const found: string[] = [];
		const controls = controlsOf(description, chosen);
		for (const { name, value } of controls) {
			const before = everythingSet(description, { ...chosen, [name]: value });
			const entered = enteredIn(description, before);
			for (const to of controls.filter((other) => other.name === name && other.value !== value)) {
				const after = afterChange(description, before, name, to.value);
				const wrong = mistakes(description, entered, after, [name, EVENTS]);
				found.push(...wrong.map((mistake) => `${name}: ${value} → ${to.value} ${mistake}`));
			}
		}
		expect(found).toEqual([]);
	},
);
