import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A server that answers with the status in the path, such as /500; without one, with 200.
 *
 * @param answer what it answers instead; an object is JSON
 * @returns its address
 */
export async function startReceiver(answer?: { status: number; body: string | object }): Promise<string> {
	const server = createServer((request, response) => {
		request.resume();
		response.statusCode = answer?.status ?? (Number(request.url?.slice(1)) || 200);
		if (typeof answer?.body === 'object') {
			response.setHeader('content-type', 'application/json').end(JSON.stringify(answer.body));
			return;
		}
		response.end(answer?.body);
	});
	// It does not keep the process alive.
	server.unref();
	server.on('connection', (socket) => socket.unref());
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
