import { Agent, type IncomingHttpHeaders, request } from 'node:http';

import type { SandboxOptions } from '../../sandbox/options.mts';
import { type RunningSandbox, startSandbox } from '../../sandbox/server.mts';

/** Any JSON value, with access by name or index. */
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
	if (typeof json !== 'string') {
		throw new Error(`not a text: ${JSON.stringify(json)}`);
	}
	return json;
}

/** @throws unless the value is an array */
export function asList(json: Json | undefined): Json[] {
	if (!Array.isArray(json)) {
		throw new Error(`not an array: ${JSON.stringify(json)}`);
	}
	return json;
}

/** A running sandbox and a client for it. */
export interface SandboxClient extends RunningSandbox {
	/** Sends a request to a path below /api/v1; never throws for a status. @param token null for none */
	api(method: string, path: string, body?: unknown, token?: string | null): Promise<ApiResponse>;
	control(path: string, body?: unknown): Promise<Json>;
	advance(seconds: number): Promise<void>;
}

/** Starts a sandbox in which calls need no real time in a status, so that tests are fast. */
export async function startClient(options: Partial<SandboxOptions> = {}): Promise<SandboxClient> {
	const sandbox = await startSandbox({ minimumStatusMs: 0, rateLimit: 100_000, ...options });
	const agent = new Agent({ keepAlive: true });
	const control = async (path: string, body?: unknown) =>
		(await send(agent, body === undefined ? 'GET' : 'POST', `${sandbox.url}/_sandbox/${path}`, body)).data;
	return {
		...sandbox,
		api: (method, path, body, token = sandbox.token) =>
			send(
				agent,
				method,
				`${sandbox.url}/api/v1${path}`,
				body,
				token === null ? {} : { Authorization: `Bearer ${token}` },
			),
		control,
		advance: async (seconds) => {
			await control('advance', { seconds });
		},
		close: async () => {
			agent.destroy();
			await sandbox.close();
		},
	};
}

/** Sends one request. The tests send thousands, for which a full HTTP client is too slow. */
function send(
	agent: Agent,
	method: string,
	url: string,
	body: unknown,
	headers: Record<string, string> = {},
): Promise<ApiResponse> {
	const sent = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
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
