import diagnostics from 'node:diagnostics_channel';
import dns from 'node:dns';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import tls from 'node:tls';

import { certificate } from '../../certificates.mts';
import { listen } from '../../listen.mts';
import { inFastTime, retried, saidBy, to, useService } from '../../service.mts';

const service = useService();
const authorities = tls.getCACertificates('default');
const sockets: Socket[] = [];
const keepSocket = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);
beforeAll(() => {
	tls.setDefaultCACertificates([root.cert]);
	diagnostics.subscribe('net.client.socket', keepSocket);
});
afterAll(() => {
	tls.setDefaultCACertificates(authorities);
	diagnostics.unsubscribe('net.client.socket', keepSocket);
});

/** Places a call at a Base URL. @returns what the user sees, and how often n8n ran the node */
async function placeCallAt(baseUrl: string, node: object = {}, more: object = {}) {
	const parameters = service.place({ missingVariables: 'ignore' }, more);
	const options = { credentials: service.credentials({ baseUrl }), node };
	const ran = await inFastTime(async () => await service.run(parameters, to('+12025550111'), options));
	return { said: saidBy(ran), tries: ran.tries };
}

const root = certificate('Root', { isAuthority: true });

describe('n8n sent nothing, and says so,', () => {
	const intermediate = certificate('Intermediate', { isAuthority: true, issuer: root });
	const unknown = certificate('Unknown', { isAuthority: true });
	const leaf = (options: Parameters<typeof certificate>[1]) => certificate('Service', { issuer: root, ...options });
	const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const;

	test.each<[string, () => tls.TlsOptions, string]>([
		['the certificate signed itself', () => certificate('Service'), 'self-signed'],
		['the certificate is from an unknown authority', () => leaf({ issuer: unknown }), 'cannot be verified'],
		['the certificate comes without its intermediate', () => leaf({ issuer: intermediate }), 'cannot be verified'],
		['the certificate has expired', () => leaf({ from: -9, until: -1 }), 'has expired'],
		['the certificate is not valid yet', () => leaf({ from: 1, until: 9 }), 'not valid yet'],
		['the certificate is for another host', () => leaf({ host: 'other.example.com' }), 'for another host'],
		['the server speaks only an older TLS', () => ({ ...leaf({}), ...old }), 'TLS handshake failed'],
	])('when %s', async (_how, options, expected) => {
		let requests = 0;
		const server = createHttpsServer(options(), (_request, response) => {
			requests++;
			response.end('{}');
		});
		const { said } = await placeCallAt(`https://localhost:${await listen(server)}`);
		expect({ said, requests }).toEqual({ said: expect.stringContaining(expected), requests: 0 });
		expect(said).toContain('could not be reached');
	});

	const at = async (server: Server) => `https://localhost:${await listen(server)}`;
	const cutting = () => createTcpServer((socket) => void socket.once('data', () => socket.destroy()));
	test.each<[string, () => Promise<string>, RegExp]>([
		['the port is one for http', async () => await at(createHttpServer()), /handshake failed/],
		['the connection is cut during the handshake', async () => await at(cutting()), /closed during the TLS handshake/],
		['nothing listens', async () => 'http://127.0.0.1:9', /nothing listens/],
		[
			'the host is not known',
			async () => 'https://unknown.invalid',
			/host name .* (is unknown|could not be looked up)/,
		],
	])('when %s', async (_how, prepare, expected) => {
		expect((await placeCallAt(await prepare())).said).toMatch(expected);
	});

	test('when nothing listens at any of the addresses of a host', async () => {
		const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
		const lookup = jest.spyOn(dns, 'lookup') as jest.SpyInstance;
		lookup.mockImplementation((_host, _options, callback) => callback(null, addresses));
		try {
			expect((await placeCallAt('http://several.localhost:9')).said).toContain('nothing listens');
		} finally {
			lookup.mockRestore();
		}
	});
});

describe('a request that arrived is sent once, and its outcome is unknown,', () => {
	/** Starts a server that receives the whole request and then does something to the connection of n8n. */
	async function expectUnknown(act: (client: Socket, server: Socket) => void) {
		let requests = 0;
		const listener: RequestListener = (request) => {
			request.resume().on('end', () => {
				requests++;
				const client = sockets.find(({ localPort }) => localPort === request.socket.remotePort);
				act(client as Socket, request.socket);
			});
		};
		const ran = await placeCallAt(`http://127.0.0.1:${await listen(createHttpServer(listener))}`, retried);
		expect({ ...ran, requests }).toEqual({ said: expect.stringContaining('Outcome unknown'), tries: 3, requests: 1 });
	}

	test.each([
		['EHOSTUNREACH', 'read'],
		['ENETUNREACH', 'read'],
		['ETIMEDOUT', 'read'],
		['ECONNRESET', 'read'],
		['EPIPE', 'write'],
	])('when the connection then fails with %s (%s)', async (code, syscall) => {
		const error = Object.assign(new Error(`${syscall} ${code}`), { code, syscall, errno: -113 });
		await expectUnknown((client) => client.destroy(error));
	});

	test('when the server resets the connection', async () => {
		await expectUnknown((_client, server) => server.resetAndDestroy());
	});
});
