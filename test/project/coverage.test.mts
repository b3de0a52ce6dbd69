import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Operation, Resource } from '../../nodes/VoiceAgentCalling/operation/operation.ts';
import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { routes } from '../../sandbox/resources/index.mts';
import { readEndpoints, signature } from '../docs/coverage.mts';
import { pickersOf } from '../docs/pickers.mts';

/** The files that the service gives addresses of lie elsewhere. */
const isOfApi = ({ path }: { path: string }) => path.startsWith('/api/');

const endpoints = readEndpoints();
const known = endpoints.flatMap(({ method, path }) => (path === undefined ? [] : [signature(method, path)]));
const uses = endpoints.flatMap(({ method, path = '', operations }) =>
	operations.map((use) => ({ ...use, endpoint: signature(method, path) })),
);
const nameOf = (resource: Resource, { name }: Operation) => `${resource.name} → ${name}`;
const offered = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({ resource, operation, name: nameOf(resource, operation) })),
);

test('the table has each endpoint once, with an operation or the reason why there is none', () => {
	expect(known.length).toBeGreaterThan(130);
	expect(known.filter((endpoint, index) => known.indexOf(endpoint) !== index)).toEqual([]);
	expect(endpoints.filter(({ operations, why }) => operations.length === 0 && why === '')).toEqual([]);
});

test('the table has exactly the operations of the node (if not: npm run generate)', () => {
	const inTable = new Set(uses.map(({ name }) => name));
	const inNode = offered.map(({ name }) => name);
	expect(inNode.filter((name) => !inTable.has(name))).toEqual([]);
	expect([...inTable].filter((name) => !inNode.includes(name))).toEqual([]);
});

test('the sandbox has a route for each endpoint that an operation uses, and none that the table lacks', () => {
	const routed = routes.filter(isOfApi).map(({ method, path }) => signature(method, path));
	expect(uses.map(({ endpoint }) => endpoint).filter((endpoint) => !routed.includes(endpoint))).toEqual([]);
	expect(routed.filter((route) => !known.includes(route))).toEqual([]);
});

test('there is a schema of the output of each operation, and no other (if not: npm run generate)', () => {
	const schemas = join(__dirname, '..', '..', 'nodes', 'VoiceAgentCalling', '__schema__', 'v1.0.0');
	const present = readdirSync(schemas).flatMap((resource) =>
		readdirSync(join(schemas, resource)).map((file) => `${resource}/${file}`),
	);
	const wanted = offered.map(({ resource, operation }) => `${resource.value}/${operation.value}.json`);
	expect(present.sort()).toEqual(wanted.sort());
});

test('the first operation of each resource only reads, except where a call is what it is for', () => {
	const { properties } = new VoiceAgentCalling().description;
	const first = resources.flatMap((resource) => {
		const { default: value } = properties.find(
			({ name, displayOptions }) => name === 'operation' && displayOptions?.show?.resource?.[0] === resource.value,
		)!;
		return resource.operations.filter((operation) => operation.value === value).map((one) => nameOf(resource, one));
	});
	expect(first).toHaveLength(resources.length);
	const writes = uses.filter(({ name, endpoint }) => first.includes(name) && !endpoint.startsWith('GET '));
	expect([...new Set(writes.map(({ name }) => name))].sort()).toEqual(['Call → Place', 'Campaign → Queue Call']);
});

test('the lists to choose from come from the endpoints that the table names', () => {
	const named = uses.filter(({ role }) => role === 'picker');
	const filled = offered.flatMap(({ operation, name }) =>
		pickersOf(operation).map((endpoint) => `${name}: ${endpoint}`),
	);
	for (const { name, endpoint } of named) {
		expect(filled).toContain(`${name}: ${endpoint}`);
	}
});
