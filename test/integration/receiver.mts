import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A server that answers with the status in the path, such as /500; without one, with 200. It does not keep the process
 * alive.
 *
 * @param answer what it answers instead; an object is JSON
 * @returns its address
 */
export async function startReceiver(answer?: { status: number; body: string | object }): Promise<string> {
	const { body } = answer ?? {};
	const headers = typeof body === 'object' ? { 'content-type': 'application/json' } : {};
	const server = createServer((request, response) => {
		request.resume();
		const status = answer?.status ?? (Number(request.url?.slice(1)) || 200);
		response.writeHead(status, headers).end(typeof body === 'object' ? JSON.stringify(body) : body);
	});
	server.unref().on('connection', (socket) => socket.unref());
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
