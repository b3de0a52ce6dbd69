import axios, { type AxiosResponse } from 'axios';

import type { SandboxOptions } from '../../sandbox/options.mts';
import { type RunningSandbox, startSandbox } from '../../sandbox/server.mts';

/** Any JSON value, to look into by name or index; what it is in the end, a test expects. */
export interface Json {
	[key: string]: Json;
}
export type ApiResponse = AxiosResponse<Json>;

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
	const client = axios.create({ baseURL: sandbox.url, validateStatus: () => true, proxy: false });
	const control = async (path: string, body?: unknown) => {
		const url = `/_sandbox/${path}`;
		return (body === undefined ? await client.get(url) : await client.post(url, body)).data as Json;
	};
	return {
		...sandbox,
		api: (method, path, body, token = sandbox.token) =>
			client.request({
				method,
				url: `/api/v1${path}`,
				data: body,
				headers: token === null ? {} : { Authorization: `Bearer ${token}` },
			}),
		control,
		advance: async (seconds) => {
			await control('advance', { seconds });
		},
	};
}
