import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

/** Largest delivery that is read, in bytes. */
const BODY_LIMIT = 1_000_000;

/** A delivery as it arrived. */
export interface Arrival {
	method: string;
	/** The path with the query. */
	url: string;
	/** Names in lower case. */
	headers: Record<string, string>;
	body: Buffer;
	/** The body as JSON; undefined if it is none. */
	json: unknown;
}

/** A server on 127.0.0.1 that keeps what it gets. */
export interface Receiver {
	/** The public address for a webhook, without a slash at its end. */
	url(webhook: string): string;
	/** Whether anything has come for a webhook. */
	isReached(): boolean;
	/** What came for a webhook, in order. */
	of(webhook: string): Arrival[];
	/** Answers the next requests for a webhook with these statuses, and those after them with 200. */
	answer(webhook: string, ...statuses: number[]): void;
	close(): void;
}

/**
 * Starts a receiver, and finds out whether the public address leads to it.
 * @param publicUrl where the service reaches this machine
 * @throws Error with a text for the user
 */
export async function startReceiver(publicUrl: string, port: number): Promise<Receiver> {
	const received: Arrival[] = [];
	const answers = new Map<string, number[]>();
	const base = new URL(publicUrl);
	const folder = `${base.pathname.replace(/\/+$/, '')}/${randomUUID()}`;
	const webhookOf = (url: string) => new URL(url, base).pathname.split('/').at(-1) ?? '';
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		let size = 0;
		request.on('data', (chunk: Buffer) => {
			size += chunk.length;
			chunks.push(chunk);
			if (size > BODY_LIMIT) {
				request.destroy();
			}
		});
		request.on('error', () => undefined);
		request.on('end', () => {
			const { method = '', url = '' } = request;
			// Whoever does not know the folder is not the service. A tunnel may take the address's own path away.
			if (!url.includes(folder.slice(-36))) {
				response.writeHead(404).end();
				return;
			}
			const body = Buffer.concat(chunks);
			const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
			received.push({ method, url, headers, body, json: parsed(body) });
			response.writeHead(answers.get(webhookOf(url))?.shift() ?? 200, { 'Content-Type': 'text/plain' }).end('ok');
		});
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	}).catch((error: NodeJS.ErrnoException) => {
		throw new Error(`Port ${port} of 127.0.0.1 cannot be used (${error.code}). Choose another with --receive-port.`);
	});
	const url = (webhook: string) => `${base.origin}${folder}/${webhook}`;
	const receiver: Receiver = {
		url,
		isReached: () => received.some((arrival) => webhookOf(arrival.url) !== 'own'),
		of: (webhook) => received.filter((delivery) => webhookOf(delivery.url) === webhook),
		answer: (webhook, ...statuses) => void answers.set(webhook, statuses),
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
	const reach = async () =>
		(await fetch(url('own'), { method: 'POST', body: '{}', signal: AbortSignal.timeout(20_000) })).ok;
	// A second time for a connection that an earlier server on this port has left.
	const reached = (await reach().catch(() => false)) || (await reach().catch(() => false));
	if (!reached || receiver.of('own').length === 0) {
		receiver.close();
		throw new Error(`The address of --receive does not lead to port ${port} of this machine. Is the tunnel running?`);
	}
	return receiver;
}

function parsed(body: Buffer): unknown {
	try {
		return JSON.parse(body.toString('utf8')) as unknown;
	} catch {
		return undefined;
	}
}

/** How a header of a delivery proves where it comes from. */
export interface SignatureForm {
	/** In lower case. */
	header: string;
	/** Its value with names for its parts, such as `t=<timestamp>,v1=<hex of timestamp.body>`. */
	form: string;
}

/** All headers of a delivery that have an HMAC with the secret. */
export function signaturesOf({ headers, body }: Arrival, secret: string): SignatureForm[] {
	const values = Object.entries(headers);
	const moments = values.flatMap(([, value]) => value.match(/\b\d{10}(\d{3})?\b|\b\d{4}-\d\d-\d\dT[\d:.]+Z?/g) ?? []);
	const ids = values.filter(([name]) => /id|delivery|request/.test(name)).map(([, value]) => value);
	const text = body.toString('utf8');
	const contents = new Map<string, string>([[text, 'body']]);
	for (const time of moments) {
		for (const mark of ['.', ':', '']) {
			contents.set(`${time}${mark}${text}`, `timestamp${mark}body`);
			for (const id of ids) {
				contents.set(`${id}${mark}${time}${mark}${text}`, `id${mark}timestamp${mark}body`);
			}
		}
	}
	const keys: Array<[key: Buffer, note: string]> = [
		[Buffer.from(secret), ''],
		[Buffer.from(secret.replace(/^whsec_/, ''), 'base64'), ', with the base64 of the secret as key'],
	];
	const digests = new Map<string, string>();
	for (const [content, name] of contents) {
		for (const [key, note] of keys) {
			for (const algorithm of ['sha256', 'sha512', 'sha1']) {
				const mac = createHmac(algorithm, key).update(content).digest();
				const what = `${algorithm === 'sha256' ? '' : `${algorithm} in `}`;
				digests.set(mac.toString('hex').toUpperCase(), `<${what}HEX of ${name}${note}>`);
				digests.set(mac.toString('base64url'), `<${what}base64url of ${name}${note}>`);
				digests.set(mac.toString('base64'), `<${what}base64 of ${name}${note}>`);
				digests.set(mac.toString('hex'), `<${what}hex of ${name}${note}>`);
			}
		}
	}
	return values.flatMap(([header, value]) => {
		const found = [...digests].filter(([digest]) => value.includes(digest)).sort(([a], [b]) => b.length - a.length);
		if (found.length === 0) {
			return [];
		}
		const form = found.reduce((rest, [digest, name]) => rest.replaceAll(digest, name), value);
		return [{ header, form: moments.reduce((rest, time) => rest.replaceAll(time, '<timestamp>'), form) }];
	});
}
