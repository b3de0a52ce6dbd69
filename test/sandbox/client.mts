import assert from 'node:assert';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

import type { OpenApiDocument } from '../../sandbox/openApi/document.mts';
import type { SandboxOptions } from '../../sandbox/options.mts';
import type { RunningSandbox, startSandbox } from '../../sandbox/server.mts';
import { readState, type State, writeState } from '../../sandbox/state/state.mts';

declare global {
	/** The sandbox of the test environment, its OpenAPI document, and the global object that it uses. */
	var sandbox: { startSandbox: typeof startSandbox; document: OpenApiDocument; itsGlobal: typeof globalThis };
}

/** A JSON value, whose parts are accessed by name or index. */
export interface Json {
	[key: string]: Json;
}

export interface ApiResponse {
	status: number;
	headers: IncomingHttpHeaders;
	/** The parsed body; text if it is not JSON. */
	data: Json;
}

/** @throws unless the value is a string */
export function asText(json: Json | undefined): string {
	assert(typeof json === 'string', `not a text: ${JSON.stringify(json)}`);
	return json;
}

/** @throws unless the value is an array */
export function asList(json: Json | undefined): Json[] {
	assert(Array.isArray(json), `not an array: ${JSON.stringify(json)}`);
	return json;
}

/** A running sandbox and a client for it. */
export interface SandboxClient extends RunningSandbox {
	/** Sends a request to a path below /api/v1. A status never throws. @param token null omits it */
	api(method: string, path: string, body?: unknown, token?: string | null): Promise<ApiResponse>;
	control(path: string, body?: unknown): Promise<Json>;
	/** Sends a request to a path below /_sandbox. A status never throws. */
	controlResponse(method: string, path: string, body?: unknown): Promise<ApiResponse>;
	advance(seconds: number): Promise<void>;
	snapshot(): Promise<Buffer>;
}

/** Starts a sandbox in which calls need no real time in a status, so that tests are fast. */
export async function startClient(options: Partial<SandboxOptions> = {}): Promise<SandboxClient> {
	const sandbox = await globalThis.sandbox.startSandbox({ minimumStatusMs: 0, rateLimit: 100_000, ...options });
	const agent = new Agent({ keepAlive: true });
	const control = async (path: string, body?: unknown) =>
		(await send(agent, body === undefined ? 'GET' : 'POST', `${sandbox.url}/_sandbox/${path}`, body)).data;
	return {
		...sandbox,
		api: (method, path, body, token = sandbox.token) => {
			const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
			return send(agent, method, `${sandbox.url}/api/v1${path}`, body, headers);
		},
		control,
		controlResponse: (method, path, body) => send(agent, method, `${sandbox.url}/_sandbox/${path}`, body),
		advance: async (seconds) => void (await control('advance', { seconds })),
		snapshot: async () => Buffer.from(await (await fetch(`${sandbox.url}/_sandbox/snapshot`)).arrayBuffer()),
		close: async () => {
			agent.destroy();
			await sandbox.close();
		},
	};
}

/** Changes the data of a sandbox by a snapshot. */
export async function changeState(service: SandboxClient, change: (state: State) => void): Promise<void> {
	const state = readState(await service.snapshot());
	change(state);
	await service.control('snapshot', writeState(state));
}

/** Sends a request. The tests send thousands of requests, for which a full HTTP client would be too slow. */
export function send(
	agent: Agent,
	method: string,
	url: string,
	body: unknown,
	headers: Record<string, string> = {},
): Promise<ApiResponse> {
	const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
	const sent = text === undefined ? undefined : Buffer.from(text);
	const bodyHeaders = sent && { 'Content-Type': 'application/json', 'Content-Length': sent.length };
	return new Promise((resolve, reject) => {
		request(url, { agent, method, headers: { ...bodyHeaders, ...headers } }, (response) => {
			let text = '';
			response.setEncoding('utf8');
			response.on('data', (chunk: string) => (text += chunk));
			response.on('error', reject);
			response.on('end', () => {
				resolve({ status: response.statusCode ?? 0, headers: response.headers, data: parsed(text) });
			});
		})
			.on('error', reject)
			.end(sent);
	});
}

function parsed(text: string): Json {
	try {
		return JSON.parse(text) as Json;
	} catch {
		return text as unknown as Json;
	}
}
