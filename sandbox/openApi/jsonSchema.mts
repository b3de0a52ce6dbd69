import type { ZodTypeAny } from 'zod';
import { ignoreOverride, zodToJsonSchema } from 'zod-to-json-schema';

export type Fields = Record<string, unknown>;

/** Returns a reference to a component. */
export const refTo = (section: string, name: string) => ({ $ref: `#/components/${section}/${name}` });

/** Returns JSON content with one example, or with several named examples. */
export function jsonContent(schema: Fields, examples: Fields = {}): Fields {
	const [[, example] = [], ...others] = Object.entries(examples);
	const named = () => Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
	const shown = others.length > 0 ? { examples: named() } : example === undefined ? {} : { example };
	return { 'application/json': { schema, ...shown } };
}

/** The converter for one document. It collects named schemas as components. */
export interface SchemaWriter {
	components: Record<string, Fields>;
	/** Returns the JSON Schema of a query, a body or a response, without checks that JSON Schema cannot express. */
	write(schema: ZodTypeAny): Fields;
}

/** The used part of zod's definition of a field that is optional or has a default. */
type Definition = { typeName?: string; innerType?: { _def: Definition } };

/** @param named all schemas with a name */
export function schemaWriter(named: ReadonlyMap<string, ZodTypeAny>): SchemaWriter {
	const nameOf = new Map([...named].map(([name, schema]) => [schema._def as unknown, name]));
	const components: Record<string, Fields> = {};

	function convert(schema: ZodTypeAny, root: unknown): Fields {
		const converted = zodToJsonSchema(schema as never, {
			...({
				target: 'jsonSchema2019-09',
				$refStrategy: 'none',
				effectStrategy: 'input',
				pipeStrategy: 'output',
			} as const),
			// The service ignores unknown fields, and may send new fields.
			removeAdditionalStrategy: 'strict',
			override(def) {
				const name = def === root ? undefined : nameOf.get(def);
				if (name !== undefined) {
					component(name);
					return refTo('schemas', name);
				}
				// A missing field of an update keeps its value, so its default does not apply.
				const { typeName, innerType } = def as Definition;
				if (typeName === 'ZodOptional' && innerType?._def.typeName === 'ZodDefault') {
					return convert(innerType._def.innerType as unknown as ZodTypeAny, undefined) as never;
				}
				// This value makes the library convert the schema itself.
				return ignoreOverride;
			},
		}) as Fields;
		const { $schema: _dialect, ...plain } = converted;
		return open(plain) as Fields;
	}

	function component(name: string): void {
		if (!(name in components)) {
			// Reserves the name, so that the conversion of a recursive schema ends.
			components[name] = {};
			const schema = named.get(name) as ZodTypeAny;
			components[name] = convert(schema, schema._def);
		}
	}

	return {
		components,
		write(schema) {
			const name = nameOf.get(schema._def);
			if (name === undefined) {
				return convert(schema, schema._def);
			}
			component(name);
			return refTo('schemas', name);
		},
	};
}

/** Removes meaningless entries: `additionalProperties: true` and `default: null`. */
function open(schema: unknown): unknown {
	if (Array.isArray(schema)) {
		return schema.map(open);
	}
	if (typeof schema !== 'object' || schema === null) {
		return schema;
	}
	const entries = Object.entries(schema).filter(
		([key, value]) => !(key === 'additionalProperties' && value === true) && !(key === 'default' && value === null),
	);
	return Object.fromEntries(entries.map(([key, value]) => [key, open(value)]));
}
