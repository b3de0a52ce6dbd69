import type { AddressInfo, Server, Socket } from 'node:net';

import { harness } from './harness.mts';

/** Starts a server on 127.0.0.1, which is closed with all its connections at the end of the test file. @returns its port */
export async function listen(server: Server): Promise<number> {
	const open = new Set<Socket>();
	server.on('connection', (socket: Socket) => open.add(socket.on('error', () => undefined)));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	harness.closeAtEnd(async () => {
		for (const socket of open) {
			socket.destroy();
		}
		server.close();
	});
	return (server.address() as AddressInfo).port;
}
