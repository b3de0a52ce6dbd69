import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { openApiDocument } from '../../sandbox/openApi/document.mts';
import { root } from '../../scripts/lib/places.mts';

/** The endpoints of an operation, "METHOD /path/{variable}": its own, and those that it uses besides. */
interface Endpoints {
	own: string[];
	also: string[];
}

/** An endpoint with the operations that use it. */
export interface Endpoint {
	method: string;
	path: string;
	operations: Array<{ name: string; own: boolean }>;
}

/** The requests that an operation sent in its runs. */
export interface Uses {
	/** "Resource → Operation". */
	name: string;
	/** The requests of each of its runs, in order. */
	runs: ReadonlyArray<ReadonlyArray<{ method: string; path: string }>>;
}

const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** The endpoints of each operation, by "Resource → Operation", as recorded in the runs of the operations. */
const recorded = (): Record<string, Endpoints> => read('test/docs/endpoints.json');

/** Every endpoint of the sandbox, as "METHOD /path/{variable}". */
function endpoints(): string[] {
	return Object.entries(openApiDocument().paths).flatMap(([path, methods]) =>
		Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
	);
}

/** Every endpoint of the sandbox with the operations that use it. */
export function readEndpoints(): Endpoint[] {
	const all = Object.entries(recorded());
	return endpoints().map((endpoint) => {
		const [method = '', path = ''] = endpoint.split(' ');
		const using = all.filter(([, { own, also }]) => [...own, ...also].includes(endpoint));
		return { method, path, operations: using.map(([name, { own }]) => ({ name, own: own.includes(endpoint) })) };
	});
}

/**
 * The text of test/docs/endpoints.json with what the operations sent. Of a new operation, the first request of each run
 * that changes something, otherwise the first one, goes to an endpoint of its own. An existing entry keeps its place:
 * where the guess is wrong it is corrected by hand.
 *
 * @throws Error where an operation sends a request to an endpoint that the sandbox does not have
 */
export function withOperations(all: readonly Uses[]): string {
	const before = recorded();
	const known = endpoints();
	const entries = all.map(({ name, runs }): [string, Endpoints] => {
		const old = before[name];
		const sent = new Set<string>();
		const first = new Set<string>();
		for (const requests of runs) {
			const own = requests.find(({ method }) => method !== 'GET') ?? requests[0];
			for (const request of requests) {
				const endpoint = endpointOf(known, name, request);
				sent.add(endpoint);
				if (request === own) {
					first.add(endpoint);
				}
			}
		}
		const isOwn = (endpoint: string) => (old ? old.own : [...first]).includes(endpoint);
		const used = known.filter((endpoint) => sent.has(endpoint));
		return [name, { own: used.filter(isOwn), also: used.filter((endpoint) => !isOwn(endpoint)) }];
	});
	return `${JSON.stringify(Object.fromEntries(entries), null, '\t')}\n`;
}

/** The endpoint of a request: of those that match, the one with the fewest variables. */
function endpointOf(
	known: readonly string[],
	name: string,
	{ method, path }: Record<'method' | 'path', string>,
): string {
	const request = `${method} ${path}`.split('/');
	const fits = (endpoint: string) => {
		const segments = endpoint.split('/');
		const isSame = (segment: string, index: number) => segment.startsWith('{') || segment === request[index];
		return segments.length === request.length && segments.every(isSame);
	};
	const variables = (endpoint: string) => endpoint.split('{').length;
	const found = known.filter(fits).sort((left, right) => variables(left) - variables(right))[0];
	if (found === undefined) {
		throw new Error(`${name} sends ${method} ${path}, which the sandbox does not have.`);
	}
	return found;
}
