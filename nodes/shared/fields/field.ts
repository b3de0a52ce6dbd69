import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';

import { isRecord } from '../lib/isRecord';

export type Zod = typeof z;

/** Shown only where the node is a tool of an AI agent. */
export const ONLY_AS_TOOL: INodeProperties['displayOptions'] = { show: { '@tool': [true] } };

/** Hidden where the node is a tool of an AI agent. */
export const NOT_AS_TOOL: INodeProperties['displayOptions'] = { show: { '@tool': [false] } };

/** What a field may read: its own parameters as n8n resolved them, and how the run was started. */
export interface FieldSource {
	get(parameter: string): unknown;
	startedByHand: boolean;
	/** Whether an AI agent runs the node. */
	asTool: boolean;
	/** IANA name of the workflow's time zone. */
	timezone: string;
	/** Whether a parameter has no expression, so that it is the same for all items. */
	isConstant?(parameter: string): boolean;
	/** The values of fields that are the same for all items. */
	constants?: Map<Field, unknown>;
}

/**
 * One value that an operation takes from the user: n8n's property literals, the service's name for the
 * value, and the check that it has to pass before anything is sent.
 */
export interface Field<Key extends string = string, Value = unknown> {
	/** The service's name for the value, as the operation's `request` gets it. */
	key: Key;
	/** n8n's literals without the outer `displayOptions`; the first one names the field in messages. */
	properties: readonly [INodeProperties, ...INodeProperties[]];
	/** How the value comes out of its parameters; by default it is the first parameter's. */
	read?: (source: FieldSource) => unknown;
	/** Shown and read only while another field, of the same collection or else of the operation, has one of these values. */
	only?: { parameter: string; values: ReadonlyArray<string | boolean> };
	/** In Update Fields: left empty it is cleared, and the service gets null. */
	clearable?: true;
	/** Values that are not open to an AI agent which runs the node as a tool. */
	notForTools?: readonly string[];
	/** Read by this node alone: it never reaches a request. See {@link local}. */
	local?: true;
	/** Made on first use: zod comes from n8n, and describing the node needs no zod. */
	check: (zod: Zod) => z.ZodType<Value, z.ZodTypeDef, unknown>;
}

/** A field that this node alone reads. */
export type LocalField<Key extends string = string, Value = unknown> = Field<Key, Value> & { readonly local: true };

type ValuesOf<One extends Field> = {
	[Each in One as Each['key']]: Each extends Field<string, infer Value> ? Value : never;
};

/** The values for a request, by the service's names: those of all fields that are not local. */
export type InputOf<Fields extends readonly Field[]> = ValuesOf<Exclude<Fields[number], LocalField>>;

/** The values of the local fields. */
export type LocalOf<Fields extends readonly Field[]> = ValuesOf<Extract<Fields[number], LocalField>>;

/** Declares a field, keeping the types of its key and value. */
export function defineField<const Key extends string, Value>(field: Field<Key, Value>): Field<Key, Value> {
	return field;
}

/**
 * Marks a field that says how this node works, such as Simplify. Its value is in `local` and not in `input`, so that it
 * cannot reach a request.
 */
export function local<const Key extends string, Value>(field: Field<Key, Value>): LocalField<Key, Value> {
	return { ...field, local: true };
}

/** The field, for an operation that asks for it only while another parameter has one of some values. */
export function onlyFor<Key extends string, Value>(
	parameter: string,
	values: ReadonlyArray<string | boolean>,
	field: Field<Key, Value>,
): Field<Key, Value | undefined> {
	return { ...field, only: { parameter, values } };
}

/** The parameters that make up some fields. */
export function parametersOf(fields: readonly Field[]): Set<string | undefined> {
	return new Set(fields.flatMap(({ properties }) => properties.map(({ name }) => name)));
}

/** The field under another of the service's names. */
export function sentAs<const Key extends string, Value>(key: Key, field: Field<string, Value>): Field<Key, Value> {
	return { ...field, key };
}

/** The field with other words for its first parameter, or another default. */
export function reworded<Key extends string, Value>(
	field: Field<Key, Value>,
	words: Partial<Pick<INodeProperties, 'displayName' | 'description' | 'default'>>,
): Field<Key, Value> {
	const [first, ...rest] = field.properties;
	return { ...field, properties: [{ ...first, ...words }, ...rest] };
}

/** The field, for Update Fields, where it may be left empty to take the value away from the object. */
export function clearable<Key extends string, Value>(field: Field<Key, Value>): Field<Key, Value | null> {
	const [{ description = '' }] = field.properties;
	const more = `${description}. Leave it empty to remove it.`.replace('..', '.');
	return { ...reworded(field, { description: more }), clearable: true };
}

/**
 * A field with a fixed set of values, from n8n's literal for it. `forTools: false` keeps a value from an
 * AI agent.
 */
export function choice<const Key extends string, const Value extends string>(
	key: Key,
	property: Omit<INodeProperties, 'type' | 'options'> & {
		options: ReadonlyArray<{ name: string; value: Value; description?: string; forTools?: false }>;
	},
): Field<Key, Value> {
	const [first, ...rest] = property.options.map(({ value }) => value);
	const options = property.options.map(({ forTools, ...option }) =>
		forTools === false ? { ...option, displayOptions: NOT_AS_TOOL } : option,
	);
	return {
		key,
		properties: [{ ...property, type: 'options', options }],
		notForTools: property.options.filter(({ forTools }) => forTools === false).map(({ value }) => value),
		check: (zod) => zod.enum([first, ...rest]),
	};
}

/** Text, also as the number that an expression or a spreadsheet gives. */
export function textual<Schema extends z.ZodTypeAny>(zod: Zod, schema: Schema) {
	return zod.preprocess((value) => (typeof value === 'number' ? String(value) : value), schema);
}

/** Numbers, also as the text that expressions and spreadsheets give. */
export function numeric<Schema extends z.ZodTypeAny>(zod: Zod, schema: Schema) {
	return zod.preprocess((value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value), schema);
}

/** True or false, also as the text that an expression gives. */
export function truth(zod: Zod) {
	return zod.preprocess((value) => ({ true: true, false: false })[String(value)] ?? value, zod.boolean());
}

/** The rows that a user has added to a list: a `fixedCollection` with one group, called `values`. */
export function rowsOf(list: unknown): Array<Record<string, unknown>> {
	return isRecord(list) && Array.isArray(list.values) ? list.values.filter(isRecord) : [];
}

/** A JSON object, as text or as the object that an expression gives. */
export function jsonObject(zod: Zod) {
	return zod.preprocess(
		(value) => {
			if (typeof value !== 'string') {
				return value;
			}
			try {
				return JSON.parse(value) as unknown;
			} catch {
				return value;
			}
		},
		zod.custom<Record<string, unknown>>(isRecord, 'Enter a JSON object, like {"name": "Ada"}'),
	);
}
