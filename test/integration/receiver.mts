import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a server that responds with the status in the path, such as /500, otherwise with 200. Returns its address. */
export async function startReceiver(): Promise<string> {
	const server = createServer((request, response) => {
		request.resume();
		response.statusCode = Number(request.url?.slice(1)) || 200;
		response.end();
	});
	// The server must not keep the process running.
	server.unref();
	server.on('connection', (socket) => socket.unref());
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
