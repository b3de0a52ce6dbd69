import type { Duplex } from 'node:stream';

import { routes } from '../../../sandbox/resources/index.mts';
import { asList, type SandboxClient, startClient } from '../client.mts';
import { answerOn, open, rawRequest } from './rawRequest.mts';

const LIMIT = 10 * 1024 * 1024;

describe('a request that is broken', () => {
	let service: SandboxClient;
	let call: string;
	beforeAll(async () => {
		service = await startClient();
		call = `/api/v1/agents/${service.seed.agents.published}/call`;
	});
	afterAll(() => service.close());
	// Whatever was sent, the sandbox answers the next request.
	afterEach(async () => {
		expect((await service.api('GET', '/agents')).status).toBe(200);
	});

	const head = (line: string, ...headers: string[]) =>
		[`${line} HTTP/1.1`, 'Host: localhost', 'Authorization: Bearer TOKEN', ...headers, '\r\n'].join('\r\n');
	const post = (...headers: string[]) => head(`POST ${call}`, 'Content-Type: application/json', ...headers);
	/** Writes until the sandbox does not read any more. @returns how many bytes were written */
	const flood = async (socket: Duplex, chunk: Buffer, most: number) => {
		let sent = 0;
		while (sent < most && !socket.destroyed) {
			sent += chunk.length;
			if (!socket.write(chunk)) {
				await new Promise((go) => {
					socket.once('drain', go);
					socket.once('close', go);
				});
			}
		}
		return sent;
	};

	it('may have a body of exactly 10 MB', async () => {
		const start = '{"to":"+12025550001","context":{"text":"';
		const fits = `${start}${'x'.repeat(LIMIT - start.length - 3)}"}}`;
		expect(fits.length).toBe(LIMIT);
		const socket = await open(service.url);
		const answer = answerOn(socket);
		socket.write(post(`Content-Length: ${LIMIT}`, 'Connection: close'));
		socket.write(fits);
		expect((await answer).status).toBe(200);
	});

	it('is refused with 413 in the format of its route when its length says that it is larger, without reading it', async () => {
		const nested = await rawRequest(service.url, post(`Content-Length: ${LIMIT + 1}`, 'Connection: close'));
		expect([nested.status, JSON.parse(nested.body)]).toEqual([
			413,
			{ error: { code: 'PAYLOAD_TOO_LARGE', message: 'The body is larger than 10 MB.' } },
		]);
		for (const { method, path } of routes.filter(({ body }) => body !== undefined)) {
			const line = `${method} ${path.replace(/:\w+/g, 'x')}`;
			const { status, body } = await rawRequest(
				service.url,
				head(line, `Content-Length: ${LIMIT + 1}`, 'Connection: close'),
			);
			expect([line, status, body]).toEqual([line, 413, expect.stringContaining('The body is larger than 10 MB.')]);
		}
		expect(
			(
				await rawRequest(
					service.url,
					head('POST /_sandbox/advance', `Content-Length: ${LIMIT + 1}`, 'Connection: close'),
				)
			).status,
		).toBe(413);
	});

	it('that never ends is refused with 413, and its connection is closed', async () => {
		const socket = await open(service.url);
		const answer = answerOn(socket);
		socket.write(post('Transfer-Encoding: chunked'));
		const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
		const sent = await flood(socket, chunk, 40 * LIMIT);
		// What was read is the limit and what the sockets buffer.
		expect(sent).toBeLessThan(4 * LIMIT);
		expect([0, 413]).toContain((await answer).status);
	});

	it.each([
		['headers', () => head('GET /api/v1/agents').slice(0, -4)],
		['body', () => `${post('Content-Length: 100')}{"to":`],
		['chunked body', () => post('Transfer-Encoding: chunked'), '1\r\n \r\n'],
	])(
		'is refused with 408 when its %s do not arrive in time, however slowly it goes on',
		async (_part, begin, drop = ' ') => {
			const impatient = await startClient({ requestLimitMs: 300 });
			const socket = await open(impatient.url);
			const answer = answerOn(socket);
			socket.write(begin());
			const drip = setInterval(() => socket.writable && socket.write(drop), 20);
			const { status, body } = await answer;
			clearInterval(drip);
			await impatient.close();
			expect([status, JSON.parse(body)]).toEqual([
				408,
				{ success: false, message: 'The request did not arrive in time.' },
			]);
		},
	);

	it('is refused with 431 when its headers are too large', async () => {
		const large = `X-Large: ${'x'.repeat(40_000)}`;
		const { status, body } = await rawRequest(service.url, head('GET /api/v1/agents', large));
		expect([status, JSON.parse(body)]).toEqual([
			431,
			{ success: false, message: 'The headers and the URL are larger than 32 KB.' },
		]);
	});

	it('is refused with 414 when its URL is too long, and with 431 when it is longer than all headers may be', async () => {
		const get = (length: number) => head(`GET /api/v1/agents?search=${'x'.repeat(length)}`, 'Connection: close');
		expect((await rawRequest(service.url, get(15_970))).status).toBe(200);
		const { status, body } = await rawRequest(service.url, get(16_000));
		expect([status, JSON.parse(body)]).toEqual([
			414,
			{ success: false, message: 'The URL is longer than 16000 characters. Send long values in the body.' },
		]);
		expect((await rawRequest(service.url, get(70_000))).status).toBe(431);
	});

	it.each([
		['no HTTP', 'hello\r\n\r\n'],
		['TLS', Buffer.from('16030100c8010000c40303', 'hex')],
		['a method that does not exist', 'NOTHING / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
		['a header without a colon', 'GET / HTTP/1.1\r\nHost: localhost\r\nnonsense\r\n\r\n'],
		['two lengths', `${'POST / HTTP/1.1\r\nHost: localhost\r\n'}Content-Length: 1\r\nContent-Length: 2\r\n\r\n12`],
		[
			'a length and chunks',
			`${'POST / HTTP/1.1\r\nHost: localhost\r\n'}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
		],
		['a negative length', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n'],
		[
			'a chunk whose size is no number',
			'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
		],
		['a character 0 in a header', 'GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n'],
		['no host', 'GET / HTTP/1.1\r\n\r\n'],
	])('is refused with 400 when it is %s', async (_what, bytes) => {
		const { status, head: answered } = await rawRequest(service.url, bytes);
		expect([status, answered]).toEqual([400, expect.stringContaining('connection: close')]);
	});

	it('is told to go on when it asks first, and refused at once when its body is too large', async () => {
		const socket = await open(service.url);
		const answer = answerOn(socket);
		socket.write(post('Expect: 100-continue', 'Content-Length: 21', 'Connection: close'));
		socket.once('data', () => socket.write('{"to":"+12025550001"}'));
		const { status, all } = await answer;
		expect([status, all.slice(0, 12)]).toEqual([200, 'HTTP/1.1 100']);
		expect((await rawRequest(service.url, post('Expect: more', 'Content-Length: 2', 'Connection: close'))).status).toBe(
			417,
		);
	});

	it('does not disturb those that are sent with it over one connection, in their order', async () => {
		const paths = ['/api/v1/health', '/nothing', '/api/v1/agents', '/_sandbox/mode', '/%zz'];
		const all = paths.map((path, index) =>
			head(`GET ${path}`, ...(index === paths.length - 1 ? ['Connection: close'] : [])),
		);
		const answer = await rawRequest(service.url, all.join(''));
		expect([...answer.all.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
			'200',
			'404',
			'200',
			'200',
			'404',
		]);
	});

	it('leaves nothing behind when its sender hangs up, before or after it is complete', async () => {
		const calls = asList(await service.control('calls')).length;
		for (let count = 0; count < 50; count += 1) {
			const socket = await open(service.url);
			socket.on('error', () => {});
			socket.write(`${post('Content-Length: 1000')}{"to":"+12025550001"`, () => socket.resetAndDestroy());
		}
		for (let count = 0; count < 20; count += 1) {
			const socket = await open(service.url);
			socket.on('error', () => {});
			socket.write(head('GET /_sandbox/events'), () => socket.resetAndDestroy());
		}
		expect(asList(await service.control('calls')).length).toBe(calls);
		await service.close();
		service = await startClient();
	});
});
