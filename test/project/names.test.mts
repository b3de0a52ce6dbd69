import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { sourcesIn } from './sources.mts';

/** The names that a file exports. */
function exportsOf(file: string): string[] {
	const source = readFileSync(join(root, file), 'utf8');
	const declared = /^export (?:abstract |async |declare )*(?:class|const|enum|function\*?|interface|let|type) (\w+)/gm;
	return [...new Set([...source.matchAll(declared)].map(([, name]) => name))];
}

/** The values that have the same key, where there are several. */
function repeated<Value>(entries: ReadonlyArray<readonly [key: string, value: Value]>): Record<string, Value[]> {
	const groups = new Map<string, Value[]>();
	for (const [key, value] of entries) {
		groups.set(key, [...(groups.get(key) ?? []), value]);
	}
	return Object.fromEntries([...groups].filter(([, values]) => values.length > 1));
}

/** The role of a file. Files of one role may share a name, such as the same operation of several resources. */
function roleOf(file: string): string {
	const name = basename(file);
	return file.startsWith(join('nodes', 'VoiceAgentCalling', 'resources')) || /^index\./.test(name) ? name : file;
}

/** A resource of the sandbox, the engine behind it and its seed may share a name. */
const isOneResource = (files: readonly string[]) => {
	const parts = files.map((file) => file.split('/')[1] ?? '');
	return new Set(parts).size === parts.length && parts.every((part) => ['resources', 'engine', 'seed'].includes(part));
};

describe.each([
	['nodes', sourcesIn('credentials', 'nodes')],
	['sandbox', sourcesIn('sandbox')],
])('in %s', (_, files) => {
	test('a file name stands for one role', () => {
		const roles = repeated([...new Set(files.map(roleOf))].map((role) => [basename(role), role]));
		expect(Object.values(roles).filter((same) => !isOneResource(same))).toEqual([]);
	});

	test('an exported name has one meaning', () => {
		const exported = files.flatMap((file) => exportsOf(file).map((name) => [name, roleOf(file)] as const));
		const meanings = Object.entries(repeated(exported)).map(([name, roles]) => [name, [...new Set(roles)]] as const);
		expect(meanings.filter(([, roles]) => roles.length > 1)).toEqual([]);
	});
});
