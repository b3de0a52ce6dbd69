import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

import type { SandboxOptions } from '../../sandbox/options.mts';
import { harness } from './harness.mts';
import { listen } from './listen.mts';
import { Service } from './service.mts';

/**
 * Starts a sandbox and a proxy before it that changes the JSON of every answer; only the nodes use the proxy.
 * @param change gets the answer and the URL of the request
 * @param refuse is called before each request; it returns the body of a 422 for one that is to be refused
 */
export async function startChangedService(
	change: (body: unknown, url: URL) => unknown,
	options: Partial<SandboxOptions> = {},
	refuse: (method: string, url: URL) => object | undefined | Promise<undefined> = () => undefined,
): Promise<Service> {
	const sandbox = await harness.startSandbox({ rateLimit: 1_000_000, ...options });
	const proxy = createServer(async (request, response) => {
		const { connection: _connection, host: _host, ...headers } = request.headers as Record<string, string>;
		const method = String(request.method);
		const url = new URL(String(request.url), sandbox.url);
		const refusal = await refuse(method, url);
		if (refusal !== undefined) {
			response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
			return;
		}
		const sent = await buffer(request);
		const body = sent.length > 0 ? sent : undefined;
		const answer = await fetch(`${sandbox.url}${request.url}`, { method, headers, body });
		const text = await answer.text();
		const type = answer.headers.get('content-type') ?? 'text/plain';
		response.writeHead(answer.status, { 'content-type': type });
		response.end(type.includes('json') ? JSON.stringify(change(JSON.parse(text), url)) : text);
	});
	const baseUrl = `http://127.0.0.1:${await listen(proxy)}`;
	const service = new Service(sandbox);
	service.credentials = (changes = {}) => ({
		voiceAgentCallingApi: { baseUrl, environmentToken: sandbox.token, ...changes },
	});
	return service;
}
