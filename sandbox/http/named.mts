import type { z } from 'zod';

const names = new Map<string, z.ZodTypeAny>();

/**
 * Names a schema. The OpenAPI document contains it once, under this name in its components.
 * @throws Error if another schema has the name
 */
export function named<Schema extends z.ZodTypeAny>(name: string, schema: Schema): Schema {
	if (names.has(name)) {
		throw new Error(`Two schemas have the name ${name}.`);
	}
	names.set(name, schema);
	return schema;
}

/** Returns all named schemas. */
export function namedSchemas(): ReadonlyMap<string, z.ZodTypeAny> {
	return names;
}

/** Marks a decision of the sandbox that the service's description leaves open. */
export const ASSUMED = "Not documented by the service: the sandbox's assumption.";
