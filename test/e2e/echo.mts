import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How the service of {@link startEcho} fails. */
export const failures = ['401', '403', '422', '500', 'page', 'not JSON', 'redirect', 'slow', 'cut'] as const;
export type Failure = (typeof failures)[number];

/** A service that repeats everything it receives. */
export interface Echo {
	url: string;
	/** How it answers all requests but the list of webhooks: a trigger has to get as far as registering. */
	failure: Failure;
	/** The signing secrets that it was given. */
	secrets: Set<string>;
	/** How often it was given one. */
	registrations: number;
	close(): void;
}

/** Starts a service that fails, and puts the request's token and body into every part of its answer. */
export async function startEcho(): Promise<Echo> {
	const server = createServer(async (request, response) => {
		let body = '';
		for await (const chunk of request) {
			body += String(chunk);
		}
		for (const [, secret] of body.matchAll(/"webhook_secret":"([^"]+)"/g)) {
			echo.secrets.add(secret);
			echo.registrations += 1;
		}
		if (request.method === 'GET' && request.url?.endsWith('/webhooks')) {
			response.setHeader('content-type', 'application/json').end('{"success":true,"data":{"webhooks":[]}}');
			return;
		}
		await answer(echo.failure, `You sent ${request.headers.authorization} and ${body}`, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const echo: Echo = {
		url,
		failure: '500',
		secrets: new Set(),
		registrations: 0,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
	return echo;
}

async function answer(failure: Failure, text: string, response: ServerResponse): Promise<void> {
	// A header value has one line of Latin letters.
	const line = encodeURIComponent(text);
	response.setHeader('X-Echo', line);
	switch (failure) {
		case 'page':
			response.writeHead(502, { 'content-type': 'text/html' }).end(`<h1>Bad gateway</h1><pre>${text}</pre>`);
			return;
		case 'not JSON':
			response.writeHead(200, { 'content-type': 'application/json' }).end(`{"success": true, ${text}`);
			return;
		case 'redirect':
			response.writeHead(307, { location: `http://127.0.0.1:9/?echo=${line}` }).end();
			return;
		case 'slow':
			await sleep(1500);
			response.end(text);
			return;
		case 'cut':
			response.write(text);
			response.destroy();
			return;
		default:
			response.writeHead(Number(failure), { 'content-type': 'application/json' });
			response.end(
				JSON.stringify({
					success: false,
					code: text,
					message: text,
					error: { code: text, message: text },
					errors: { webhook_secret: [text] },
				}),
			);
	}
}
