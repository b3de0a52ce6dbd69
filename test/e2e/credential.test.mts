import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { certificate } from '../integration/certificates.mts';
import { Instance } from './instance.mts';

let n8n: Instance;
const servers: Server[] = [];
/** The `Authorization` header of each request to a server that is not the service. */
const received: Array<string | undefined> = [];

beforeAll(async () => {
	n8n = await Instance.share();
}, 120_000);

afterAll(async () => {
	for (const server of servers) {
		server.close();
		server.closeAllConnections();
	}
	await n8n?.stop();
}, 30_000);

/** Starts a server that answers as told; gives its address. */
async function serve(answer: RequestListener): Promise<string> {
	const server = createServer((request, response) => {
		received.push(request.headers.authorization);
		answer(request, response);
	});
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Presses "Retry" in the credential's window, with what is entered there; gives what the window says. */
async function testCredential(data: {
	baseUrl: string;
	environmentToken: string;
}): Promise<{ status: string; message: string }> {
	const type = 'voiceAgentCallingApi';
	const { id } = await n8n.editor.request<{ id: string }>('POST', '/rest/credentials', { name: 'Tried', type, data });
	try {
		const credentials = { id, name: 'Tried', type, data };
		return await n8n.editor.request('POST', '/rest/credentials/test', { credentials });
	} finally {
		await n8n.editor.request('DELETE', `/rest/credentials/${id}`);
	}
}

const works = { status: 'OK', message: 'Connection successful!' };
const says = (message: string) => ({ status: 'Error', message: expect.stringContaining(message) as string });

describe('The credential test in the editor', () => {
	const withToken = async (token: string) =>
		await testCredential({ baseUrl: n8n.sandbox.url, environmentToken: token });
	const withUrl = async (baseUrl: string) => await testCredential({ baseUrl, environmentToken: n8n.sandbox.token });

	test.each([
		['the right token', (token: string) => token],
		['blanks around it', (token: string) => ` ${token}\n`],
		// The missing permission shows at the first write: the test only reads, so that it never places a call.
		['a token that may only read', (token: string) => `${token}-readonly`],
	])('works with %s', async (_what, token) => {
		expect(await withToken(token(n8n.sandbox.token))).toEqual(works);
	});

	test.each([
		[
			'a wrong token',
			() => 'WRONG',
			/^The service does not accept the environment token.*\. Copy the current token from /,
		],
		['an expired one', (token: string) => `${token}-expired`, /has expired\. Copy a new environment token from /],
		['none', () => '', /^'Environment Token' is empty\. Copy it from /],
	])('says with %s where to get the current token', async (_what, token, message) => {
		expect(await withToken(token(n8n.sandbox.token))).toEqual({
			status: 'Error',
			message: expect.stringMatching(message),
		});
	});

	test('says that a token has no access to agents', async () => {
		const fault = { match: { path: '/api/v1/agents' }, kind: 'status', status: 403 };
		await n8n.service.post('/_sandbox/faults', fault);
		expect(await withToken(n8n.sandbox.token)).toEqual(
			says('The token lacks a permission. Use one with access to voice agents, calls and campaigns.'),
		);
	});

	test.each(['/', '//', '/api/v1', '/api/v1/', '  '])('works with "%s" after the Base URL', async (end) => {
		expect(await withUrl(n8n.sandbox.url + end)).toEqual(works);
	});

	test('reports a refused connection and an unknown host', async () => {
		const gone = await serve((_request, response) => response.end());
		servers.at(-1)?.close();
		const reach = "Check the credential's Base URL, and that n8n can reach it.";
		expect(await withUrl(gone)).toEqual(
			says(`The service could not be reached: nothing listens at the Base URL. ${reach}`),
		);
		expect(await withUrl('https://voice-agent-calling.invalid')).toEqual({
			status: 'Error',
			message: expect.stringMatching(/the host name of the Base URL (is unknown|could not be looked up)\. Check/),
		});
	});

	test('reports https at a port for http, and a self-signed certificate', async () => {
		const plain = await serve((_request, response) => response.end());
		expect(await withUrl(plain.replace('http:', 'https:'))).toEqual(says('the TLS handshake failed. Check'));
		const server = createHttpsServer(certificate('Service'), (_request, response) => response.end());
		servers.push(server);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		expect(await withUrl(`https://localhost:${(server.address() as AddressInfo).port}`)).toEqual(
			says('its certificate is self-signed. If you trust it, set'),
		);
	});

	test('reports that there is no answer in time', async () => {
		expect(await withUrl(await serve(() => undefined))).toEqual(says('Nothing answered within 10 seconds. Check'));
	}, 30_000);

	test('does not send the token unencrypted to another machine', async () => {
		for (const host of ['api.example.com', '10.0.0.7', '127.0.0.1.example.com']) {
			expect(await withUrl(`http://${host}`)).toEqual(
				says(
					`must start with https://, because every request contains the environment token. Plain http:// is allowed only for a service on the same machine, which "${host}" is not`,
				),
			);
		}
	});

	test('rejects an invalid URL and a URL with a login', async () => {
		expect(await withUrl('api.example.com')).toEqual(says('is not a URL. Enter one like https://api.example.com'));
		expect(await withUrl('https://me:pass@api.example.com')).toEqual(says('must have no user name'));
	});

	test('reports that a different service answers', async () => {
		const page = await serve((_request, response) => {
			response.setHeader('content-type', 'text/html').end('<h1>Welcome</h1>');
		});
		const otherService = await serve((_request, response) => {
			response.setHeader('content-type', 'application/json').end('{"agents":[]}');
		});
		for (const url of [page, otherService]) {
			expect(await withUrl(url)).toEqual(
				says("Something other than the service answered with HTTP status 200. Check the credential's Base URL"),
			);
		}
		const nothing = await serve((_request, response) => response.writeHead(404).end('not here'));
		expect(await withUrl(nothing)).toEqual(
			says('Something other than the service answered with HTTP status 404: not here. Check'),
		);
	});

	test.each([301, 302, 303, 307, 308])('does not follow a redirect with status %d', async (status) => {
		const target = await serve((_request, response) => response.end('{"success":true}'));
		const url = await serve((_request, response) => {
			response.writeHead(status, { location: `${target}/api/v1/agents` }).end();
		});
		received.length = 0;
		expect(await withUrl(url)).toEqual(says(`The Base URL redirects to ${target} (HTTP status ${status})`));
		expect(received).toEqual([`Bearer ${n8n.sandbox.token}`]);
	});
});
