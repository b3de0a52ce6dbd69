import { connect, createServer } from 'node:net';

/** The first free port from the given one on, on this machine's loopback address. */
export async function freePort(first: number, taken: readonly number[] = []): Promise<number> {
	for (let port = first; port < first + 200; port++) {
		if (!taken.includes(port) && (await canListen(port)) && !(await answers(port))) {
			return port;
		}
	}
	throw new Error(`No free port between ${first} and ${first + 199}: end some programs, then try again.`);
}

async function canListen(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.on('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

/** Some systems let two programs listen on the same port when one of them listens on all addresses. */
async function answers(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1');
		socket.on('connect', () => {
			socket.destroy();
			resolve(true);
		});
		socket.on('error', () => resolve(false));
	});
}
