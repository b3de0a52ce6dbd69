import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How an operation uses an endpoint: as its own, besides its own, or to fill a list to choose from. */
type Role = 'own' | 'also' | 'picker';

/** One row of docs/coverage.md. */
export interface Endpoint {
	method: string;
	/** With `{variables}`; what is not published has no path. */
	path: string | undefined;
	/** Names of operations, "Resource → Operation". */
	operations: Array<{ name: string; role: Role }>;
	/** Why no operation uses it, or how one does. */
	why: string;
}

const file = join(__dirname, '..', '..', 'docs', 'coverage.md');

/** All endpoints of docs/coverage.md. */
export function readEndpoints(): Endpoint[] {
	const lines = readFileSync(file, 'utf8').split('\n');
	return lines.filter((line) => /^\| (GET|POST|PUT|PATCH|DELETE) \|/.test(line)).map(endpoint);
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

function use(text: string): Endpoint['operations'][number] {
	const [, name = text, role = 'own'] = /^(.*?)(?: \((also|picker)\))?$/.exec(text) ?? [];
	return { name, role: role as Role };
}

/** Method and path with every variable as `{}`, to compare endpoints however they are written. */
export function signature(method: string, path: string): string {
	return `${method} ${path.replace(/\{[^}]*\}|:[^/]+/g, '{}')}`;
}

/** The endpoint that a request was for: of those that fit, the one with the fewest variables. */
export function endpointOf(endpoints: readonly Endpoint[], method: string, path: string): Endpoint | undefined {
	const parts = path.split('/');
	const fits = ({ method: own, path: pattern = '' }: Endpoint) => {
		const wanted = pattern.split('/');
		return (
			own === method &&
			wanted.length === parts.length &&
			wanted.every((part, index) => part.startsWith('{') || part === parts[index])
		);
	};
	const variables = ({ path: pattern = '' }: Endpoint) => pattern.split('{').length;
	return endpoints.filter(fits).sort((one, other) => variables(one) - variables(other))[0];
}
