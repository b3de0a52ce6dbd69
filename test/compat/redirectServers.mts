import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { certificate } from '../integration/certificates.mts';

/** A request that arrived. */
export interface Arrival {
	/** By the protocol of the server and the header `Host`, such as `http://service.localhost:4711`. */
	origin: string;
	/** With the query. */
	path: string;
	method: string;
	headers: Record<string, string | string[] | undefined>;
}

/** Servers on this machine that answer under any name. */
export interface RedirectServers {
	ports: { http: number; otherHttp: number; https: number };
	/** In the order of arrival. */
	arrivals: Arrival[];
	close(): void;
}

/** Starts servers that redirect `/redirect?status=307&to=URL` to the URL, and answer everything else with `{}`. */
export async function startRedirectServers(): Promise<RedirectServers> {
	const arrivals: Arrival[] = [];
	const listener =
		(protocol: string): RequestListener =>
		(request, response) => {
			const origin = `${protocol}//${request.headers.host}`;
			const { url: path = '', method = '', headers } = request;
			arrivals.push({ origin, path, method, headers });
			request.resume();
			const { pathname, searchParams } = new URL(path, origin);
			if (pathname === '/redirect') {
				response.writeHead(Number(searchParams.get('status')), { location: searchParams.get('to') ?? '/' }).end();
			} else {
				response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
			}
		};
	const servers: Server[] = [];
	const listen = async (server: Server) => {
		servers.push(server);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return (server.address() as AddressInfo).port;
	};
	const ports = {
		http: await listen(createHttpServer(listener('http:'))),
		otherHttp: await listen(createHttpServer(listener('http:'))),
		https: await listen(createHttpsServer(certificate('Service'), listener('https:'))),
	};
	return {
		ports,
		arrivals,
		close() {
			for (const server of servers) {
				server.closeAllConnections();
				server.close();
			}
		},
	};
}
