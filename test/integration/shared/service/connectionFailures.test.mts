import diagnostics from 'node:diagnostics_channel';
import dns from 'node:dns';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import tls from 'node:tls';

import { certificate } from '../../certificates.mts';
import { listen } from '../../listen.mts';
import { byId, inFastTime, type Service, startService } from '../../service.mts';

let service: Service;
let authorities: string[];
const sockets: Socket[] = [];
const keepSocket = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);
beforeAll(async () => {
	service = await startService();
	authorities = tls.getCACertificates('default');
	diagnostics.subscribe('net.client.socket', keepSocket);
});
afterEach(() => tls.setDefaultCACertificates(authorities));
afterAll(() => diagnostics.unsubscribe('net.client.socket', keepSocket));

type NodeOptions = NonNullable<Parameters<Service['run']>[2]>['node'];

const retried = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

/** Places a call at a Base URL. @returns what the user sees, and how often n8n ran the node */
async function placeCallAt(baseUrl: string, node: NodeOptions = {}, more: object = {}) {
	const parameters = {
		...more,
		resource: 'call',
		operation: 'place',
		agent: byId(service.seed.agents.published),
		phoneNumber: '+12025550111',
		// The first request is the call itself.
		options: { missingVariables: 'ignore' },
	};
	const credentials = service.credentials({ baseUrl });
	const { run, tries } = await inFastTime(async () => await service.run(parameters, [{}], { credentials, node }));
	return { message: String(run.error?.message), tries };
}

/** An https server that counts the requests that arrive. */
function secureServer(options: tls.SecureContextOptions & tls.TlsOptions) {
	let requests = 0;
	const server = createHttpsServer(options, (_request, response) => {
		requests++;
		response.end('{}');
	});
	return { server, requests: () => requests };
}

describe('n8n sent nothing, and says so,', () => {
	const root = certificate('Root', { isAuthority: true });
	const intermediate = certificate('Intermediate', { isAuthority: true, issuer: root });
	const leaf = (options: Parameters<typeof certificate>[1]) => certificate('Service', { issuer: root, ...options });

	test.each<[string, () => tls.TlsOptions, string]>([
		['signed itself', () => certificate('Service'), 'self-signed'],
		['is from an unknown authority', () => leaf({ issuer: certificate('Unknown', { isAuthority: true }) }), 'verified'],
		['comes without its intermediate', () => leaf({ issuer: intermediate }), 'cannot be verified'],
		['has expired', () => leaf({ from: -9, until: -1 }), 'has expired'],
		['is not valid yet', () => leaf({ from: 1, until: 9 }), 'not valid yet'],
		['is for another host', () => leaf({ host: 'other.example.com' }), 'for another host'],
	])('when the certificate %s', async (_how, options, expected) => {
		tls.setDefaultCACertificates([root.cert]);
		const { server, requests } = secureServer(options());
		const { message } = await placeCallAt(`https://localhost:${await listen(server)}`);
		expect({ message, requests: requests() }).toEqual({ message: expect.stringContaining(expected), requests: 0 });
		expect(message).toContain('could not be reached');
	});

	test('when the port is one for http', async () => {
		let requests = 0;
		const port = await listen(createHttpServer(() => requests++));
		const { message } = await placeCallAt(`https://localhost:${port}`);
		expect({ message, requests }).toEqual({
			message: expect.stringContaining('the TLS handshake failed'),
			requests: 0,
		});
	});

	test('when the server speaks only an older TLS', async () => {
		tls.setDefaultCACertificates([root.cert]);
		const old = { ...leaf({}), minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const;
		const { server, requests } = secureServer(old);
		const { message } = await placeCallAt(`https://localhost:${await listen(server)}`);
		expect({ message, requests: requests() }).toEqual({
			message: expect.stringContaining('TLS handshake failed'),
			requests: 0,
		});
	});

	test('when the connection is cut during the handshake', async () => {
		const port = await listen(createTcpServer((socket) => void socket.once('data', () => socket.destroy())));
		expect((await placeCallAt(`https://localhost:${port}`)).message).toContain('closed during the TLS handshake');
	});

	test('when nothing listens', async () => {
		expect((await placeCallAt('http://127.0.0.1:9')).message).toContain('nothing listens');
	});

	test('when nothing listens at any of the addresses of a host', async () => {
		const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
		const lookup = jest.spyOn(dns, 'lookup') as jest.SpyInstance;
		lookup.mockImplementation((_host, _options, callback) => callback(null, addresses));
		try {
			expect((await placeCallAt('http://several.localhost:9')).message).toContain('nothing listens');
		} finally {
			lookup.mockRestore();
		}
	});

	test('when the host is not known', async () => {
		const { message } = await placeCallAt('https://unknown.invalid');
		expect(message).toMatch(/the host name of the Base URL (is unknown|could not be looked up)/);
	});
});

describe('a request that arrived is sent once, and its outcome is unknown,', () => {
	const failWith = (code: string, syscall: string) =>
		Object.assign(new Error(`${syscall} ${code}`), { code, syscall, errno: -113 });

	/** Starts a server that receives the whole request and then does something to the connection of n8n. */
	async function receiving(act: (client: Socket, server: Socket) => void) {
		let requests = 0;
		const listener: RequestListener = (request) => {
			request.resume().on('end', () => {
				requests++;
				const client = sockets.find(({ localPort }) => localPort === request.socket.remotePort);
				act(client as Socket, request.socket);
			});
		};
		const url = `http://127.0.0.1:${await listen(createHttpServer(listener))}`;
		return { ...(await placeCallAt(url, retried)), requests };
	}

	test.each([
		['EHOSTUNREACH', 'read'],
		['ENETUNREACH', 'read'],
		['ETIMEDOUT', 'read'],
		['ECONNRESET', 'read'],
		['EPIPE', 'write'],
	])('when the connection then fails with %s (%s)', async (code, syscall) => {
		const result = await receiving((client) => client.destroy(failWith(code, syscall)));
		expect(result).toEqual({ message: expect.stringContaining('Outcome unknown'), tries: 2, requests: 1 });
	});

	test('when the server does not answer in time', async () => {
		const listener: RequestListener = (request) => void request.resume();
		const url = `http://127.0.0.1:${await listen(createHttpServer(listener))}`;
		const { message } = await placeCallAt(url, {}, { sending: { requestTimeout: 1 } });
		expect(message).toContain('did not answer within the request timeout');
		expect(message).toContain('Outcome unknown');
	});

	test('when the server resets the connection', async () => {
		const result = await receiving((_client, server) => server.resetAndDestroy());
		expect(result).toEqual({ message: expect.stringContaining('Outcome unknown'), tries: 2, requests: 1 });
	});
});
