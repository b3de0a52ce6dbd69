import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { z } from 'zod/v3';

import type { ErrorCode } from '../errors/catalog';
import {
	fromJson,
	isBlank,
	isJsonObject,
	isRecord,
	isTooDeep,
	jsonMistake,
	lossyNumberIn,
	lostInJson,
	REDUCE_NESTING_ADVICE,
	REPEATED_NAME,
	repeatedNameIn,
	TOO_DEEP,
} from '../lib/json';
import { enteredNumber, isAsEntered } from '../lib/text';

/** n8n's zod. */
export type Zod = typeof z;

/** Shows a property only if the node is a tool of an AI agent. */
export const ONLY_AS_TOOL: INodeProperties['displayOptions'] = { show: { '@tool': [true] } };

/** Hides a property or a choice if the node is a tool of an AI agent. */
export const NOT_AS_TOOL: INodeProperties['displayOptions'] = { show: { '@tool': [false] } };

/**
 * A hidden parameter with the same value in all nodes, for {@link PRESERVE_ON_SWITCH}. It is not stored, because it
 * always has its default value.
 */
export const alwaysTrue: INodeProperties = { displayName: 'Always', name: 'always', type: 'hidden', default: true };

/**
 * Keeps the values of a collection or a list of choices when the user switches to another operation that also has it.
 *
 * When a parameter changes, n8n's editor clears displayed parameters that depend on it, unless the new list contains
 * all their values. It clears every collection, because it compares the entries with the parameters of the node, and
 * every list of choices, because it looks for one choice that equals the whole list (`removeMismatchedOptionValues` in
 * features/ndv/shared/ndv.utils.ts). It ignores parameters with default values when it decides what is displayed, so a
 * property with this condition does not count as displayed.
 */
export const PRESERVE_ON_SWITCH: INodeProperties['displayOptions'] = { show: { [alwaysTrue.name]: [true] } };

/** The data that a field can read: its own parameters, with expressions resolved, and facts about the run. */
export interface FieldSource {
	get(parameter: string): unknown;
	/** n8n's mode of the start of the run, such as `manual` or `trigger`; undefined if it cannot be read. */
	rootMode: string | undefined;
	/** Whether an AI agent runs the node. */
	asTool: boolean;
	/** The IANA name of the workflow's time zone. */
	timezone: string;
	/**
	 * Whether a parameter is free of expressions: then its value is the same for all items, and was set by a person, not
	 * by a model.
	 *
	 * @param member one parameter of the collection `parameter`
	 */
	isConstant(parameter: string, member?: string): boolean;
	/** Whether a parameter may have a different value for each item; see {@link ReadingRules.once}. */
	dependsOnItem?(parameter: string, member?: string): boolean;
	/** The cached values of fields that are the same for all items. */
	constants?: Map<Field, unknown>;
}

/** The rules for reading a field: what an empty value means, how often it is read, and what an AI agent may choose. */
interface ReadingRules {
	/**
	 * The meaning of a field that the user added to a collection and left empty.
	 *
	 * - `omit`, the default: the field counts as not added. In Update Fields, where that would change nothing, it is an
	 *   error.
	 * - `null`: as `omit`, but in Update Fields null is sent. It is not documented that this removes the value.
	 * - `error`: an error, because a protection would be missing. The text is the advice.
	 *
	 * An expression without a value is an error in every collection. The exception is `optional`, which counts the field
	 * as not added. It is for fields that only some items need, and that fail closed without a value.
	 */
	empty?: 'omit' | 'optional' | 'null' | { error: string };
	/** Read once per run, from the first item, unless its expression uses data of the item. */
	once?: true;
	/**
	 * The values that a model may choose if an AI agent runs the node. Values that the editor does not offer to a tool,
	 * see {@link NOT_AS_TOOL}, are refused there even if a person sets them.
	 *
	 * - `free`, the default: any value.
	 * - `fixed`: no value. A person may set the field to a fixed value.
	 * - `not`: any value except these, which end something or remove a protection. A person may set them as fixed values.
	 */
	ai?: 'free' | 'fixed' | { not: readonly unknown[] };
}

/** The {@link ReadingRules.empty} rule for a field that protects or limits something. */
export const FILL_IN_OR_REMOVE = { error: 'Fill it in, check the expression, or remove the field.' };

/**
 * A value that the user enters: its properties in the editor, the service's name for it, and its validation, which runs
 * before anything is sent.
 */
export interface Field<Key extends string = string, Value = unknown> extends ReadingRules {
	/** The service's name for the value, which the operation's `request` uses. */
	key: Key;
	/** n8n's properties without the outer `displayOptions`; messages use the name of the first one. */
	properties: readonly [INodeProperties, ...INodeProperties[]];
	/** Computes the value from the parameters; by default, the value of the first parameter. */
	read?: (source: FieldSource) => unknown;
	/**
	 * The field is shown and read only while a parameter has one of these values. The parameter belongs to the same
	 * collection or else to the operation.
	 */
	only?: { parameter: string; values: ReadonlyArray<string | boolean> };
	/** The error codes for a missing value and for an invalid value; by default `INVALID_INPUT`. */
	codes?: { empty: ErrorCode; wrong: ErrorCode };
	/** Whether only the node uses the value, which is never sent. See {@link local}. */
	local?: true;
	/** Creates the validation on first use, because zod is loaded from n8n and the node description does not need it. */
	check: (zod: Zod) => z.ZodType<Value, z.ZodTypeDef, unknown>;
}

/** A field that only the node uses. */
export type LocalField<Key extends string = string, Value = unknown> = Field<Key, Value> & { readonly local: true };

type ValueOf<Each> =
	Each extends Field<string, infer Value> ? Value | (Each extends { empty: 'null' } ? null : never) : never;

type ValuesOf<Fields extends Field> = {
	[Each in Fields as Each['key']]: ValueOf<Each>;
};

/** The values of all fields except local ones, by the service's names. */
export type InputOf<Fields extends readonly Field[]> = ValuesOf<Exclude<Fields[number], LocalField>>;

/** The values of the local fields. */
export type LocalOf<Fields extends readonly Field[]> = ValuesOf<Extract<Fields[number], LocalField>>;

/** Declares a field, keeping the types of its key and value. */
export function defineField<const Key extends string, Value>(field: Field<Key, Value>): Field<Key, Value> {
	return field;
}

/**
 * Marks a field as an option of the node, such as Return All. Its value is in `local`, not in `input`, so that it
 * cannot be sent.
 */
export function local<const Key extends string, Value>(field: Field<Key, Value>): LocalField<Key, Value> {
	return { ...field, local: true };
}

/** Makes a field that is shown and read only while another parameter has one of these values. */
export function onlyFor<Key extends string, Value>(
	parameter: string,
	values: ReadonlyArray<string | boolean>,
	field: Field<Key, Value>,
): Field<Key, Value | undefined> {
	return { ...field, only: { parameter, values } };
}

/** Allows a field to be empty. */
export function optional<Key extends string, Value>(field: Field<Key, Value>): Field<Key, Value | undefined> {
	return { ...field, check: (zod) => field.check(zod).optional() };
}

/**
 * Gives an empty field a value. An expression without a value stays an error, because it may be a mistake.
 *
 * @param compute returns the value of the empty field
 */
export function emptyMeans<const Key extends string, Value>(
	compute: (source: FieldSource) => unknown,
	field: Field<Key, Value>,
): Field<Key, Value> {
	const [{ name }] = field.properties;
	return {
		...field,
		read: (source) => {
			const value = field.read ? field.read(source) : source.get(name);
			return (value ?? '') === '' && source.isConstant(name) ? compute(source) : value;
		},
	};
}

/** Returns the names of the parameters of the fields. */
export function parametersOf(fields: readonly Field[]): Set<string | undefined> {
	return new Set(fields.flatMap(({ properties }) => properties.map(({ name }) => name)));
}

/** Sends a field under another name. */
export function sentAs<const Key extends string, Value>(key: Key, field: Field<string, Value>): Field<Key, Value> {
	return { ...field, key };
}

/** Reads fields by other rules. */
export function withRules<const Rules extends ReadingRules, const Fields extends readonly Field[]>(
	rules: Rules,
	...fields: Fields
) {
	return fields.map((field) => ({ ...field, ...rules })) as unknown as {
		[Index in keyof Fields]: Fields[Index] & Rules;
	};
}

/** Returns the values of a field that the editor does not offer to a tool. */
export function notOffered({ properties: [{ options = [] }] }: Field): unknown[] {
	return options.flatMap((option) =>
		'value' in option && option.displayOptions === NOT_AS_TOOL ? [option.value] : [],
	);
}

/** Changes the texts, the default or the required flag of a field's first parameter. */
export function reworded<Key extends string, Value>(
	field: Field<Key, Value>,
	words: Partial<Pick<INodeProperties, 'displayName' | 'description' | 'hint' | 'default' | 'required'>>,
): Field<Key, Value> {
	const [first, ...rest] = field.properties;
	return { ...field, properties: [{ ...first, ...words }, ...rest] };
}

/** Declares a field with a fixed set of values. */
export function choice<const Key extends string, const Value extends string>(
	key: Key,
	property: Omit<INodeProperties, 'type' | 'options'> & {
		options: ReadonlyArray<INodePropertyOptions & { value: Value }>;
	},
): Field<Key, Value> {
	const [first, ...rest] = property.options.map(({ value }) => value);
	return {
		key,
		properties: [{ ...property, type: 'options', options: [...property.options] }],
		check: (zod) => zod.enum([first, ...rest]),
	};
}

/** Accepts text, and numbers from expressions and spreadsheets, which become text. */
export function textual<Schema extends z.ZodTypeAny>(zod: Zod, schema: Schema) {
	return zod.preprocess((value) => (typeof value === 'number' && isAsEntered(value) ? String(value) : value), schema);
}

/** Accepts numbers, and numbers as text from expressions and spreadsheets. */
export function numeric<Schema extends z.ZodTypeAny>(zod: Zod, schema: Schema) {
	return zod.preprocess(enteredNumber, schema);
}

/** Accepts booleans, and `true` and `false` as text from an expression. */
export function booleanSchema(zod: Zod) {
	return zod.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), zod.boolean());
}

/**
 * Returns the content of a `fixedCollection`, whose only group is named `values`: the rows, or the fields of a single
 * row. Undefined if the user added nothing. Other values are returned unchanged, so that the check refuses them.
 */
export function groupOf(list: unknown): unknown {
	if (isBlank(list)) {
		return undefined;
	}
	const isGroup = isJsonObject(list) && Object.keys(list).every((name) => name === 'values');
	return isGroup ? (list.values ?? undefined) : list;
}

/** Returns the rows of a `fixedCollection`, see {@link groupOf}; empty if the user added none. */
export function rowsOf(list: unknown): unknown {
	return groupOf(list) ?? [];
}

/**
 * A description of the problem that a check adds to an issue. It replaces "cannot be" in the message, and follows the
 * value or the name of the field.
 */
export interface IssueParams {
	/** The text after the value, such as "has no country code". */
	ofValue?: string;
	/** The text after the name of the field, such as "is a list, not an object". The value is not shown. */
	ofField?: string;
}

/** Creates an issue for a zod check. @param message the advice, without a period */
export function issueOf(message: string, params: IssueParams) {
	return { code: 'custom' as const, message, params };
}

/** Describes the value of a JSON field that expects another kind of value. */
export function kindOf(value: unknown): string {
	if (Array.isArray(value)) {
		return 'a list';
	}
	if (isRecord(value)) {
		return isJsonObject(value) ? 'an object' : 'an object that is not JSON, such as a date';
	}
	const names: Record<string, string> = { string: 'a text', number: 'a number', undefined: 'empty' };
	return value === '' ? 'empty' : (names[typeof value] ?? String(value));
}

/**
 * Accepts JSON as text, and other values from an expression. The issue names the place of a mistake in the text, of a
 * number that would lose digits, of a repeated name, or of a value that JSON cannot contain.
 */
export function jsonValue(zod: Zod) {
	return zod.unknown().transform((entered, context) => {
		// Windows editors begin a file with a byte order mark.
		const given = typeof entered === 'string' ? entered.replace(/^\ufeff/, '') : entered;
		const mistake = typeof given === 'string' ? jsonMistake(given) : undefined;
		const value = fromJson(given);
		if (isTooDeep(value)) {
			context.addIssue(issueOf(REDUCE_NESTING_ADVICE, { ofField: TOO_DEEP }));
			return zod.NEVER;
		}
		const text = typeof given === 'string' && mistake === undefined ? given : '';
		const repeated = repeatedNameIn(text);
		if (repeated !== undefined) {
			context.addIssue(issueOf(REPEATED_NAME.advice, { ofField: `${REPEATED_NAME.what}: ${repeated}` }));
			return zod.NEVER;
		}
		const lossy = lossyNumberIn(text);
		if (lossy !== undefined) {
			const ofField = `has a number that is too large to be kept as it is: ${lossy}`;
			context.addIssue(issueOf('Write it in quotation marks there', { ofField }));
			return zod.NEVER;
		}
		// A text cannot contain a value that JSON lacks.
		const lost = typeof given === 'string' ? undefined : lostInJson(value);
		// The check for the kind of value reports a problem with the value as a whole.
		if (lost !== undefined && lost.path.length > 0) {
			const place = JSON.stringify(lost.path.join('.'));
			const ofField =
				lost.what === undefined
					? `is empty at ${place}: its expression has no value there`
					: `has ${lost.what} at ${place}, which JSON cannot hold`;
			const advice = "Correct the expression, or give it another value for such items, such as {{ $json.id ?? '' }}";
			context.addIssue(issueOf(advice, { ofField }));
			return zod.NEVER;
		}
		if (mistake === undefined) {
			return value;
		}
		const advice =
			'Correct the JSON there. Where an expression fills in a text, write {{ JSON.stringify(…) }} without quotation marks around it';
		context.addIssue(issueOf(advice, { ofField: `is not valid JSON: ${mistake}` }));
		return zod.NEVER;
	});
}

/** Accepts a JSON object as text, or an object from an expression. */
export function jsonObject(zod: Zod) {
	return jsonValue(zod).transform((value, context) => {
		if (isJsonObject(value)) {
			return value;
		}
		const ofField = `is ${kindOf(value)}, not an object`;
		context.addIssue(issueOf('Enter one JSON object: names and values in braces', { ofField }));
		return zod.NEVER;
	});
}
