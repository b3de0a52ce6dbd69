import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { root } from '../lib/places.mts';

/** What of Prism is used here. */
interface PrismServer {
	listen(port: number, host: string): Promise<string>;
	close(): Promise<void>;
}
interface PrismHttp {
	getHttpOperationsFromSpec(file: string): Promise<unknown[]>;
}
interface PrismHttpServer {
	createServer(operations: unknown[], options: object): PrismServer;
}
interface PrismCore {
	createLogger(name: string, options: object): object;
}

const load = createRequire(join(root, 'tools', 'openapi', 'package.json'));

/** A difference from the document. */
export interface Violation {
	location: string[];
	message: string;
}

/** A proxy that compares requests and responses with the OpenAPI document. */
export interface ValidatingProxy {
	url: string;
	close(): Promise<void>;
}

/**
 * Starts Prism's validating proxy on 127.0.0.1. It forwards a request to the origin in its header `X-Forward-To`, and
 * reports what differs from the document in the header `sl-violations` of the response.
 */
export async function startProxy(document: string): Promise<ValidatingProxy> {
	const { getHttpOperationsFromSpec } = load('@stoplight/prism-http') as PrismHttp;
	const { createServer: createPrism } = load('@stoplight/prism-http-server') as PrismHttpServer;
	const { createLogger } = load('@stoplight/prism-core') as PrismCore;
	const forwarder = await startForwarder();
	const prism = createPrism(await getHttpOperationsFromSpec(document), {
		cors: false,
		config: {
			isProxy: true,
			upstream: new URL(forwarder.url),
			validateRequest: true,
			validateResponse: true,
			checkSecurity: true,
			errors: false,
			mock: { dynamic: false },
		},
		components: { logger: createLogger('Prism', { level: 'silent' }) },
	});
	const url = await prism.listen(0, '127.0.0.1');
	return {
		url,
		async close() {
			await prism.close();
			await forwarder.close();
		},
	};
}

/** Prism knows one server; the tests start many. */
async function startForwarder(): Promise<ValidatingProxy> {
	const server = createServer(async (incoming, outgoing) => {
		const { 'x-forward-to': origin, host: _host, 'content-length': _length, ...headers } = incoming.headers;
		// Prism may write a body again, in another length.
		const body = await buffer(incoming);
		const sent = request(`${origin}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		// A sandbox that cuts the connection.
		sent.on('error', () => outgoing.destroy());
		if (body.length > 0) {
			sent.setHeader('Content-Length', body.length);
		}
		sent.end(body);
	});
	// A connection that is closed while Prism reuses it would be a 500, and a busy machine pauses for longer than 5 s.
	server.keepAliveTimeout = 600_000;
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		close: () =>
			new Promise((resolve) => {
				server.closeAllConnections();
				server.close(() => resolve());
			}),
	};
}
