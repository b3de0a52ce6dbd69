import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of JSON Schema that the schema files use. */
interface Schema {
	type?: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
	anyOf?: Schema[];
}

/** The fields of deeper objects are not listed. */
const MAX_DEPTH = 2;

const WORDS: Record<string, string> = {
	string: '',
	integer: 'number',
	number: 'number',
	boolean: 'true or false',
	object: 'object',
	array: 'list',
	null: '',
};

const folder = join(__dirname, '..', '..', 'nodes', 'VoiceAgentCalling', '__schema__', 'v1.0.0');

/** The output fields of an operation in one line, with the types of those that are not text. */
export function outputOf(resource: string, operation: string): string {
	const file = join(folder, resource, `${operation}.json`);
	if (!existsSync(file)) {
		throw new Error(`There is no ${file}. Run "npm run generate".`);
	}
	const schema = JSON.parse(readFileSync(file, 'utf8')) as Schema;
	return members(schema, 1);
}

function members({ properties = {} }: Schema, depth: number): string {
	return Object.entries(properties)
		.map(([name, schema]) => `\`${name}\`${kind(schema, depth)}`)
		.join(', ');
}

/** Whether an object is a map with arbitrary keys, such as header names. */
function hasFields(schema: Schema | undefined): schema is Schema {
	const names = Object.keys(schema?.properties ?? {});
	return names.length > 0 && names.every((name) => /^\w+$/.test(name));
}

function kind(schema: Schema, depth: number): string {
	const inner = [schema, schema.items, ...(schema.anyOf ?? []), ...(schema.items?.anyOf ?? [])].find(hasFields);
	const types = [schema, ...(schema.anyOf ?? [])].flatMap(({ type = [] }) => type);
	const words = [...new Set(types.map((type) => WORDS[type] ?? type))].filter(Boolean).join(' or ');
	if (inner && depth < MAX_DEPTH) {
		return ` (${words}: ${members(inner, depth + 1)})`;
	}
	return words === '' ? '' : ` (${words})`;
}
