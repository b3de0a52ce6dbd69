import fc, { type Arbitrary } from 'fast-check';

/** What of JSON Schema the OpenAPI document and the schemas of the control routes use. */
export interface JsonSchema {
	$ref?: string;
	type?: string | string[];
	enum?: unknown[];
	const?: unknown;
	anyOf?: JsonSchema[];
	allOf?: JsonSchema[];
	properties?: Record<string, JsonSchema>;
	required?: string[];
	additionalProperties?: boolean | JsonSchema;
	items?: JsonSchema;
	minItems?: number;
	maxItems?: number;
	minimum?: number;
	maximum?: number;
	minLength?: number;
	maxLength?: number;
	pattern?: string;
	format?: string;
}

/** How deep references are followed: a schema may have itself as a part. */
const DEEPEST = 6;

/** The place of an object among those of its kind: mostly the first ones. */
export const placeOf = fc.oneof(
	{ weight: 4, arbitrary: fc.constant(0) },
	{ weight: 2, arbitrary: fc.constant(1) },
	{ weight: 3, arbitrary: fc.nat(9) },
);

const url = fc.constantFrom('<url:0>', '<url:1>');
const date = fc.date({ min: new Date('2026-01-01'), max: new Date('2032-01-01'), noInvalidDate: true });
const FORMATS: Record<string, Arbitrary<string>> = {
	uuid: fc.uuid(),
	email: fc.constantFrom('ada@example.com', 'grace@example.org'),
	uri: url,
	date: date.map((day) => day.toISOString().slice(0, 10)),
	'date-time': date.map((day) => day.toISOString()),
};
const PHONE_NUMBERS = [
	'+12025550001',
	'+12025550100',
	'+12025550107',
	'+12025550198',
	'+442071838750',
	'+999999999999',
];

/**
 * Values that a schema accepts. A text that names an object, by the name of its property, is a reference such as
 * `<agent_id:3>`, which `resolve` replaces.
 * @param at finds the schema of a reference
 */
export function valuesOf(schema: JsonSchema, at: (reference: string) => JsonSchema): Arbitrary<unknown> {
	const of = (node: JsonSchema, name: string, depth: number): Arbitrary<unknown> => {
		if (depth > DEEPEST) {
			return fc.constant(null);
		}
		const own = (inner: JsonSchema, key = name) => of(inner, key, depth + 1);
		if (node.$ref !== undefined) {
			return own(at(node.$ref));
		}
		if ('const' in node) {
			return fc.constant(node.const);
		}
		if (node.enum) {
			return fc.constantFrom(...node.enum);
		}
		if (node.anyOf) {
			return fc.oneof(...node.anyOf.map((part) => own(part)));
		}
		if (node.allOf) {
			return fc.tuple(...node.allOf.map((part) => own(part))).map((parts) => Object.assign({}, ...parts) as unknown);
		}
		const types = [node.type ?? 'any'].flat();
		return fc.oneof(...types.map((type) => ofType({ ...node, type }, name, own)));
	};
	return of(schema, '', 0);
}

function ofType(
	node: JsonSchema & { type: string },
	name: string,
	own: (inner: JsonSchema, key?: string) => Arbitrary<unknown>,
): Arbitrary<unknown> {
	switch (node.type) {
		case 'object': {
			const fields = Object.entries(node.properties ?? {}).map(([key, inner]) => [key, own(inner, key)] as const);
			if (fields.length === 0) {
				return fc.dictionary(fc.constantFrom('first_name', 'contact_id', 'a.b', 'constructor'), fc.jsonValue(), {
					maxKeys: 3,
				});
			}
			return fc.record(Object.fromEntries(fields), { requiredKeys: node.required ?? [] });
		}
		case 'array':
			return fc.array(own(node.items ?? {}, name.replace(/s$/, '')), {
				minLength: node.minItems ?? 0,
				maxLength: Math.min(node.maxItems ?? 4, (node.minItems ?? 0) + 4),
			});
		case 'string':
			return texts(node, name);
		case 'integer':
			return fc.integer({
				min: Math.max(Math.ceil(node.minimum ?? 0), -1_000_000),
				max: Math.min(node.maximum ?? 1_000_000, 1_000_000),
			});
		case 'number':
			return fc.double({ min: node.minimum ?? 0, max: Math.min(node.maximum ?? 1e6, 1e9), noNaN: true });
		case 'boolean':
			return fc.boolean();
		case 'null':
			return fc.constant(null);
		default:
			return fc.jsonValue();
	}
}

function texts(node: JsonSchema, name: string): Arbitrary<string> {
	if (/_id$|^id$|Id$/.test(name)) {
		const kind = name.replace('Id', '_id');
		return fc.oneof({ weight: 6, arbitrary: placeOf.map((index) => `<${kind}:${index}>`) }, fc.uuid());
	}
	if (/url|uri/i.test(name)) {
		return url;
	}
	const format = FORMATS[node.format ?? ''];
	if (format) {
		return format;
	}
	if (node.pattern?.startsWith('^\\+[1-9]')) {
		return fc.constantFrom(...PHONE_NUMBERS);
	}
	if (node.pattern?.startsWith('^\\d{4}-')) {
		return node.pattern.includes('T') ? FORMATS['date-time']! : FORMATS.date!;
	}
	if (node.pattern !== undefined) {
		return fc.stringMatching(new RegExp(node.pattern));
	}
	const length = { minLength: node.minLength ?? 0, maxLength: Math.min(node.maxLength ?? 30, 300) };
	return fc.oneof(fc.string(length), fc.string({ ...length, unit: 'grapheme' }), fc.constantFrom('UTC', 'en', 'Ada'));
}
