import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An address that answers deliveries with the status that its path names, like /500, and with 200 where it names none. */
export async function startReceiver(): Promise<string> {
	const server = createServer((request, response) => {
		request.resume();
		response.statusCode = Number(request.url?.slice(1)) || 200;
		response.end();
	});
	// Nothing waits for it to end.
	server.unref();
	server.on('connection', (socket) => socket.unref());
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
