import type { INodeProperties } from 'n8n-workflow';

import type { Field } from '../../nodes/shared/fields/field.ts';
import type { Operation } from '../../nodes/VoiceAgentCalling/operation/operation.ts';
import { plain } from './markdown.mts';

/** Longer lists of choices are not written out. */
const MAX_CHOICES = 8;

/** The group of the fields that are in no collection. */
const TOP = '';

/** The parameters of fields that many operations have; the page explains them once. */
const COMMON = ['returnAll', 'limit', 'output', 'outputFields', 'publishAfterwards'];

/** A sentence that n8n requires in the description of every loaded list; the page states it once. */
const LIST_SENTENCE = / ?Choose from the list, or specify (an ID|IDs) using an <a [^>]*>expression<\/a>\.?/;

/** A row for each field of an operation, without the common ones: name, required or collection, description. */
export function fieldRows({ fields, updates, filters, options, optionsTitle }: Operation): string[][] {
	const groups: Array<[place: string, members: readonly Field[]]> = [
		[TOP, fields],
		['Update Fields', updates],
		['Filters', filters],
		[optionsTitle, options],
	];
	const all = groups.flatMap(([, members]) => members);
	return groups.flatMap(([place, members]) =>
		members.flatMap((field) =>
			shownOf(field).map((property) => [
				plain(property.displayName),
				place === TOP ? (property.required ? 'yes' : 'no') : place,
				[about(property, place), choicesOf(property), conditionOf(field, property, all), defaultOf(property, place)]
					.filter(Boolean)
					.join(' '),
			]),
		),
	);
}

/** The common fields that an operation has, by their names in the editor. */
export function commonFields({ fields, options }: Operation): string[] {
	return [...fields, ...options].flatMap(({ properties }) =>
		properties.filter(({ name }) => COMMON.includes(name)).map(({ displayName }) => displayName),
	);
}

/** The properties that get a row; only the first one of a value that can be entered in two ways. */
function shownOf({ properties }: Field): INodeProperties[] {
	const own = properties.filter(({ name, type }) => !COMMON.includes(name) && type !== 'notice');
	const ways = own.find(({ name }) => name.startsWith('specify'));
	if (ways === undefined) {
		return own;
	}
	const [first] = own.filter((property) => property !== ways);
	return first
		? [{ ...first, description: `${sentence(first.description)} Value by value, or as one JSON object.` }]
		: [];
}

/** What the editor says; of the fields in collections the first sentence only. */
function about(property: INodeProperties, place: string): string {
	const whole = sentence((property.description ?? '').replace(LIST_SENTENCE, ''));
	const text = place === TOP ? whole : whole.replace(/(?<=[.?!]) [A-Z].*$/s, '');
	return [linked(text), range(property, text), parts(property)].filter(Boolean).join(' ');
}

/** The limits of a number, if its description does not state them. */
function range({ type, typeOptions: { minValue, maxValue } = {} }: INodeProperties, text: string): string {
	const isSaid = type !== 'number' || maxValue === undefined || text.includes(String(maxValue));
	return isSaid ? '' : `${minValue ?? 0} to ${maxValue}.`;
}

/** The fields of each row of a list, or of a group. */
function parts({ type, typeOptions, options = [] }: INodeProperties): string {
	if (type !== 'fixedCollection') {
		return '';
	}
	const names = options.flatMap((group) =>
		'values' in group ? group.values.map(({ displayName }) => `*${plain(displayName)}*`) : [],
	);
	return `${typeOptions?.multipleValues ? 'Each' : 'It'} has ${names.join(', ')}.`;
}

function choicesOf({ type, options = [] }: INodeProperties): string {
	const choices = options.flatMap((option) => ('value' in option ? [`*${plain(option.name)}*`] : []));
	if (!['options', 'multiOptions'].includes(type) || choices.length === 0) {
		return '';
	}
	const list = `${type === 'options' ? 'One' : 'Some'} of ${choices.join(', ')}.`;
	return choices.length > MAX_CHOICES ? `${choices.length} to choose from.` : list;
}

/** The condition under which a property is shown: that of its field, or its own on the source. */
function conditionOf({ only }: Field, { displayOptions: { show = {} } = {} }: INodeProperties, all: readonly Field[]) {
	const source = show.source ?? show['/source'];
	const { parameter, values } = only ?? { parameter: 'source', values: source ?? [] };
	if (values.length === 0) {
		return '';
	}
	const other = all.flatMap(({ properties }) => properties).find(({ name }) => name === parameter);
	const nameOf = (value: unknown) => {
		const option = other?.options?.find((one) => 'value' in one && one.value === value);
		return option ? `*${plain(option.name)}*` : ({ true: 'on', false: 'off' }[String(value)] ?? String(value));
	};
	return `Only while ${plain(other?.displayName ?? parameter)} is ${values.map(nameOf).join(' or ')}.`;
}

/** The default of a field; fields of a collection are sent only if the user adds them. */
function defaultOf({ type, default: value, options = [] }: INodeProperties, place: string): string {
	const chosen = type === 'options' && options.find((option) => 'value' in option && option.value === value);
	const said = type === 'boolean' ? (value ? 'on' : 'off') : chosen ? `*${plain(chosen.name)}*` : undefined;
	return place === TOP && said ? `Default: ${said}.` : '';
}

function sentence(text = ''): string {
	const trimmed = text.trim();
	return trimmed === '' || /[.?!]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** Converts the HTML links of n8n's descriptions to Markdown. */
function linked(text: string): string {
	return text
		.split(/(<a href="[^"]+">[^<]+<\/a>)/)
		.map((part) => {
			const [, address, words] = /^<a href="([^"]+)">([^<]+)<\/a>$/.exec(part) ?? [];
			return address && words ? `[${plain(words)}](${address})` : plain(part);
		})
		.join('');
}
