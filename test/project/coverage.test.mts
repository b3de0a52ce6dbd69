import { basename, join } from 'node:path';

import type { Operation } from '../../nodes/VoiceAgentCalling/operation/operation.ts';
import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { root } from '../../scripts/lib/places.mts';
import { readEndpoints } from '../docs/coverage.mts';
import { filesIn, read, sourcesIn } from './sources.mts';

const folder = 'nodes/VoiceAgentCalling';

test('docs/contributing/coverage.md names each endpoint of the sandbox that no operation uses, and is short', () => {
	const page = read('docs/contributing/coverage.md');
	const unused = readEndpoints().filter(({ path, operations }) => path.startsWith('/api/') && operations.length === 0);
	expect(unused.length).toBeGreaterThan(0);
	const unnamed = unused.filter(({ method, path }) => !page.includes(`\`${method} ${path.replace('/api/v1', '')}\``));
	expect(unnamed).toEqual([]);
	expect(page.split(/\s+/).length).toBeLessThanOrEqual(300);
});

test('there is a schema of the output of each operation, and no other (if not: npm run generate)', () => {
	const schemas = `${folder}/__schema__/v1.0.0`;
	const wanted = resources.flatMap(({ value, operations }) =>
		operations.map((operation) => `${schemas}/${value}/${operation.value}.json`),
	);
	expect(filesIn([schemas], /./).sort()).toEqual(wanted.sort());
});

test('the first operation of each resource only reads, except where a call is what it is for', () => {
	const { properties } = new VoiceAgentCalling().description;
	const first = resources.map(({ name, value, operations }) => {
		const menu = properties.find(
			(property) => property.name === 'operation' && property.displayOptions?.show?.resource?.[0] === value,
		);
		return `${name} → ${operations.find((operation) => operation.value === menu?.default)?.name}`;
	});
	const writing = readEndpoints().filter(({ method }) => method !== 'GET');
	const writes = writing.flatMap(({ operations }) => operations.map(({ name }) => name));
	expect(first.filter((name) => writes.includes(name)).sort()).toEqual(['Call → Place', 'Campaign → Queue Call']);
});

test('each operation is in the list of its resource, and its file has its name', async () => {
	const isOperation = (value: unknown): value is Operation => 'action' in Object(value) && 'run' in Object(value);
	for (const { value, operations } of resources) {
		for (const file of sourcesIn(`${folder}/resources/${value}`).filter((name) => !name.endsWith('/index.ts'))) {
			const exported = Object.entries((await import(join(root, file))) as Record<string, unknown>);
			for (const [key, operation] of exported.filter(([, one]) => isOperation(one))) {
				// A reserved word cannot be the name of an export.
				const names = [key, /^(delete|export)(?=[A-Z])/.exec(key)?.[0]];
				expect({ file, listed: operations.some((one) => one === operation) }).toEqual({ file, listed: true });
				expect(names).toContain(basename(file, '.ts'));
			}
		}
	}
});
