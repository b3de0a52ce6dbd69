import type { z } from 'zod';

const names = new Map<string, z.ZodTypeAny>();

/**
 * Gives a schema the name under which the OpenAPI document has it once, in its components.
 * @throws Error if another schema has the name
 */
export function named<Schema extends z.ZodTypeAny>(name: string, schema: Schema): Schema {
	if (names.has(name)) {
		throw new Error(`Two schemas have the name ${name}.`);
	}
	names.set(name, schema);
	return schema;
}

/** All schemas with a name. */
export function namedSchemas(): ReadonlyMap<string, z.ZodTypeAny> {
	return names;
}

/** The words for what the sandbox decided because the service's description leaves it open. */
export const ASSUMED = "Not documented by the service: the sandbox's assumption.";
