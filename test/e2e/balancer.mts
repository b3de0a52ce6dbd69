import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One address in front of several servers, as a load balancer has it. */
interface Balancer {
	url: string;
	/** Addresses without a slash at the end. */
	servers: string[];
	close(): void;
}

/** Hands each request to the next of the servers in turn; 502 where that one is not there. */
export async function startBalancer(): Promise<Balancer> {
	let turn = 0;
	const server = createServer((request, response) => {
		const { method, headers, url } = request;
		const next = balancer.servers[turn++ % balancer.servers.length];
		const handedOn = ask(`${next}${url}`, { method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		handedOn.on('error', () => {
			if (response.headersSent) {
				response.destroy();
			} else {
				response.writeHead(502).end('Bad gateway');
			}
		});
		request.pipe(handedOn);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const balancer: Balancer = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		servers: [],
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
	return balancer;
}
