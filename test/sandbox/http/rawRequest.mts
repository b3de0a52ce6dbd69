import { connect, type Socket } from 'node:net';

/** The response on a separate connection. */
export interface RawResponse {
	/** 0 if the connection was closed without a response. */
	status: number;
	/** In lower case, with the status line. */
	head: string;
	body: string;
	/** All received bytes, including further responses. */
	all: string;
}

/** Opens a connection to a sandbox. */
export function open(url: string): Promise<Socket> {
	return new Promise((done, fail) => {
		const socket = connect(Number(new URL(url).port), '127.0.0.1', () => done(socket));
		socket.once('error', fail);
	});
}

/** Reads a connection until the sandbox closes it. */
export function responseOn(socket: Socket): Promise<RawResponse> {
	return new Promise((done) => {
		let all = '';
		socket.setEncoding('utf8');
		socket.on('data', (chunk) => (all += String(chunk)));
		// The sandbox may close a connection while the client still writes.
		socket.on('error', () => {});
		socket.on('close', () => {
			// An interim response, to Expect: 100-continue, lacks a body.
			const final = all.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
			const end = final.indexOf('\r\n\r\n');
			const status = Number(/^HTTP\/1\.1 (\d+)/.exec(final)?.[1] ?? 0);
			done({ status, head: final.slice(0, Math.max(0, end)).toLowerCase(), body: final.slice(end + 4), all });
		});
	});
}

/** Sends bytes over a new connection, and reads until the sandbox closes it. */
export async function rawRequest(url: string, bytes: string | Buffer): Promise<RawResponse> {
	const socket = await open(url);
	const response = responseOn(socket);
	socket.write(bytes);
	return await response;
}
