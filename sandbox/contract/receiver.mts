import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

import { type Fields, isObject } from './read.mts';

/** The largest delivery that is read, in bytes. */
const BODY_LIMIT = 1_000_000;

/** A received delivery. */
export interface Arrival {
	/** The path with the query. */
	url: string;
	/** Names in lower case. */
	headers: Record<string, string>;
	body: string;
	/** The fields of a JSON object in the body. */
	json: Fields;
}

/** A server on 127.0.0.1 that records deliveries. It responds to the first delivery to each webhook with 500. */
export interface Receiver {
	/** The public address for webhooks, without a slash at its end. Each webhook appends its name. */
	url: string;
	/** Returns the deliveries to a webhook, in order. */
	of(name: string): Arrival[];
	close(): void;
}

/**
 * Starts a receiver, and checks that the public address leads to it.
 * @param publicUrl where the service reaches this machine
 * @throws Error with a text for the user
 */
export async function startReceiver(publicUrl: string, port: number): Promise<Receiver> {
	const received: Arrival[] = [];
	// Requests outside this random folder do not come from the service. A tunnel may remove the address's own path.
	const folder = randomUUID();
	const nameIn = (url: string) => new RegExp(`/${folder}/(\\w+)(\\?|$)`).exec(url)?.[1];
	const of = (name?: string) => received.filter(({ url }) => nameIn(url) === name);
	const server = createServer((request, response) => {
		const { url = '' } = request;
		const name = nameIn(url);
		let body = '';
		request.setEncoding('utf8');
		request.on('data', (chunk: string) => {
			body += chunk;
			if (body.length > BODY_LIMIT) {
				request.destroy();
			}
		});
		request.on('error', () => undefined);
		request.on('end', () => {
			if (name === undefined) {
				response.writeHead(404).end();
				return;
			}
			const headers = Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)]));
			received.push({ url, headers, body, json: fieldsIn(body) });
			response.writeHead(of(name).length === 1 ? 500 : 200, { 'Content-Type': 'text/plain' }).end('ok');
		});
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	}).catch((error: NodeJS.ErrnoException) => {
		throw new Error(`Port ${port} of 127.0.0.1 cannot be used (${error.code}). Choose another with --receive-port.`);
	});
	const url = `${publicUrl}/${folder}`;
	const close = () => {
		server.closeAllConnections();
		server.close();
	};
	const reach = () =>
		fetch(`${url}/own`, { method: 'POST', signal: AbortSignal.timeout(20_000) }).catch(() => undefined);
	// The second request is for a stale connection to an earlier server on this port.
	await ((await reach()) ?? reach());
	if (of('own').length === 0) {
		close();
		throw new Error(`The address of --receive does not lead to port ${port} of this machine. Is the tunnel running?`);
	}
	return { url, of, close };
}

function fieldsIn(body: string): Fields {
	try {
		const value = JSON.parse(body) as unknown;
		return isObject(value) ? value : {};
	} catch {
		return {};
	}
}

/**
 * Describes the headers of a delivery that contain an HMAC of its body with the secret, such as
 * `x-signature: t=<timestamp>,v1=<hex of timestamp.body>`. Without such a header, it lists the names of all headers.
 */
export function signaturesOf({ headers, body }: Arrival, secret: string): string[] {
	const values = Object.entries(headers);
	const moments = values.flatMap(([, value]) => value.match(/\b\d{10}(\d{3})?\b/g) ?? []);
	const ids = values.filter(([name]) => /id$|delivery/.test(name)).map(([, value]) => value);
	const contents: Array<[content: string, name: string]> = [[body, 'body']];
	for (const time of moments) {
		contents.push([`${time}.${body}`, 'timestamp.body'], [`${time}${body}`, 'timestamp and body']);
		ids.forEach((id) => contents.push([`${id}.${time}.${body}`, 'id.timestamp.body']));
	}
	const digests = contents.flatMap(([content, name]) =>
		[secret, Buffer.from(secret.replace(/^whsec_/, ''), 'base64')].flatMap((key) =>
			(['hex', 'base64', 'base64url'] as const).map((form) => {
				const digest = createHmac('sha256', key).update(content).digest(form);
				return [digest, `<${form} of ${name}${key === secret ? '' : ' by the base64 of the secret'}>`] as const;
			}),
		),
	);
	const signatures = values.flatMap(([header, value]) => {
		const form = digests.reduce((rest, [digest, name]) => rest.replaceAll(digest, name), value);
		const times = moments.reduce((rest, time) => rest.replaceAll(time, '<timestamp>'), form);
		return form === value ? [] : [`${header}: ${times}`];
	});
	return signatures.length > 0 ? signatures : [`no known signature in ${Object.keys(headers).join(', ')}`];
}
