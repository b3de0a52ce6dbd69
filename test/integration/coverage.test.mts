import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { type Listing, listings } from '../../nodes/shared/pickers/listings.ts';
import { type Operation, type Resource } from '../../nodes/VoiceAgentCalling/operation/operation.ts';
import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { routes } from '../../sandbox/resources/index.mts';
import { endpointOf, readEndpoints, signature } from '../docs/coverage.mts';
import { makeRuns } from './schemaRuns/run.mts';
import { startService } from './service.mts';

/** It sends whatever the user says, so only its own endpoints are looked for. */
const FREE = 'Service → Make API Request';

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

test('the operations of the table are those of the node', () => {
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

test('every operation has a schema of its output', () => {
	const schemas = join(__dirname, '..', '..', 'nodes', 'VoiceAgentCalling', '__schema__', 'v1.0.0');
	const without = offered.filter(
		({ resource, operation }) => !existsSync(join(schemas, resource.value, `${operation.value}.json`)),
	);
	expect(without.map(({ name }) => name)).toEqual([]);
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

/** The endpoints from which the lists of an operation's fields are filled. */
function pickersOf({ fields, updates, options, filters }: Operation): string[] {
	const properties = JSON.stringify([fields, updates, options, filters].flat().map((field) => field.properties));
	return Object.entries<Listing>(listings)
		.filter(([name]) => properties.includes(`"${name}"`))
		.map(([, { under = [], path }]) => signature('GET', ['/api/v1', ...path(...under.map(() => '{id}'))].join('/')));
}

describe('what the operations really send is what the table says', () => {
	let service: Awaited<ReturnType<typeof startService>>;
	beforeAll(async () => {
		service = await startService();
	});

	test.each(resources.map((resource) => [resource.name, resource] as const))('%s', async (_name, resource) => {
		const runs = await makeRuns(service, resource.value);
		const sent = resource.operations.map((operation) => {
			const name = nameOf(resource, operation);
			const wanted = uses.filter((use) => use.name === name && use.role !== 'picker').map(({ endpoint }) => endpoint);
			const requests = runs.get(operation.value)?.requests.filter(isOfApi) ?? [];
			const used = new Set(
				requests.map(({ method, path }) => {
					const { path: pattern } = endpointOf(endpoints, method, path) ?? {};
					return pattern === undefined
						? `${method} ${path}, which the table does not have`
						: signature(method, pattern);
				}),
			);
			const compared = name === FREE ? [...used].filter((endpoint) => wanted.includes(endpoint)) : [...used];
			return { name, wanted: wanted.sort(), used: compared.sort() };
		});
		for (const { name, wanted, used } of sent) {
			expect({ name, used }).toEqual({ name, used: wanted });
		}
	});
});
