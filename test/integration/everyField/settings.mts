import type { INodeProperties } from 'n8n-workflow';

import type { Field } from '../../../nodes/shared/fields/field.ts';
import { propertiesOf } from '../../../nodes/shared/fields/properties.ts';
import type { Operation } from '../../../nodes/VoiceAgentCalling/operation/operation.ts';
import type { Parameters as Given } from '../schemaRuns/runs.mts';
import { asList, partsOf, rowsWith, valuesOf } from './values.mts';

type Parameters = NonNullable<Given>;

/** What a parameter needs beside it to make a difference: other parameters with their values. */
const beside: Record<string, Record<string, unknown>> = {
	// A number without a country code.
	defaultCountry: { phoneNumber: '0612345678', otherNumber: '0612345678' },
	doNotCallList: { doNotCall: true },
	doNotCallNumbers: { doNotCallList: 'custom', doNotCall: true },
	addAfterStatuses: { addToDoNotCall: true },
	addAfterErrors: { addToDoNotCall: true },
	ownerId: { ownerType: 'user' },
	ownerType: { ownerId: '33333333-3333-4333-8333-333333333333' },
	returnAll: { limit: 1 },
};

/** What a user can set in an operation: a field, or one of the fields in the rows of a list. */
export interface Setting {
	/** Where it is, such as `options.callingHours.from`. */
	name: string;
	local: boolean;
	/** Parameters that differ only in its value; in the first ones it may be absent. */
	runs: Parameters[];
}

/** A property of an operation, in a collection or ('') outside. */
interface Place {
	collection: '' | 'updateFields' | 'options' | 'filters';
	field: Field;
	property: INodeProperties;
}

function placesOf({ fields, updates, options, filters }: Operation): Place[] {
	const lists = { '': fields, updateFields: updates, options, filters };
	return Object.entries(lists).flatMap(([collection, members]) =>
		members.flatMap((field) =>
			propertiesOf(field).map((property) => ({ collection: collection as Place['collection'], field, property })),
		),
	);
}

const valueAt = (parameters: Parameters, { collection, property }: Place): unknown =>
	(collection === '' ? parameters : Object(parameters[collection]))[property.name];

function withValue(parameters: Parameters, { collection, property }: Place, value: unknown): Parameters {
	const added = { [property.name]: value };
	return {
		...parameters,
		...(collection === '' ? added : { [collection]: { ...Object(parameters[collection]), ...added } }),
	};
}

/** What other fields must have so that the editor shows a property. */
function conditionsOf({ property }: Place): Array<[parameter: string, values: readonly unknown[]]> {
	const shown = Object.entries(property.displayOptions?.show ?? {}).filter(([name]) => !name.startsWith('@'));
	return shown.map(([name, values]) => [name.replace(/^\//, ''), values as unknown[]]);
}

/** Whether a property belongs to another source than that of the parameters, and so to another run. */
function isOfOtherSource(parameters: Parameters, place: Place): boolean {
	const { source } = parameters;
	return conditionsOf(place).some(
		([name, values]) => name === 'source' && source !== undefined && !values.includes(source),
	);
}

/** The parameters with which the editor shows a property. */
function showing(parameters: Parameters, place: Place, all: Place[]): Parameters {
	return conditionsOf(place).reduce((shown, [name, values]) => {
		const named = all.filter(({ property }) => property.name === name);
		const other = named.find(({ collection }) => collection === place.collection) ?? named[0];
		// What the user has not added to a collection has no value.
		const standard = other?.collection === '' ? other.property.default : undefined;
		if (!other || values.includes(valueAt(shown, other) ?? standard)) {
			return shown;
		}
		return withValue(showing(shown, other, all), other, values[0]);
	}, parameters);
}

/** The parameters with a value for each required field that is shown and has none. */
function filledIn(parameters: Parameters, all: Place[]): Parameters {
	return all.reduce((filled, place) => {
		const isShown = showing(filled, place, all) === filled;
		const { required, default: standard, type } = place.property;
		const hasDefault = type !== 'resourceLocator' && standard !== '' && String(standard) !== '';
		return required && !hasDefault && place.collection === '' && isShown && valueAt(filled, place) === undefined
			? withValue(filled, place, valuesOf(place.property)[0])
			: filled;
	}, parameters);
}

/** All that a user can set in an operation. @param parameters of a run that works */
export function settingsOf(operation: Operation, parameters: Parameters): Setting[] {
	const all = placesOf(operation);
	return all.flatMap((place): Setting[] => {
		const { collection, field, property } = place;
		if (property.type === 'notice' || isOfOtherSource(parameters, place)) {
			return [];
		}
		const shown = Object.entries(beside[property.name] ?? {}).reduce(
			(others, [name, value]) => {
				const other = all.find((one) => one.property.name === name);
				return other ? withValue(others, other, value) : others;
			},
			showing(parameters, place, all),
		);
		const runs = (values: unknown[]) => values.map((value) => filledIn(withValue(shown, place, value), all));
		const name = collection === '' ? property.name : `${collection}.${property.name}`;
		const local = field.local ?? false;
		const parts = partsOf(property).map((part) => ({
			name: `${name}.${part.name}`,
			local,
			runs: runs(rowsWith(property, part).map((row) => asList(property, row))),
		}));
		return [{ name, local, runs: [filledIn(shown, all), ...runs(valuesOf(property))] }, ...parts];
	});
}
