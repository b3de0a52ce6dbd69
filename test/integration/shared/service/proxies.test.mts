import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';

import { certificate } from '../../certificates.mts';
import { harness } from '../../harness.mts';
import { listen } from '../../listen.mts';
import { byId, inFastTime, type Service, startService } from '../../service.mts';

let service: Service;
const authorities = tls.getCACertificates('default');
const root = certificate('Root', { isAuthority: true });
beforeAll(async () => {
	service = await startService();
	tls.setDefaultCACertificates([root.cert]);
});
afterEach(() => harness.restoreEnvironment());
afterAll(() => tls.setDefaultCACertificates(authorities));

const page = (status: number) =>
	`HTTP/1.1 ${status} No\r\nContent-Type: text/html\r\nContent-Length: 11\r\nConnection: close\r\n\r\n<h1>No</h1>`;

/**
 * Starts a forward proxy, and lets n8n use it for https.
 *
 * @param refusals what it answers to the first requests for a tunnel; it cuts the connection for 0, and opens the others
 */
async function useProxy(...refusals: number[]): Promise<{ asked: () => number }> {
	let asked = 0;
	const proxy = createServer().on('connect', ({ url = '' }: IncomingMessage, socket: Duplex) => {
		const status = refusals[asked++];
		if (status !== undefined) {
			socket.end(status === 0 ? '' : page(status));
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
	return { asked: () => asked };
}

/** Starts a service over https. @returns its Base URL, and how many requests it received */
async function secureService(answer: RequestListener) {
	let requests = 0;
	const server = createHttpsServer(certificate('Service', { issuer: root }), (request, response) => {
		requests++;
		request.resume().on('end', () => answer(request, response));
	});
	return { baseUrl: `https://localhost:${await listen(server)}`, requests: () => requests };
}

const placed: RequestListener = (_request, response) =>
	void response
		.setHeader('content-type', 'application/json')
		.end(JSON.stringify({ success: true, data: { id: 'call-1', status: 'queued' } }));

/** Places a call at a Base URL. @returns its item */
async function placeAt(baseUrl: string) {
	const parameters = {
		resource: 'call',
		operation: 'place',
		agent: byId(service.seed.agents.published),
		phoneNumber: '+12025550111',
		// The first request is the call itself.
		options: { missingVariables: 'ignore' },
	};
	const credentials = service.credentials({ baseUrl });
	const node = { onError: 'continueRegularOutput' } as const;
	const { outputs } = await inFastTime(async () => await service.run(parameters, [{}], { credentials, node }));
	return outputs[0]?.[0]?.json;
}

describe('A proxy that opens no tunnel to the service is named, and the call was not placed:', () => {
	test.each([
		[403, 'the proxy does not allow the connection (HTTP status 403)', 'NO_PROXY'],
		[407, 'the proxy asks for a login (HTTP status 407)', 'HTTPS_PROXY'],
	])('%s', async (status, what, variable) => {
		const { asked } = await useProxy(status, status);
		const { baseUrl, requests } = await secureService(placed);
		const item = await placeAt(baseUrl);
		expect(item).toMatchObject({
			result: 'failed',
			code: 'PROXY_REFUSED',
			message: expect.stringContaining(`The service could not be reached: ${what}. `),
		});
		expect(item?.message).toContain(variable);
		expect({ asked: asked(), requests: requests() }).toEqual({ asked: 1, requests: 0 });
	});

	test.each([
		[500, 'the proxy cannot connect to it (HTTP status 500)'],
		[502, 'the proxy cannot connect to it (HTTP status 502)'],
		[503, 'the proxy cannot connect to it (HTTP status 503)'],
		[504, 'the proxy cannot connect to it (HTTP status 504)'],
		[0, 'the proxy closed the connection'],
	])('%s, also when it is asked again', async (status, what) => {
		const { asked } = await useProxy(...Array(9).fill(status));
		const { baseUrl, requests } = await secureService(placed);
		expect(await placeAt(baseUrl)).toMatchObject({
			result: 'failed',
			code: 'UNREACHABLE',
			message: expect.stringContaining(`The service could not be reached: ${what}. `),
		});
		expect({ asked: asked(), requests: requests() }).toEqual({ asked: 4, requests: 0 });
	});

	test.each([
		['that does not run', 'http://127.0.0.1:9', "nothing listens at n8n's proxy"],
		['without a host', 'http://proxy.invalid:9', "the host name of n8n's proxy"],
	])('one %s', async (_what, HTTPS_PROXY, why) => {
		harness.setEnvironment({ HTTPS_PROXY, NO_PROXY: '' });
		const item = await placeAt('https://api.example.com');
		expect(item).toMatchObject({ result: 'failed', code: 'UNREACHABLE', message: expect.stringContaining(why) });
	});

	test('after it has opened one, the call is placed once', async () => {
		const { asked } = await useProxy(502);
		const { baseUrl, requests } = await secureService(placed);
		expect(await placeAt(baseUrl)).toMatchObject({ id: 'call-1' });
		expect({ asked: asked(), requests: requests() }).toEqual({ asked: 2, requests: 1 });
	});
});

describe.each([
	['directly', async () => undefined],
	['by a tunnel', async () => await useProxy()],
])('What was sent over https %s', (_how, prepare) => {
	test.each([403, 500, 502, 503, 504])('has an unknown outcome if a web page answers with %s', async (status) => {
		await prepare();
		const { baseUrl, requests } = await secureService((_request, response) => {
			response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>No</h1>');
		});
		expect(await placeAt(baseUrl)).toMatchObject({
			result: 'unknown',
			httpStatus: status,
			message: expect.stringContaining(`Something other than the service answered with HTTP status ${status}`),
		});
		expect(requests()).toBe(1);
	});

	test.each([
		[403, 'failed', 'does not allow this: From the service'],
		[500, 'unknown', 'internal error: From the service'],
		[502, 'unknown', 'internal error: From the service'],
	])('is answered by the service if the answer is JSON: %s', async (status, result, message) => {
		await prepare();
		const { baseUrl, requests } = await secureService((_request, response) => {
			response
				.writeHead(status, { 'content-type': 'application/json' })
				.end(JSON.stringify({ success: false, message: 'From the service' }));
		});
		expect(await placeAt(baseUrl)).toMatchObject({
			result,
			httpStatus: status,
			message: expect.stringContaining(message),
		});
		expect(requests()).toBe(1);
	});
});

describe('A proxy that forwards plain http may have forwarded the request, unless its status says that it has not:', () => {
	test.each([
		[200, 'unknown'],
		[403, 'unknown'],
		[407, 'failed'],
		[502, 'unknown'],
		[503, 'unknown'],
		[504, 'unknown'],
	])('%s', async (status, result) => {
		let asked = 0;
		const proxy = createServer((_request, response) => {
			asked++;
			response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>No</h1>');
		});
		harness.setEnvironment({ HTTP_PROXY: `http://127.0.0.1:${await listen(proxy)}`, NO_PROXY: '' });
		expect(await placeAt(service.url)).toMatchObject({
			result,
			message: expect.stringContaining(`Something other than the service answered with HTTP status ${status}`),
		});
		expect(asked).toBe(1);
	});
});

describe('A page of a proxy is not what the service says about', () => {
	const page = (status: number) => ({ kind: 'status', status, body: '<h1>No</h1>', times: 9 }) as const;
	const call = () => ({ resource: 'call', agent: byId(service.seed.agents.published), phoneNumber: '+12025550111' });
	const failure = async (parameters: object) => (await service.run({ ...call(), ...parameters })).run.error;
	beforeEach(async () => await service.reset());

	test('an active call: 404', async () => {
		await service.fault({
			match: { path: `/api/v1/agents/${service.seed.agents.published}/active-call*` },
			...page(404),
		});
		const error = await failure({ operation: 'getActive' });
		expect(error?.message).toContain('Something other than the service answered with HTTP status 404');
	});

	test('the permissions of the token: 403', async () => {
		await service.fault({ match: { path: `/api/v1/agents/${service.seed.agents.published}/flow` }, ...page(403) });
		const error = await failure({ operation: 'place' });
		expect(error?.message).toContain('Something other than the service answered with HTTP status 403');
	});
});
