import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that answers with the status in the path, such as /500; without one, with 200. @returns its address */
export async function startReceiver(): Promise<string> {
	const server = createServer((request, response) => {
		request.resume();
		response.statusCode = Number(request.url?.slice(1)) || 200;
		response.end();
	});
	// It does not keep the process alive.
	server.unref();
	server.on('connection', (socket) => socket.unref());
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
