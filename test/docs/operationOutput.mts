import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';

/** The parts of JSON Schema that the schema files use. */
interface Schema {
	type?: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
	anyOf?: Schema[];
}

/** The fields of deeper objects are not listed. */
const MAX_DEPTH = 2;

const WORDS: Record<string, string> = { string: '', null: '', integer: 'number', array: 'list' };

const SCHEMAS = 'nodes/VoiceAgentCalling/__schema__/v1.0.0';

/** Where the fields stand that each answer to an operation has, by `resource/operation`. */
export const ALWAYS = 'test/docs/outputs.json';

/** The output fields of an operation, with the types of those that are not text. */
export function outputOf(resource: string, operation: string): { always: string; sometimes: string } {
	const { properties = {} } = readJson(`${SCHEMAS}/${resource}/${operation}.json`) as Schema;
	const always = (readJson(ALWAYS) as Record<string, string[]>)[`${resource}/${operation}`] ?? [];
	const named = (isIn: boolean) => {
		const chosen = Object.entries(properties).filter(([name]) => always.includes(name) === isIn);
		return members({ properties: Object.fromEntries(chosen) }, 1);
	};
	return { always: named(true), sometimes: named(false) };
}

function readJson(path: string): unknown {
	const file = join(root, path);
	if (!existsSync(file)) {
		throw new Error(`There is no ${path}. Run "npm run generate".`);
	}
	return JSON.parse(readFileSync(file, 'utf8'));
}

/** The fields that a page lists for an operation: those of each answer, those of some, and those that only Raw has. */
export interface ListedOutput {
	always: string[];
	sometimes: string[];
	raw: string[];
}

/**
 * What the page of a resource lists as output of an operation.
 *
 * @param name the name of the operation, which is its heading
 */
export function listedOutput(page: string, name: string): ListedOutput {
	const section = page.split(/^## /m).find((part) => part.startsWith(`${name}\n`)) ?? '';
	const line = section.match(/^Output.*$/m)?.[0] ?? '';
	const [, same] = /^Output: as \[(.*)\]/.exec(line) ?? [];
	if (same !== undefined) {
		return listedOutput(page, same);
	}
	const [, always = '', sometimes = '', raw = ''] =
		/^Output(?:, Simplified)?: (.*?)\.(?: Not in every answer: (.*?)\.)?(?: Raw also has (.*?)\.)?$/.exec(line) ?? [];
	return { always: namesIn(always), sometimes: namesIn(sometimes), raw: namesIn(raw) };
}

/** The names outside of all parentheses, which have those of inner fields. */
function namesIn(list: string): string[] {
	const outer = list.replace(/\([^()]*\)/g, '');
	return outer === list ? [...list.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name) : namesIn(outer);
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
