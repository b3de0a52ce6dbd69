import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

import type { Route } from '../../sandbox/http/route.mts';
import { routes } from '../../sandbox/resources/index.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { operationId } from '../../test/docs/openApi/exchange.mts';
import { exchangeWith, MADE_UP, startReceiver } from '../../test/docs/openApi/recording.mts';
import { type Answer, type Given, tour } from '../../test/docs/openApi/tour.mts';
import { cache, root } from '../lib/places.mts';
import { runCaptured } from '../lib/process.mts';

interface Media {
	example?: unknown;
	examples?: Record<string, { value?: unknown }>;
}
interface Response {
	$ref?: string;
	content?: Record<string, Media>;
}
interface Operation {
	parameters?: Array<{ name: string; in: string; example?: unknown }>;
	requestBody?: { content: Record<string, Media> };
	responses: Record<string, Response>;
}
/** What of the document is used here. */
interface Document {
	paths: Record<string, Record<string, Operation>>;
	components: { responses: Record<string, Response> };
}

/** What the client found out. */
export interface ClientResult {
	operations: number;
	/** The examples of responses whose types were checked. */
	examples: number;
	findings: string[];
}

const folder = join(cache, 'openapi', 'client');
const tools = join(root, 'tools', 'openapi', 'node_modules');

const compilerOptions = {
	strict: true,
	noEmit: true,
	skipLibCheck: true,
	module: 'nodenext',
	target: 'es2022',
	lib: ['es2023', 'dom', 'dom.iterable'],
	types: [],
	allowImportingTsExtensions: true,
};

/**
 * Generates a client with openapi-typescript, calls each operation of a fresh sandbox with its example by
 * openapi-fetch, and lets TypeScript check the calls, the responses, and the examples of all responses.
 */
export async function checkClient(document: Document, file: string): Promise<ClientResult> {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	symlinkSync(tools, join(folder, 'node_modules'), 'junction');
	const findings: string[] = [];

	const generator = join(tools, 'openapi-typescript', 'bin', 'cli.js');
	const generated = await runCaptured([generator, file, '--output', join(folder, 'schema.ts')], root);
	if (generated.status !== 0) {
		throw new Error(generated.output);
	}
	const examples = responseExamples(document);
	writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
	writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
	writeFileSync(join(folder, 'calls.ts'), callsSource(document));
	writeFileSync(join(folder, 'examples.ts'), valuesSource(examples));

	const { answers, called, wrong } = await callAll(document);
	findings.push(...wrong);
	writeFileSync(join(folder, 'responses.ts'), valuesSource(answers));

	const typescript = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
	const { status, output } = await runCaptured([typescript, '--project', folder], folder);
	if (status !== 0) {
		findings.push(...output.trim().split('\n'));
	}
	return { operations: called, examples: examples.length, findings };
}

/** A value that a type of the generated client has to fit. */
interface TypedValue {
	path: string;
	method: string;
	status: string;
	value: unknown;
}

/** The success response of an operation with its examples. */
function responseExamples({ paths, components }: Document): TypedValue[] {
	return Object.entries(paths).flatMap(([path, operations]) =>
		Object.entries(operations).flatMap(([method, { responses }]) =>
			Object.entries(responses).flatMap(([status, { $ref, content }]) => {
				const json = ($ref ? components.responses[$ref.split('/').at(-1)!]?.content : content)?.['application/json'];
				return json ? valuesOf(json).map((value) => ({ path, method, status, value })) : [];
			}),
		),
	);
}

function valuesOf({ example, examples }: Media): unknown[] {
	const all = example === undefined ? Object.values(examples ?? {}).map(({ value }) => value) : [example];
	if (all.length === 0) {
		throw new Error('A response has no example.');
	}
	return all;
}

/** A module in which each value has the type of its response. */
function valuesSource(values: readonly TypedValue[]): string {
	const lines = values.map(({ path, method, status, value }, index) => {
		const type = `Body<'${path}', '${method}', ${status}>`;
		return `export const value${index}: ${type} = ${JSON.stringify(value)};`;
	});
	return [
		"import type { paths } from './schema.ts';",
		// Everything fits any and unknown: nothing is to fit them.
		'type Known<T> = unknown extends T ? never : T;',
		'type Json<R> = R extends { content: { "application/json": infer B } } ? Known<B> : never;',
		'type Body<P extends keyof paths, M extends keyof paths[P], S extends number> =',
		'	paths[P][M] extends { responses: infer R } ? (S extends keyof R ? Json<R[S]> : never) : never;',
		...lines,
		'',
	].join('\n');
}

/** The request of an operation's example. */
function exampleOf({ parameters = [], requestBody }: Operation): { path: object; query: object; body?: unknown } {
	const of = (where: string) =>
		Object.fromEntries(
			parameters
				.filter((parameter) => parameter.in === where && parameter.example !== undefined)
				.map(({ name, example }) => [name, example]),
		);
	const body = requestBody?.content['application/json']?.example;
	return { path: of('path'), query: of('query'), ...(body !== undefined && { body }) };
}

/** A module with one function for each operation, which calls it with its example. */
function callsSource({ paths }: Document): string {
	const calls = Object.entries(paths).flatMap(([path, operations]) =>
		Object.entries(operations).map(([method, operation]) => {
			const { path: own, query, body } = exampleOf(operation);
			const filled = (fields: object) => (Object.keys(fields).length > 0 ? fields : undefined);
			const params = filled({ path: filled(own), query: filled(query) });
			const isFile = Object.values(operation.responses).some(({ content }) => content?.['audio/mpeg']);
			const options = JSON.stringify({ params: filled(JSON.parse(JSON.stringify(params ?? {}))), body });
			const init = isFile ? `{ ...${options}, parseAs: 'arrayBuffer' }` : options;
			return `	'${method.toUpperCase()} ${path}': () => client.${method.toUpperCase()}('${path}', ${init}),`;
		}),
	);
	return [
		"import createClient from 'openapi-fetch';",
		"import type { paths } from './schema.ts';",
		'',
		'/** The calls of all operations. */',
		'export function callsOf(baseUrl: string, fetch: (request: Request) => Promise<Response>) {',
		"	const client = createClient<paths>({ baseUrl, fetch, headers: { Authorization: 'Bearer TOKEN' } });",
		'	return {',
		...calls,
		'	};',
		'}',
		'',
	].join('\n');
}

type Calls = Record<string, () => Promise<{ data?: unknown; error?: unknown; response: globalThis.Response }>>;

/** Calls each operation with its example, in the order of the tour that recorded the examples. */
async function callAll(document: Document): Promise<{ answers: TypedValue[]; called: number; wrong: string[] }> {
	const { callsOf } = (await import(pathToFileURL(join(folder, 'calls.ts')).href)) as {
		callsOf(baseUrl: string, fetch: (request: Request) => Promise<globalThis.Response>): Calls;
	};
	const receiver = await startReceiver();
	const sandbox = await startSandbox({ minimumStatusMs: 0, rateLimit: 100_000 });
	/** What this sandbox has instead of what the document names. */
	const actual = new Map([
		['http://127.0.0.1:4010', sandbox.url],
		['http://127.0.0.1:5678', receiver.url],
	]);
	const known = new RegExp(`${MADE_UP.source}|http://127\\.0\\.0\\.1:(?:4010|5678)`, 'g');
	const real = (text: string) => text.replace(known, (value) => actual.get(value) ?? value);
	const calls = callsOf(sandbox.url, async (request) => {
		const body = request.method === 'GET' ? undefined : real(await request.text()) || undefined;
		return await fetch(real(request.url), { method: request.method, headers: request.headers, body });
	});
	const byName = new Map(routes.map((route) => [`${route.method} ${route.path.replace('/api/v1', '')}`, route]));
	const answers = new Map<string, TypedValue>();
	const wrong: string[] = [];

	async function callOnce(route: Route, given: Given): Promise<unknown> {
		const path = route.path.replace(/:(\w+)/g, '{$1}');
		const method = route.method.toLowerCase();
		const operation = document.paths[path]![method]!;
		const example = exampleOf(operation);
		const query = Object.fromEntries(
			Object.entries(given.query ?? {}).map(([name, value]) => [Array.isArray(value) ? `${name}[]` : name, value]),
		);
		const sent = { path: given.params ?? {}, query, ...(given.body !== undefined && { body: given.body }) };
		learn(example, sent, actual);
		if (!isDeepStrictEqual(JSON.parse(real(JSON.stringify(example))), JSON.parse(JSON.stringify(sent)))) {
			wrong.push(`${operationId(route)}: the example is not the request of the tour: ${JSON.stringify(example)}`);
		}
		const { data, error, response } = await calls[`${route.method} ${path}`]!();
		const documented = operation.responses[response.status]?.content;
		if (error !== undefined || !documented || response.status >= 300) {
			wrong.push(`${operationId(route)} was answered with ${response.status}: ${JSON.stringify(error)}`);
			return error;
		}
		if (documented['application/json']) {
			learn(valuesOf(documented['application/json'])[0], data, actual);
		}
		answers.set(operationId(route), { path, method, status: String(response.status), value: data });
		return data;
	}

	try {
		const send = async (name: string, given: Given = {}): Promise<Answer> => {
			const route = byName.get(name)!;
			const answer = answers.has(operationId(route))
				? (await exchangeWith(sandbox.url, route, given)).answer
				: await callOnce(route, given);
			return answer as Answer;
		};
		await tour({
			seed: sandbox.seed,
			receiver: receiver.url,
			send,
			advance: async (seconds) => {
				await fetch(`${sandbox.url}/_sandbox/advance`, { method: 'POST', body: JSON.stringify({ seconds }) });
			},
		});
	} finally {
		await sandbox.close();
		await receiver.close();
	}
	const all = Object.values(document.paths).flatMap((operations) => Object.keys(operations)).length;
	if (answers.size !== all) {
		wrong.push(`Only ${answers.size} of ${all} operations were called with success.`);
	}
	const json = [...answers.values()].filter(({ value }) => !(value instanceof ArrayBuffer));
	return { answers: json, called: answers.size, wrong };
}

/** Notes what stands in the place of each made-up value of an example. */
function learn(example: unknown, found: unknown, actual: Map<string, string>): void {
	if (typeof example === 'string' && typeof found === 'string') {
		const names = example.match(MADE_UP) ?? [];
		const values = found.match(MADE_UP) ?? [];
		if (names.length === values.length) {
			for (const [index, name] of names.entries()) {
				actual.set(name, actual.get(name) ?? values[index]!);
			}
		}
	} else if (typeof example === 'object' && typeof found === 'object' && example !== null && found !== null) {
		for (const [key, value] of Object.entries(example)) {
			learn(value, (found as Record<string, unknown>)[key], actual);
		}
	}
}
