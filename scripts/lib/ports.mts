import { connect, createServer } from 'node:net';

/** Finds a free port on 127.0.0.1. @param first the first of 200 ports to try */
export async function freePort(first: number): Promise<number> {
	for (let port = first; port < first + 200; port++) {
		if (await isFree(port)) {
			return port;
		}
	}
	throw new Error(`No free port between ${first} and ${first + 199}: end some programs, then try again.`);
}

/** Whether a port on 127.0.0.1 is free. */
export async function isFree(port: number): Promise<boolean> {
	return (await canListen(port)) && !(await answers(port));
}

async function canListen(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.on('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

/** On some systems, a program can listen on a port where another program listens on all addresses. */
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
