import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { harness } from './harness.mts';
import { Service } from './service.mts';

/** Private words, each in another place of the answers; none occurs there by chance. */
export const planted = {
	token: ['a', 'token', 'of', 'the', 'environment'].join('-'),
	resumeToken: ['resumes', 'a', 'wait'].join('-'),
	ownResumeToken: ['resumes', 'this', 'node'].join('-'),
	ticket: ['ticket', 'of', 'a', 'call'].join('-'),
};

/** The address of a wait, as n8n gives it to any node. */
const waiting = `https://n8n.example.com/webhook-waiting/17?signature=${planted.resumeToken}`;

/** The address of Wait Until Completed, in an n8n with another path for waits. */
const ownWaiting = `https://n8n.example.com/w/17/node-1?signature=${planted.ownResumeToken}&campaign=c-1`;

const told = `It got Bearer ${planted.token}, and calls ${ownWaiting}, once`;

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts private words wherever an object has a place for one, without changing what the nodes go by. */
function withPrivateWords(value: unknown): unknown {
	if (Array.isArray(value)) {
		return value.map(withPrivateWords);
	}
	if (!isRecord(value)) {
		return value;
	}
	const entries = Object.entries(value).map(([key, inner]) => [key, withPrivateWords(inner)]);
	const result: Record<string, unknown> = Object.fromEntries(entries);
	const { id, webhook_url: url, webhooks, message } = result;
	// Triggers have to be found, and what a test has put there has to come back.
	if (typeof url === 'string' && !url.includes('?') && !url.endsWith('/webhook')) {
		result.webhook_url = waiting;
	}
	if (Array.isArray(webhooks)) {
		webhooks.push({ id: 'waits', name: 'Waits', webhook_url: ownWaiting, events: [], enabled: true });
	}
	if (typeof message === 'string') {
		result.message = `${message} ${told}`;
	}
	if (id !== undefined) {
		result.note = told;
		result.context = { ...Object(result.context), 'n8n-nodes-voice-agent-calling': planted.ticket };
	}
	return result;
}

/** Starts a sandbox and a proxy before it that adds private words to every answer; only the nodes use the proxy. */
export async function startIndiscreetService(): Promise<Service> {
	const sandbox = await harness.startSandbox({ token: planted.token, rateLimit: 1_000_000 });
	const proxy = createServer(async (request, response) => {
		const parts: Buffer[] = [];
		for await (const part of request) {
			parts.push(part as Buffer);
		}
		const { connection: _connection, host: _host, ...headers } = request.headers as Record<string, string>;
		const method = String(request.method);
		const body = parts.length > 0 ? Buffer.concat(parts) : undefined;
		const answer = await fetch(`${sandbox.url}${request.url}`, { method, headers, body });
		const text = await answer.text();
		const isJson = answer.headers.get('content-type')?.includes('json');
		response.statusCode = answer.status;
		response.setHeader('content-type', answer.headers.get('content-type') ?? 'text/plain');
		response.end(isJson ? JSON.stringify(withPrivateWords(JSON.parse(text))) : text);
	});
	harness.closeAtEnd(async () => void proxy.close());
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	const service = new Service(sandbox);
	const baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
	service.credentials = (changes = {}) => ({
		voiceAgentCallingApi: { baseUrl, environmentToken: planted.token, ...changes },
	});
	return service;
}
