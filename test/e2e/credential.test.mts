import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

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
		['a wrong token', () => 'WRONG'],
		['an expired one', (token: string) => `${token}-expired`],
		['none', () => ''],
	])('says with %s where to get the current token', async (_what, token) => {
		expect(await withToken(token(n8n.sandbox.token))).toEqual(
			says('The service does not accept this token. Copy the current token from the dashboard'),
		);
	});

	test('says that a token has no access to agents', async () => {
		const fault = { match: { path: '/api/v1/agents' }, kind: 'status', status: 403 };
		await n8n.service.post('/_sandbox/faults', fault);
		expect(await withToken(n8n.sandbox.token)).toEqual(
			says('The service knows this token but it lacks the permission to list agents.'),
		);
	});

	test.each(['/', '//', '/api/v1', '/api/v1/', '  '])('works with "%s" after the Base URL', async (end) => {
		expect(await withUrl(n8n.sandbox.url + end)).toEqual(works);
	});

	test('reports a refused connection and an unknown host', async () => {
		const gone = await serve((_request, response) => response.end());
		servers.at(-1)?.close();
		expect(await withUrl(gone)).toEqual(says('ECONNREFUSED'));
		const unknown = await withUrl('https://voice-agent-calling.invalid');
		expect(unknown).toEqual({ status: 'Error', message: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) });
	});

	test('does not send the token unencrypted to another machine', async () => {
		for (const host of ['api.example.com', '10.0.0.7', '127.0.0.1.example.com']) {
			expect(await withUrl(`http://${host}`)).toEqual(
				says(
					`must start with https://, because the environment token travels with every request. Plain http:// is for a service on this machine only, and "${host}" is not this machine.`,
				),
			);
		}
	});

	test('rejects an invalid URL and a URL with a login', async () => {
		expect(await withUrl('api.example.com')).toEqual(says('is not an address. Enter one like https://api.example.com'));
		expect(await withUrl('https://me:pass@api.example.com')).toEqual(says('must be an address alone'));
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
				says('Something answers at this address, but not the Voice Agent Calling Service. Check the Base URL.'),
			);
		}
		const nothing = await serve((_request, response) => response.writeHead(404).end('not here'));
		expect(await withUrl(nothing)).toEqual(
			says('There is no Voice Agent Calling Service at this address. Check the Base URL.'),
		);
	});

	test.each([301, 302, 303, 307, 308])('does not follow a redirect with status %d', async (status) => {
		const target = await serve((_request, response) => response.end('{"success":true}'));
		const url = await serve((_request, response) => {
			response.writeHead(status, { location: `${target}/api/v1/agents` }).end();
		});
		received.length = 0;
		expect(await withUrl(url)).toEqual(says('This address redirects to another one, and the token is not sent there.'));
		expect(received).toEqual([`Bearer ${n8n.sandbox.token}`]);
	});
});
