import { Agent, type IncomingHttpHeaders, request } from 'node:http';

import type { SandboxOptions } from '../../sandbox/options.mts';
import { type RunningSandbox, startSandbox } from '../../sandbox/server.mts';

/** Any JSON value, to look into by name or index; what it is in the end, a test expects. */
export interface Json {
	[key: string]: Json;
}

export interface ApiResponse {
	status: number;
	headers: IncomingHttpHeaders;
	/** The parsed body; text if it is not JSON. */
	data: Json;
}

/** A JSON value that is a text. */
export function asText(json: Json | undefined): string {
	if (typeof json !== 'string') {
		throw new Error(`not a text: ${JSON.stringify(json)}`);
	}
	return json;
}

/** A JSON value that is an array. */
export function asList(json: Json | undefined): Json[] {
	if (!Array.isArray(json)) {
		throw new Error(`not an array: ${JSON.stringify(json)}`);
	}
	return json;
}

/** A sandbox with what a test needs to talk to it. */
export interface SandboxClient extends RunningSandbox {
	/** Sends a request below /api/v1 with the token (or another, or none for null); never throws for a status. */
	api(method: string, path: string, body?: unknown, token?: string | null): Promise<ApiResponse>;
	control(path: string, body?: unknown): Promise<Json>;
	advance(seconds: number): Promise<void>;
}

/** Starts a sandbox; calls change their status without the least real time, so that tests are quick. */
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

/** Sends one request; far less work than a full HTTP client, of which the tests send thousands. */
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
