import { routes } from '../../../sandbox/resources/index.mts';
import { asList, startClient } from '../client.mts';
import { useService } from '../use.mts';
import { open, rawRequest, responseOn } from './rawRequest.mts';

const LIMIT = 10 * 1024 * 1024;
const TO_HERE = 'POST / HTTP/1.1\r\nHost: localhost\r\n';
const CLOSE = 'Connection: close';

describe('a request that is broken', () => {
	const service = useService();
	let call: string;
	beforeEach(() => {
		call = `/api/v1/agents/${service.seed.agents.published}/call`;
	});
	// After any broken request, the sandbox still responds.
	afterEach(async () => {
		expect((await service.api('GET', '/agents')).status).toBe(200);
	});

	const head = (line: string, ...headers: string[]) =>
		[`${line} HTTP/1.1`, 'Host: localhost', 'Authorization: Bearer TOKEN', ...headers, '\r\n'].join('\r\n');
	const post = (...headers: string[]) => head(`POST ${call}`, 'Content-Type: application/json', ...headers);
	const refusal = (status: number, message: string) => [status, { success: false, message }];
	it.each([
		[510, 200],
		[511, 400],
		[100_000, 400],
	])('may be nested 512 levels deep with its body: %d levels in it give %d', async (levels, expected) => {
		const body = `{"to":"+12025550001","context":{"deep":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
		expect((await service.api('POST', call.replace('/api/v1', ''), body)).status).toBe(expected);
		expect(asList(await service.control('calls')).length).toBe(expected === 200 ? 31 : 30);
	});

	it('may have a body of exactly 10 MB', async () => {
		const start = '{"to":"+12025550001","context":{"text":"';
		const fits = `${start}${'x'.repeat(LIMIT - start.length - 3)}"}}`;
		expect(fits.length).toBe(LIMIT);
		const socket = await open(service.url);
		const response = responseOn(socket);
		socket.write(post(`Content-Length: ${LIMIT}`, CLOSE));
		socket.write(fits);
		expect((await response).status).toBe(200);
	});

	it('is refused with 413 in the format of its route when its length says that it is larger, without reading it', async () => {
		const refusal = async (line: string) => {
			const { status, body } = await rawRequest(service.url, head(line, `Content-Length: ${LIMIT + 1}`, CLOSE));
			return [line, status, body];
		};
		const [, , nested] = await refusal(`POST ${call}`);
		expect(JSON.parse(String(nested)).error.code).toBe('PAYLOAD_TOO_LARGE');
		const lines = routes.filter(({ body }) => body !== undefined).map(({ method, path }) => `${method} ${path}`);
		for (const line of [...lines, 'POST /_sandbox/advance'].map((one) => one.replace(/:\w+/g, 'x'))) {
			expect(await refusal(line)).toEqual([line, 413, expect.stringContaining('The body is larger than 10 MB.')]);
		}
	});

	it('that never ends is refused with 413, and its connection is closed', async () => {
		const socket = await open(service.url);
		const response = responseOn(socket);
		socket.write(post('Transfer-Encoding: chunked'));
		const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
		let sent = 0;
		while (sent < 40 * LIMIT && !socket.destroyed) {
			sent += chunk.length;
			if (!socket.write(chunk)) {
				await new Promise((go) => socket.once('drain', go).once('close', go));
			}
		}
		// The sandbox reads up to the limit, and the sockets buffer some more.
		expect(sent).toBeLessThan(4 * LIMIT);
		expect([0, 413]).toContain((await response).status);
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
			const response = responseOn(socket);
			socket.write(begin());
			const drip = setInterval(() => socket.writable && socket.write(drop), 20);
			const { status, body } = await response;
			clearInterval(drip);
			await impatient.close();
			expect([status, JSON.parse(body)]).toEqual(refusal(408, 'The request did not arrive in time.'));
		},
	);

	it('is refused with 414 when its URL is too long, and with 431 when that or its headers are longer than both may be', async () => {
		const get = async (length: number, ...more: string[]) => {
			const line = `GET /api/v1/agents?search=${'x'.repeat(length)}`;
			const { status, body } = await rawRequest(service.url, head(line, CLOSE, ...more));
			return [status, JSON.parse(body)];
		};
		expect((await get(15_970))[0]).toBe(200);
		const long = 'The URL is longer than 16000 characters. Send long values in the body.';
		expect(await get(16_000)).toEqual(refusal(414, long));
		const large = refusal(431, 'The headers and the URL are larger than 32 KB.');
		expect([await get(70_000), await get(1, `X-Large: ${'x'.repeat(40_000)}`)]).toEqual([large, large]);
	});

	it.each([
		['no HTTP', 'hello\r\n\r\n'],
		['TLS', Buffer.from('16030100c8010000c40303', 'hex')],
		['a method that does not exist', 'NOTHING / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
		['a header without a colon', `${TO_HERE}nonsense\r\n\r\n`],
		['two lengths', `${TO_HERE}Content-Length: 1\r\nContent-Length: 2\r\n\r\n12`],
		['a length and chunks', `${TO_HERE}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
		['a negative length', `${TO_HERE}Content-Length: -1\r\n\r\n`],
		['a chunk whose size is no number', `${TO_HERE}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
		['a character 0 in a header', `${TO_HERE}X: a\0b\r\n\r\n`],
		['no host', 'GET / HTTP/1.1\r\n\r\n'],
	])('is refused with 400 when it is %s', async (_what, bytes) => {
		const { status, head: head } = await rawRequest(service.url, bytes);
		expect([status, head]).toEqual([400, expect.stringContaining('connection: close')]);
	});
});
