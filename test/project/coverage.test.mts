import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { root } from '../../scripts/lib/places.mts';
import { readEndpoints, withOperations } from '../docs/coverage.mts';

const leftOut = readFileSync(join(root, 'docs', 'contributing', 'coverage.md'), 'utf8');

test('docs/contributing/coverage.md names each endpoint of the sandbox that no operation uses, and is short', () => {
	const unused = readEndpoints().filter(({ path, operations }) => path.startsWith('/api/') && operations.length === 0);
	expect(unused.length).toBeGreaterThan(0);
	const unnamed = unused.filter(
		({ method, path }) => !leftOut.includes(`\`${method} ${path.replace('/api/v1', '')}\``),
	);
	expect(unnamed).toEqual([]);
	expect(leftOut.split(/\s+/).length).toBeLessThanOrEqual(300);
});

test('there is a schema of the output of each operation, and no other (if not: npm run generate)', () => {
	const schemas = join(root, 'nodes', 'VoiceAgentCalling', '__schema__', 'v1.0.0');
	const present = readdirSync(schemas).flatMap((resource) =>
		readdirSync(join(schemas, resource)).map((file) => `${resource}/${file}`),
	);
	const wanted = resources.flatMap((resource) =>
		resource.operations.map((operation) => `${resource.value}/${operation.value}.json`),
	);
	expect(present.sort()).toEqual(wanted.sort());
});

test('the first operation of each resource only reads, except where a call is what it is for', () => {
	const { properties } = new VoiceAgentCalling().description;
	const first = resources.flatMap((resource) => {
		const { default: value } = properties.find(
			({ name, displayOptions }) => name === 'operation' && displayOptions?.show?.resource?.[0] === resource.value,
		)!;
		return resource.operations
			.filter((operation) => operation.value === value)
			.map(({ name }) => `${resource.name} → ${name}`);
	});
	expect(first).toHaveLength(resources.length);
	const writing = readEndpoints().filter(({ method }) => method !== 'GET');
	const writes = writing.flatMap(({ operations }) => operations.map(({ name }) => name));
	expect(first.filter((name) => writes.includes(name)).sort()).toEqual(['Call → Place', 'Campaign → Queue Call']);
});

test('an endpoint belongs to what the operations send; of a new operation the first that changes something is its own', () => {
	const requests = (...sent: string[]) =>
		sent.map((request) => {
			const [method = '', path = ''] = request.split(' ');
			return { method, path };
		});
	const known = ['GET /things', 'GET /things/{id}', 'PUT /things/{id}', 'GET /things/all'];
	const before = { Check: { own: [], also: ['GET /things/{id}'] }, Gone: { own: ['GET /things'], also: [] } };
	const all = [
		{ name: 'Check', runs: [requests('GET /things/1')] },
		{ name: 'Update', runs: [requests('GET /things/all', 'PUT /things/1')] },
	];
	expect(JSON.parse(withOperations(all, before, known))).toEqual({
		Check: { own: [], also: ['GET /things/{id}'] },
		Update: { own: ['PUT /things/{id}'], also: ['GET /things/all'] },
	});
	const odd = [{ name: 'Odd', runs: [requests('GET /odd')] }];
	expect(() => withOperations(odd, before, known)).toThrow(
		'Odd sends GET /odd, which docs/openapi.json does not have.',
	);
});
