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

/** Shows a property only where the node is a tool of an AI agent. */
export const ONLY_AS_TOOL: INodeProperties['displayOptions'] = { show: { '@tool': [true] } };

/** Hides a property or a choice where the node is a tool of an AI agent. */
export const NOT_AS_TOOL: INodeProperties['displayOptions'] = { show: { '@tool': [false] } };

/**
 * A parameter that is the same in all nodes, for {@link PRESERVE_ON_SWITCH}. It is not shown, and not stored, because it has its
 * default.
 */
export const alwaysTrue: INodeProperties = { displayName: 'Always', name: 'always', type: 'hidden', default: true };

/**
 * Keeps a collection or a list of choices when the user switches to another operation that has it, too.
 *
 * Where a parameter changes, n8n's editor empties what is displayed and depends on it, if not all values are in the new
 * list. For a collection it compares its entries with the parameters of the node, so it empties each one, and for a list
 * of choices it looks for one choice that is the whole list (`removeMismatchedOptionValues` in features/ndv/shared/
 * ndv.utils.ts). What is displayed it finds out without the parameters that have their defaults: so this is not.
 */
export const PRESERVE_ON_SWITCH: INodeProperties['displayOptions'] = { show: { [alwaysTrue.name]: [true] } };

/** What a field can read: its own parameters, with expressions resolved, and how the run was started. */
export interface FieldSource {
	get(parameter: string): unknown;
	/** How the run began, as n8n's mode, such as `manual` or `trigger`; undefined if that cannot be read. */
	rootMode: string | undefined;
	/** Whether an AI agent runs the node. */
	asTool: boolean;
	/** IANA name of the workflow's time zone. */
	timezone: string;
	/**
	 * Whether a parameter has no expression: it is the same for all items, and a person has set it, not a model.
	 *
	 * @param member one parameter of the collection `parameter`
	 */
	isConstant(parameter: string, member?: string): boolean;
	/** Whether a parameter may have a different value for each item: see {@link ReadingRules.once}. */
	dependsOnItem?(parameter: string, member?: string): boolean;
	/** The cached values of fields that are the same for all items. */
	constants?: Map<Field, unknown>;
}

/** How a field is read: where it is empty, how often, and what an AI agent may choose. */
export interface ReadingRules {
	/**
	 * What it means that the user added the field to a collection and left it empty.
	 *
	 * - `omit`, the default: the field counts as not added. In Update Fields that would be no change: there it is a mistake.
	 * - `null`: as `omit`, but in Update Fields null is sent. It is not documented that this removes the value.
	 * - `error`: a mistake, because a protection would be missing. The sentence says what to do instead.
	 *
	 * An expression without a value is a mistake in every collection, unless it is `optional`: then it counts as not
	 * added, too. For fields that an item needs only sometimes, and that fail closed without a value.
	 */
	empty?: 'omit' | 'optional' | 'null' | { error: string };
	/** Read once per run, from the first item, unless its expression uses data of the item. */
	once?: true;
	/**
	 * What a model may give where an AI agent runs the node. Values of which the editor offers none to a tool, see
	 * {@link NOT_AS_TOOL}, are refused there, whoever sets them.
	 *
	 * - `free`, the default: any value.
	 * - `fixed`: none. A person may set the field to a fixed value.
	 * - `not`: any value but these, which end something or take a protection away. A person may set them as fixed values.
	 */
	ai?: 'free' | 'fixed' | { not: readonly unknown[] };
}

/** For {@link ReadingRules.empty}: what to do about an empty field that protects or limits something. */
export const FILL_IN_OR_REMOVE = { error: 'Fill it in, check the expression, or remove the field.' };

/**
 * One value that the user enters: its properties in the editor, the service's name for it, and its validation, which
 * runs before anything is sent.
 */
export interface Field<Key extends string = string, Value = unknown> extends ReadingRules {
	/** The service's name for the value, as the operation's `request` gets it. */
	key: Key;
	/** n8n's properties without the outer `displayOptions`; messages use the name of the first one. */
	properties: readonly [INodeProperties, ...INodeProperties[]];
	/** Computes the value from the parameters; by default, the value of the first parameter. */
	read?: (source: FieldSource) => unknown;
	/**
	 * Shown and read only while a parameter has one of these values: one of the same collection, otherwise one of the
	 * operation.
	 */
	only?: { parameter: string; values: ReadonlyArray<string | boolean> };
	/** The codes of the errors for no value, and for one that is wrong; by default `INVALID_INPUT`. */
	codes?: { empty: ErrorCode; wrong: ErrorCode };
	/** Used only by the node, never sent. See {@link local}. */
	local?: true;
	/** Creates the validation on first use: zod is loaded from n8n, and the node description does not need it. */
	check: (zod: Zod) => z.ZodType<Value, z.ZodTypeDef, unknown>;
}

/** A field that only the node uses. */
export type LocalField<Key extends string = string, Value = unknown> = Field<Key, Value> & { readonly local: true };

type ValueOf<Each> =
	Each extends Field<string, infer Value> ? Value | (Each extends { empty: 'null' } ? null : never) : never;

type ValuesOf<Fields extends Field> = {
	[Each in Fields as Each['key']]: ValueOf<Each>;
};

/** The values of all fields that are not local, by the service's names. */
export type InputOf<Fields extends readonly Field[]> = ValuesOf<Exclude<Fields[number], LocalField>>;

/** The values of the local fields. */
export type LocalOf<Fields extends readonly Field[]> = ValuesOf<Extract<Fields[number], LocalField>>;

/** Declares a field, keeping the types of its key and value. */
export function defineField<const Key extends string, Value>(field: Field<Key, Value>): Field<Key, Value> {
	return field;
}

/**
 * Marks a field as an option of the node, such as Return All. Its value is in `local`, not in `input`, so that it cannot
 * be sent.
 */
export function local<const Key extends string, Value>(field: Field<Key, Value>): LocalField<Key, Value> {
	return { ...field, local: true };
}

/** The field, shown and read only while another parameter has one of these values. */
export function onlyFor<Key extends string, Value>(
	parameter: string,
	values: ReadonlyArray<string | boolean>,
	field: Field<Key, Value>,
): Field<Key, Value | undefined> {
	return { ...field, only: { parameter, values } };
}

/** The field, which may stay empty. */
export function optional<Key extends string, Value>(field: Field<Key, Value>): Field<Key, Value | undefined> {
	return { ...field, check: (zod) => field.check(zod).optional() };
}

/** The names of the parameters of some fields. */
export function parametersOf(fields: readonly Field[]): Set<string | undefined> {
	return new Set(fields.flatMap(({ properties }) => properties.map(({ name }) => name)));
}

/** The field, sent under another name. */
export function sentAs<const Key extends string, Value>(key: Key, field: Field<string, Value>): Field<Key, Value> {
	return { ...field, key };
}

/** The fields, read by other rules. */
export function withRules<const Rules extends ReadingRules, const Fields extends readonly Field[]>(
	rules: Rules,
	...fields: Fields
) {
	return fields.map((field) => ({ ...field, ...rules })) as unknown as {
		[Index in keyof Fields]: Fields[Index] & Rules;
	};
}

/** The values of a field that the editor does not offer to a tool. */
export function notOffered({ properties: [{ options = [] }] }: Field): unknown[] {
	return options.flatMap((option) =>
		'value' in option && option.displayOptions === NOT_AS_TOOL ? [option.value] : [],
	);
}

/** The field with other texts, another default, or required, in its first parameter. */
export function reworded<Key extends string, Value>(
	field: Field<Key, Value>,
	words: Partial<Pick<INodeProperties, 'displayName' | 'description' | 'hint' | 'default' | 'required'>>,
): Field<Key, Value> {
	const [first, ...rest] = field.properties;
	return { ...field, properties: [{ ...first, ...words }, ...rest] };
}

/** One of a fixed set of values. */
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
 * What the only group of a `fixedCollection` holds, which is named `values`: the rows, or the fields if there is one row
 * only. Undefined if the user added none. Anything else stays as it is, so that the check refuses it.
 */
export function groupOf(list: unknown): unknown {
	if (isBlank(list)) {
		return undefined;
	}
	const isGroup = isJsonObject(list) && Object.keys(list).every((name) => name === 'values');
	return isGroup ? (list.values ?? undefined) : list;
}

/** The rows of a `fixedCollection`, see {@link groupOf}; empty if the user added none. */
export function rowsOf(list: unknown): unknown {
	return groupOf(list) ?? [];
}

/**
 * What a check adds to an issue, to replace "cannot be" in the message: what is wrong with the value, as it follows the
 * value or the name of the field.
 */
export interface IssueParams {
	/** Follows the value, such as "has no country code". */
	ofValue?: string;
	/** Follows the name of the field; the value is not shown. Such as "is a list, not an object". */
	ofField?: string;
}

/** Makes an issue for a zod check. @param message what to do, without a period */
export function issueOf(message: string, params: IssueParams) {
	return { code: 'custom' as const, message, params };
}

/** What the value of a JSON field is, where another kind of value belongs. */
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
 * Accepts JSON as text, and other values from an expression. The issue tells where the text has a mistake, a number that
 * would become another one or a name twice, and where the other value has something that JSON would lack.
 */
export function jsonValue(zod: Zod) {
	return zod.unknown().transform((entered, context) => {
		// Editors of Windows begin a file with a byte order mark.
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
		// A text has nothing that JSON lacks.
		const lost = typeof given === 'string' ? undefined : lostInJson(value);
		// What is wrong with the value as a whole is said by the check for its kind.
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
