import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import tls from 'node:tls';

import { certificate } from '../certificates.mts';
import { harness } from '../harness.mts';
import { listen } from '../listen.mts';
import { type Service, startService } from '../service.mts';

let service: Service;
let authorities: string[];
beforeAll(async () => {
	service = await startService();
	authorities = tls.getCACertificates('default');
});
beforeEach(async () => await service.reset());
afterEach(() => tls.setDefaultCACertificates(authorities));

/** Tests the credential as n8n does. @param changes to a credential that works */
const probe = async (changes: Parameters<Service['credentials']>[0] = {}) =>
	await harness.testCredential('voiceAgentCallingApi', service.credentials(changes).voiceAgentCallingApi);

/** The message of a test that fails. It has to be sentences without a code, and without the token. */
async function failure(changes: Parameters<Service['credentials']>[0] = {}): Promise<string> {
	const { status, message } = await probe(changes);
	expect(status).toBe('Error');
	expect(message).toMatch(/^['A-Z].{20,}\w\. [A-Z].{10,}/);
	expect(message.replace('NODE_EXTRA_CA_CERTS', '')).not.toMatch(/\bE[A-Z]{4,}|[A-Z]_[A-Z]|undefined/);
	expect(message.replace('Environment Token', '')).not.toContain(service.token);
	return message;
}

const answering = async (answer: RequestListener) => `http://127.0.0.1:${await listen(createServer(answer))}`;

describe('The test of the credential works', () => {
	test.each([
		['the right token', (token: string) => token],
		['blanks and line breaks around it', (token: string) => ` ${token}\n`],
		['a token that may only read', (token: string) => `${token}-readonly`],
	])('with %s, and sends one request that places no call', async (_what, tokenOf) => {
		const environmentToken = tokenOf(service.token);
		expect(await probe({ environmentToken })).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(await service.requests()).toMatchObject([{ method: 'GET', path: '/api/v1/agents', status: 200 }]);
	});

	test.each(['/', '/api/v1', '/api/v1/', '  '])('with "%s" after the Base URL', async (end) => {
		expect(await probe({ baseUrl: service.url + end })).toMatchObject({ status: 'OK' });
	});
});

test.each([
	['is reported as a success', { success: true }],
	['has a list', { data: [] }],
])('The test of the credential works if the answer %s', async (_what, body) => {
	const baseUrl = await answering((_request, response) => response.end(JSON.stringify(body)));
	expect(await probe({ baseUrl })).toEqual({ status: 'OK', message: 'Connection successful!' });
});

describe('The test of the credential says in a sentence what happened and what to do', () => {
	test('if the token is wrong, and asks only once', async () => {
		expect(await failure({ environmentToken: 'another' })).toMatch(/does not accept the environment token.*Copy the /);
		expect(await service.requests()).toHaveLength(1);
	});

	test('if the token has expired', async () => {
		const message = await failure({ environmentToken: `${service.token}-expired` });
		expect(message).toMatch(/has expired.*Copy a new environment token/);
	});

	test('if there is no token, and sends nothing', async () => {
		expect(await failure({ environmentToken: ' ' })).toContain("'Environment Token' is empty. Copy it");
		expect(await service.requests()).toEqual([]);
	});

	test('if the token lacks a permission, the service has an internal error, or too many requests come', async () => {
		for (const [status, text] of [
			[403, 'The token lacks a permission'],
			[500, 'internal error'],
			[429, 'too many requests'],
		] as const) {
			await service.fault({ match: { path: '/api/v1/agents' }, kind: 'status', status, times: 1 });
			expect(await failure()).toContain(text);
		}
	});

	test.each([
		['http on another machine', 'http://api.example.com', 'must start with https://'],
		['no URL', 'api.example.com', 'is not a URL'],
		['a URL with a login', 'https://me:word@api.example.com', 'must have no user name'],
	])('if the Base URL is %s', async (_what, baseUrl, text) => {
		const { status, message } = await probe({ baseUrl });
		expect({ status, message }).toEqual({ status: 'Error', message: expect.stringContaining(text) });
	});

	test('if nothing listens there', async () => {
		expect(await failure({ baseUrl: 'http://127.0.0.1:9' })).toMatch(/nothing listens at the Base URL\. Check/);
	});

	test('if the host does not exist', async () => {
		expect(await failure({ baseUrl: 'https://voice-agent-calling.invalid' })).toMatch(
			/the host name of the Base URL (is unknown|could not be looked up)\. Check/,
		);
	});

	test.each([
		['a web page', 'text/html', '<h1>Welcome</h1>'],
		['another service', 'application/json', '{"agents":[]}'],
		['another service with an error', 'application/json', '{"error":"Unknown path"}'],
		['an object instead of a list', 'application/json', '{"data":{}}'],
	])('if %s answers', async (_what, type, body) => {
		const baseUrl = await answering((_request, response) => response.setHeader('content-type', type).end(body));
		expect(await failure({ baseUrl })).toMatch(
			/^Something other than the service answered with HTTP status 200\. Check the /,
		);
	});

	test.each([
		[{ success: false, message: 'Unauthenticated' }, /: Unauthenticated\. Check 'Environment Token' and 'Base URL'/],
		[{ success: false }, /^The service reports a failure\. Check 'Environment Token' and 'Base URL'/],
		[{ success: 'no', message: 'Not today', data: [] }, /: Not today\. Check /],
		[{ error: 'TOKEN_EXPIRED', message: 'Token has expired', status_code: 401 }, /: Token has expired\. Copy a new/],
		[{ error: 'UNAUTHORIZED', message: 'Invalid token', status_code: 401 }, /: Invalid token\. Copy the current token/],
		[{ error: 'UNAUTHORIZED', message: 'No access', status_code: 403 }, /: No access\. The token lacks a permission/],
		[{ error: { code: 'INVALID_TOKEN', message: 'Token invalid' } }, /: Token invalid\. /],
	])('if the service reports an error with HTTP status 200: %j', async (body, text) => {
		const baseUrl = await answering((_request, response) => response.end(JSON.stringify(body)));
		const message = await failure({ baseUrl });
		expect(message).toMatch(text);
		expect(message).not.toContain('Something other');
	});

	test('if the address has no such page', async () => {
		const baseUrl = await answering((_request, response) => response.writeHead(404).end('<h1>Not here</h1>'));
		expect(await failure({ baseUrl })).toContain('Something other than the service answered with HTTP status 404');
	});

	test('if the service is https, and the Base URL http', async () => {
		const port = await listen(createHttpsServer(certificate('Service')));
		expect(await failure({ baseUrl: `http://localhost:${port}` })).toContain('starts with https://');
	});

	test('if the service is http, and the Base URL https', async () => {
		const port = await listen(createServer(() => undefined));
		expect(await failure({ baseUrl: `https://localhost:${port}` })).toMatch(/TLS handshake failed\. Check .* for http/);
	});

	const root = certificate('Root', { isAuthority: true });
	test.each<[string, () => tls.TlsOptions, string]>([
		['self-signed', () => certificate('Service'), 'self-signed'],
		[
			'of an unknown authority',
			() => certificate('S', { issuer: certificate('U', { isAuthority: true }) }),
			'verified',
		],
		['expired', () => certificate('Service', { issuer: root, from: -9, until: -1 }), 'has expired'],
		['for another host', () => certificate('Service', { issuer: root, host: 'other.example.com' }), 'another host'],
	])('if the certificate is %s', async (_how, options, text) => {
		tls.setDefaultCACertificates([root.cert]);
		const port = await listen(createHttpsServer(options(), (_request, response) => response.end('{}')));
		expect(await failure({ baseUrl: `https://localhost:${port}` })).toMatch(new RegExp(`certificate .*${text}\\. `));
	});

	test('if the connection is closed', async () => {
		const port = await listen(createTcpServer((socket) => void socket.once('data', () => socket.destroy())));
		expect(await failure({ baseUrl: `http://127.0.0.1:${port}` })).toContain('closed before an answer came');
	});

	test('if the answer does not come in time', async () => {
		const baseUrl = await answering(() => undefined);
		expect(await failure({ baseUrl })).toMatch(/^Nothing answered within 10 seconds\. Check the Base URL/);
	});

	test.each([301, 302, 303, 307, 308])('if the address redirects with %i, and does not follow it', async (status) => {
		const received: string[] = [];
		const target = await answering((request, response) => {
			received.push(request.url ?? '');
			response.end('{"success":true}');
		});
		const baseUrl = await answering((_request, response) => {
			response.writeHead(status, { location: `${target}/api/v1/agents` }).end();
		});
		expect(await failure({ baseUrl })).toContain(`redirects to ${target} (HTTP status ${status})`);
		expect(received).toEqual([]);
	});
});

test('Both nodes test the credential', async () => {
	const { nodeTypes } = await harness.loadPackage();
	for (const { description, methods } of Object.values(nodeTypes)) {
		const [{ testedBy = '' } = {}] = description.credentials ?? [];
		expect(methods?.credentialTest?.[String(testedBy)]).toEqual(expect.any(Function));
	}
});
