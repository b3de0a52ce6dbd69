import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request and its response. */
export interface Exchange {
	method: string;
	/** Without the query. */
	path: string;
	status: number;
	/** Without parameters, such as the character set. */
	contentType: string;
	body: Buffer;
}

/** A proxy that records requests and responses. */
export interface Recorder {
	url: string;
	exchanges: Exchange[];
	close(): void;
}

/** @param target the origin of the server behind the proxy, without a trailing slash */
export async function startRecorder(target: string): Promise<Recorder> {
	const exchanges: Exchange[] = [];
	const server = createServer(async (incoming, outgoing) => {
		const { method = '', url = '', headers } = incoming;
		const sent = await bytesOf(incoming);
		const answer = await new Promise<IncomingMessage>((resolve, reject) => {
			request(target + url, { method, headers }, resolve)
				.on('error', reject)
				.end(sent);
		});
		const body = await bytesOf(answer);
		const [path = ''] = url.split('?');
		const [contentType = ''] = String(answer.headers['content-type']).split(';');
		const status = answer.statusCode ?? 0;
		exchanges.push({ method, path, status, contentType, body });
		outgoing.writeHead(status, answer.headers).end(body);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const close = () => {
		server.closeAllConnections();
		server.close();
	};
	return { url: `http://127.0.0.1:${port}`, exchanges, close };
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of message) {
		chunks.push(chunk as Buffer);
	}
	return Buffer.concat(chunks);
}
