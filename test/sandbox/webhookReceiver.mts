import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';

import { asText, type Json } from './client.mts';
import { listening } from './listening.mts';

/** A received request. */
export interface Received {
	method: string;
	headers: IncomingHttpHeaders;
	raw: string;
	body: Json;
}

/** A server for webhooks. */
export interface WebhookReceiver {
	url: string;
	received: Received[];
	/** The events received so far, in order. */
	events(): string[];
	/** Sets the status of all further responses; null for no response. */
	respond(status: number | null, headers?: Record<string, string>): void;
	/** Responds to all requests that have no response yet. */
	release(status: number): void;
	close(): void;
}

/** Starts a server that records all requests and responds with 200 by default. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
	const received: Received[] = [];
	const waiting: ServerResponse[] = [];
	let status: number | null = 200;
	let responseHeaders: Record<string, string> = {};
	const server: Server = createServer((request, response) => {
		let raw = '';
		request.setEncoding('utf8');
		request.on('data', (chunk: string) => (raw += chunk));
		request.on('end', () => {
			received.push({ method: request.method ?? '', headers: request.headers, raw, body: JSON.parse(raw) as Json });
			if (status === null) {
				waiting.push(response);
			} else {
				response.writeHead(status, responseHeaders).end('ok');
			}
		});
	});
	return {
		url: `${await listening(server)}/hook`,
		received,
		events: () => received.map(({ body }) => asText(body.event)),
		respond(next, headers = {}) {
			status = next;
			responseHeaders = headers;
		},
		release(late) {
			for (const response of waiting.splice(0)) {
				response.writeHead(late).end('ok');
			}
		},
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}
