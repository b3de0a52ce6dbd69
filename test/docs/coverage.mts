import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How an operation uses an endpoint: as its own, besides its own, or to fill a list to choose from. */
type Role = 'own' | 'also' | 'picker';

interface Use {
	name: string;
	role: Role;
}

/** One row of docs/coverage.md. */
export interface Endpoint {
	method: string;
	/** With `{variables}`; undefined for an unpublished endpoint. */
	path: string | undefined;
	/** Names of operations, "Resource → Operation". */
	operations: Use[];
	/** Why no operation uses it, or how an operation uses it. */
	why: string;
}

/** The endpoints that an operation used in its runs. */
export interface Uses {
	/** "Resource → Operation". */
	name: string;
	/** The requests of each of its runs, in order. */
	runs: ReadonlyArray<ReadonlyArray<{ method: string; path: string }>>;
	/** The signatures of the endpoints that fill the lists of its fields; see `signature`. */
	pickers: readonly string[];
	/** True if the user writes the request: only the endpoints that the page lists for it are compared. */
	free: boolean;
}

const file = join(__dirname, '..', '..', 'docs', 'coverage.md');

const isRow = (line: string) => /^\| (GET|POST|PUT|PATCH|DELETE) \|/.test(line);

/** The current docs/coverage.md. */
export function coveragePage(): string {
	return readFileSync(file, 'utf8');
}

const endpointsOf = (page: string) => page.split('\n').filter(isRow).map(endpoint);

/** All endpoints of docs/coverage.md. */
export function readEndpoints(): Endpoint[] {
	return endpointsOf(coveragePage());
}

/**
 * docs/coverage.md with its column "Operation" updated: an operation is added where it sends a request and removed
 * where it sends none. Existing entries keep their position and "(also)". The reason why an endpoint has no operation
 * is removed when it gets its first one.
 *
 * @throws Error where an operation sends a request to an endpoint that the page does not have
 */
export function withOperations(page: string, all: readonly Uses[]): string {
	const endpoints = endpointsOf(page);
	const sent = new Map(all.map((uses) => [uses.name, ownBySignature(endpoints, uses)]));
	const isNew = (name: string) => !endpoints.some(({ operations }) => operations.some((use) => use.name === name));
	const row = (line: string): string => {
		const { method, path = '', operations, why } = endpoint(line);
		const here = signature(method, path);
		const existing = operations.filter(({ name, role }) => role !== 'picker' && sent.get(name)?.has(here));
		const added = all
			.filter(({ name, free }) => !free && sent.get(name)?.has(here) && !existing.some((use) => use.name === name))
			.map(({ name }): Use => ({ name, role: isNew(name) && sent.get(name)?.get(here) ? 'own' : 'also' }));
		const senders = [...existing, ...added];
		const pickers = all.filter((one) => one.pickers.includes(here)).map(({ name }): Use => ({ name, role: 'picker' }));
		// Pickers count only where no operation sends the request itself.
		const now = senders.length > 0 ? senders : pickers;
		const reason = operations.length === 0 && now.length > 0 ? '' : why;
		const cells = [method, line.split('|')[2]?.trim() ?? '', now.map(written).join('<br>'), reason];
		return `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`;
	};
	return page
		.split('\n')
		.map((line) => (isRow(line) ? row(line) : line))
		.join('\n');
}

/**
 * The endpoints to which an operation sends requests, and whether each is its own: in each run, the first endpoint that
 * changes something, otherwise the first one.
 */
function ownBySignature(endpoints: readonly Endpoint[], { name, runs, free }: Uses): Map<string, boolean> {
	const endpointsUsed = new Map<string, boolean>();
	for (const requests of runs) {
		const own = requests.find(({ method }) => method !== 'GET') ?? requests[0];
		for (const request of requests) {
			const { method, path } = request;
			const endpoint = endpointOf(endpoints, method, path);
			if (endpoint?.path === undefined) {
				if (free) {
					continue;
				}
				throw new Error(`${name} sends ${method} ${path}. Add the endpoint to a table of docs/coverage.md.`);
			}
			const key = signature(method, endpoint.path);
			endpointsUsed.set(key, endpointsUsed.get(key) || request === own);
		}
	}
	return endpointsUsed;
}

function endpoint(line: string): Endpoint {
	const cells = line
		.split('|')
		.slice(1, -1)
		.map((cell) => cell.trim());
	if (cells.length !== 4) {
		throw new Error(`Not four cells: ${line}`);
	}
	const [method = '', path = '', operations = '', why = ''] = cells;
	return {
		method,
		path: /^`(\/\S+)`$/.exec(path)?.[1],
		operations: operations.split('<br>').filter(Boolean).map(use),
		why,
	};
}

function use(text: string): Use {
	const [, name = text, role = 'own'] = /^(.*?)(?: \((also|picker)\))?$/.exec(text) ?? [];
	return { name, role: role as Role };
}

const written = ({ name, role }: Use) => (role === 'own' ? name : `${name} (${role})`);

/** Method and path with every variable as `{}`, to compare endpoints with different variable names. */
export function signature(method: string, path: string): string {
	return `${method} ${path.replace(/\{[^}]*\}|:[^/]+/g, '{}')}`;
}

/** The endpoint of a request: of those that match, the one with the fewest variables. */
export function endpointOf(endpoints: readonly Endpoint[], method: string, path: string): Endpoint | undefined {
	const parts = path.split('/');
	const fits = ({ method: own, path: pattern = '' }: Endpoint) => {
		const segments = pattern.split('/');
		return (
			own === method &&
			segments.length === parts.length &&
			segments.every((part, index) => part.startsWith('{') || part === parts[index])
		);
	};
	const variables = ({ path: pattern = '' }: Endpoint) => pattern.split('{').length;
	return endpoints.filter(fits).sort((left, right) => variables(left) - variables(right))[0];
}
