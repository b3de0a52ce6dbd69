import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';

import { certificate } from '../../certificates.mts';
import { harness } from '../../harness.mts';
import { listen } from '../../listen.mts';
import { goesOn, inFastTime, jsonOf, saidBy, to, useService } from '../../service.mts';

const service = useService();
const authorities = tls.getCACertificates('default');
const root = certificate('Root', { isAuthority: true });
beforeAll(() => tls.setDefaultCACertificates([root.cert]));
afterEach(() => harness.restoreEnvironment());
afterAll(() => tls.setDefaultCACertificates(authorities));

const PAGE = '<h1>No</h1>';
const answered = (status: number) =>
	expect.stringContaining(`Something other than the service answered with HTTP status ${status}`);

/**
 * Starts a forward proxy, and lets n8n use it for https.
 *
 * @param refusals what it answers to the first requests for a tunnel; it cuts the connection for 0, and opens the
 *   others, but none to a host that is named after a status
 * @returns for which addresses it was asked
 */
async function useProxy(...refusals: number[]): Promise<string[]> {
	const asked: string[] = [];
	const proxy = createServer().on('connect', ({ url = '' }: IncomingMessage, socket: Duplex) => {
		const [named] = /^\d+(?=\.)/.exec(url) ?? [];
		const status = named === undefined ? refusals[asked.length] : Number(named);
		asked.push(url);
		if (status !== undefined) {
			const head = `HTTP/1.1 ${status} No\r\nContent-Type: text/html\r\nContent-Length: 11\r\nConnection: close`;
			socket.end(status === 0 ? '' : `${head}\r\n\r\n${PAGE}`);
			return;
		}
		const tunnel = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			tunnel.pipe(socket).pipe(tunnel);
		});
		tunnel.on('error', () => socket.destroy());
		socket.on('error', () => tunnel.destroy());
	});
	harness.setEnvironment({ HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}`, NO_PROXY: '' });
	return asked;
}

const page =
	(status: number): RequestListener =>
	(_request, response) =>
		void response.writeHead(status, { 'content-type': 'text/html' }).end(PAGE);
const json =
	(status: number, body: object): RequestListener =>
	(_request, response) =>
		void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const placed = json(200, { success: true, data: { id: 'call-1', status: 'queued' } });

async function placeAt(baseUrl: string) {
	const parameters = service.place({ missingVariables: 'ignore' });
	const options = { credentials: service.credentials({ baseUrl }), node: goesOn };
	const [item] = jsonOf(await service.run(parameters, to('+12025550111'), options));
	return item;
}

/** Places a call at a service over https, which answers so. @returns the item, and how many requests it received */
async function placeSecurely(answer: RequestListener) {
	let requests = 0;
	const server = createHttpsServer(certificate('Service', { issuer: root }), (request, response) => {
		requests++;
		request.resume().on('end', () => answer(request, response));
	});
	const baseUrl = `https://localhost:${await listen(server)}`;
	return { item: await inFastTime(async () => await placeAt(baseUrl)), requests };
}

describe('A proxy that opens no tunnel to the service is named, and the call was not placed:', () => {
	test.each([
		[403, 'does not allow the connection (HTTP status 403)', 'NO_PROXY'],
		[407, 'asks for a login (HTTP status 407)', 'HTTPS_PROXY'],
	])('%s', async (status, what, variable) => {
		const asked = await useProxy(status, status);
		const { item, requests } = await placeSecurely(placed);
		expect(item).toMatchObject({ result: 'failed', code: 'PROXY_REFUSED', message: expect.stringContaining(what) });
		expect(item?.advice).toContain(variable);
		expect([asked.length, requests]).toEqual([1, 0]);
	});

	test('500, 502, 503, 504 or a cut connection, also when it is asked again', async () => {
		const asked = await useProxy();
		const statuses = [500, 502, 503, 504, 0];
		const items = await inFastTime(
			async () => await Promise.all(statuses.map(async (status) => await placeAt(`https://${status}.example.com`))),
		);
		expect(items).toMatchObject(
			statuses.map((status) => {
				const what = status === 0 ? 'closed the connection' : `cannot connect to it (HTTP status ${status})`;
				const message = expect.stringContaining(`The service could not be reached: the proxy ${what}.`);
				return { result: 'failed', code: 'UNREACHABLE', message };
			}),
		);
		expect(asked).toHaveLength(4 * statuses.length);
	});

	test.each([
		['that does not run', 'http://127.0.0.1:9', "nothing listens at n8n's proxy"],
		['without a host', 'http://proxy.invalid:9', "the host name of n8n's proxy"],
	])('one %s', async (_what, HTTPS_PROXY, why) => {
		harness.setEnvironment({ HTTPS_PROXY, NO_PROXY: '' });
		const message = expect.stringContaining(why);
		const item = await inFastTime(async () => await placeAt('https://api.example.com'));
		expect(item).toMatchObject({ result: 'failed', code: 'UNREACHABLE', message });
	});

	test('after it has opened one, the call is placed once', async () => {
		const asked = await useProxy(502);
		const { item, requests } = await placeSecurely(placed);
		expect([item?.id, asked.length, requests]).toEqual(['call-1', 2, 1]);
	});
});

describe.each([
	['directly', async () => undefined],
	['by a tunnel', async () => await useProxy()],
])('What was sent over https %s', (_how, prepare) => {
	test.each([403, 500, 502, 503, 504])('has an unknown outcome if a web page answers with %s', async (status) => {
		await prepare();
		const { item, requests } = await placeSecurely(page(status));
		expect(item).toMatchObject({ result: 'unknown', httpStatus: status, message: answered(status) });
		expect(requests).toBe(1);
	});

	test.each([
		[403, 'failed'],
		[500, 'unknown'],
		[502, 'unknown'],
	])('is answered by the service if the answer is JSON: %s', async (httpStatus, result) => {
		await prepare();
		const { item, requests } = await placeSecurely(json(httpStatus, { success: false, message: 'From the service' }));
		expect(item).toMatchObject({ result, httpStatus, message: expect.stringContaining(': From the service') });
		expect(requests).toBe(1);
	});
});

test.each([200, 403, 407, 502, 503, 504])(
	'A proxy that forwards plain http may have forwarded the request, unless its status says that it has not: %s',
	async (status) => {
		let asked = 0;
		const proxy = createServer((request, response) => {
			asked++;
			page(status)(request, response);
		});
		harness.setEnvironment({ HTTP_PROXY: `http://127.0.0.1:${await listen(proxy)}`, NO_PROXY: '' });
		const result = status === 407 ? 'failed' : 'unknown';
		expect(await placeAt(service.url)).toMatchObject({ result, message: answered(status) });
		expect(asked).toBe(1);
	},
);

test.each([
	['an active call', 404, 'getActive', '/active-call*', 'There is no Voice Agent Calling Service at this address'],
	['the permissions of the token', 403, 'place', '/flow', 'Something other than the service answered'],
])('A page of a proxy is not what the service says about %s: %s', async (_what, status, operation, end, text) => {
	const path = `/api/v1/agents/${service.seed.agents.published}${end}`;
	await service.fault({ match: { path }, kind: 'status', status, body: PAGE, times: 9 });
	const ran = await service.run(service.place({}, { operation, otherNumber: '+12025550111' }), to('+12025550111'));
	expect(saidBy(ran)).toContain(text);
});
