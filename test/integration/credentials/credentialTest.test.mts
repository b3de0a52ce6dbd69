import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';

import { certificate } from '../certificates.mts';
import { harness } from '../harness.mts';
import { listen } from '../listen.mts';
import { actionNode, type CredentialChanges, saidBy, useService } from '../service.mts';

const service = useService();

const probe = async (changes: CredentialChanges = {}) =>
	await harness.testCredential('voiceAgentCallingApi', service.credentials(changes).voiceAgentCallingApi);

/** The message of a test that fails. It has to be sentences without a code, and without the token. */
async function failure(changes: CredentialChanges = {}): Promise<string> {
	const { status, message } = await probe(changes);
	expect(status).toBe('Error');
	expect(message).toMatch(/^['A-Z].{20,}\w\. [A-Z].{10,}/);
	expect(message.replace('NODE_EXTRA_CA_CERTS', '')).not.toMatch(/\bE[A-Z]{4,}|[A-Z]_[A-Z]|undefined/);
	expect(message.replace('Environment Token', '')).not.toContain(service.token);
	return message;
}

const answering = async (answer: RequestListener) => `http://127.0.0.1:${await listen(createServer(answer))}`;
const answeringJson = async (body: unknown) =>
	await answering((_request, response) =>
		response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
	);
const works = { status: 'OK', message: 'Connection successful!' };

test.each([
	['the right token', (token: string) => token, ''],
	['blanks and line breaks around it', (token: string) => ` ${token}\n`, '/'],
	['a token that may only read', (token: string) => `${token}-readonly`, '/api/v1/'],
])(
	'The test of the credential works with %s, and sends one request that places no call',
	async (_what, tokenOf, end) => {
		expect(await probe({ environmentToken: tokenOf(service.token), baseUrl: service.url + end })).toEqual(works);
		expect(await service.requests()).toMatchObject([{ method: 'GET', path: '/api/v1/agents', status: 200 }]);
	},
);

test('The test of the credential works if the answer is reported as a success, or has a list', async () => {
	for (const body of [{ success: true }, { data: [] }]) {
		expect(await probe({ baseUrl: await answeringJson(body) })).toEqual(works);
	}
});

describe('The test of the credential says in a sentence what happened and what to do', () => {
	test('if the token is wrong or has expired, and asks only once', async () => {
		expect(await failure({ environmentToken: 'another' })).toMatch(/does not accept the environment token.*Copy the /);
		const message = await failure({ environmentToken: `${service.token}-expired` });
		expect(message).toMatch(/has expired.*Copy a new environment token/);
		expect(await service.requests()).toHaveLength(2);
	});

	test.each<[string, CredentialChanges, string]>([
		['there is no token', { environmentToken: ' ' }, "'Environment Token' is empty. Copy it"],
		[
			'Bearer was copied with the token',
			{ environmentToken: ' bearer abc' },
			'than the token. Remove Bearer before it.',
		],
		['the token is in quotes', { environmentToken: '"abc"' }, 'more than the token. Remove the quotes around it.'],
		['a limit is no whole number', { callsPerRun: 1.5 }, 'must be a whole number'],
		['a limit is negative', { callsPerDay: -1 }, 'must be a whole number'],
		['the Base URL is http on another machine', { baseUrl: 'http://api.example.com' }, 'must start with https://'],
		['the Base URL is no URL', { baseUrl: 'api.example.com' }, 'is not a URL'],
		['the Base URL has a login', { baseUrl: 'https://me:word@api.example.com' }, 'must have no user name'],
	])('if %s, and sends nothing', async (_what, changes, text) => {
		expect((await probe(changes)).message).toContain(text);
		expect(await service.requests()).toEqual([]);
	});

	test.each([
		[403, 'The token lacks a permission'],
		[500, 'internal error'],
		[429, 'too many requests'],
	])('if the service answers with %s', async (status, text) => {
		await service.answer('GET agents', status);
		expect(await failure()).toContain(text);
	});

	test.each([
		['a web page', 200, '<h1>Welcome</h1>'],
		['another service', 200, '{"agents":[]}'],
		['another service with an error', 200, '{"error":"Unknown path"}'],
		['an object instead of a list', 200, '{"data":{}}'],
	])('if %s answers', async (_what, status, body) => {
		const type = body.startsWith('<') ? 'text/html' : 'application/json';
		const answer: RequestListener = (_request, response) =>
			response.writeHead(status, { 'content-type': type }).end(body);
		const message = await failure({ baseUrl: await answering(answer) });
		expect(message).toContain(`Something other than the service answered with HTTP status ${status}. Check the `);
	});

	const elsewhere = /^There is no Voice Agent Calling Service at this address\b.*\. Check the credential's Base URL\.$/;
	test.each([
		['a web page', '<h1>Not here</h1>'],
		['a gateway', '{"message":"no Route matched"}'],
		['another service', '{"success":false,"code":"NOT_FOUND","message":"Route not found"}'],
	])('if the service is not at the Base URL, as pickers and nodes do (404 of %s)', async (_what, body) => {
		const type = body.startsWith('<') ? 'text/html' : 'application/json';
		const baseUrl = await answering((_request, response) =>
			response.writeHead(404, { 'content-type': type }).end(body),
		);
		const message = await failure({ baseUrl });
		expect(message).toMatch(elsewhere);
		const credentials = service.credentials({ baseUrl });
		const picker = harness.listSearch({ type: actionNode, method: 'searchAgents', credentials });
		const error = (await picker.catch((cause: unknown) => cause)) as Error & { description: string };
		expect(`${error.message}. ${error.description}`).toBe(message);
		const getMany = { resource: 'agent', operation: 'getAll', returnAll: false, limit: 1 };
		const ran = await service.run(getMany, [{}], { credentials });
		expect(saidBy(ran)).toContain(message.split('. ')[0]);
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
		const message = await failure({ baseUrl: await answeringJson(body) });
		expect(message).toMatch(text);
		expect(message).not.toContain('Something other');
	});

	const secure = () => listen(createHttpsServer(certificate('Service')));
	const cutting = () => createTcpServer((socket) => void socket.once('data', () => socket.destroy()));
	test.each<[string, () => Promise<string>, RegExp]>([
		['nothing listens there', async () => 'http://127.0.0.1:9', /nothing listens at the Base URL\. Check/],
		[
			'there is no such host',
			async () => 'https://calling.invalid',
			/host name .*(unknown|could not be looked up)\. Check/,
		],
		[
			'the service is https, and the Base URL http',
			async () => `http://localhost:${await secure()}`,
			/with https:\/\//,
		],
		[
			'the service is http, and the Base URL https',
			async () => `https://localhost:${await listen(createServer(() => undefined))}`,
			/TLS handshake failed\. Check .* for http/,
		],
		[
			'the certificate is self-signed',
			async () => `https://localhost:${await secure()}`,
			/certificate .*self-signed\. /,
		],
		[
			'the connection is closed',
			async () => `http://127.0.0.1:${await listen(cutting())}`,
			/closed before an answer came/,
		],
	])('if %s', async (_what, prepare, text) => {
		expect(await failure({ baseUrl: await prepare() })).toMatch(text);
	});

	test.each([301, 302, 303, 307, 308])('if the address redirects with %i, and does not follow it', async (status) => {
		const received: string[] = [];
		const target = await answering((request, response) => {
			received.push(request.url ?? '');
			response.end('{"success":true}');
		});
		const redirect: RequestListener = (_request, response) =>
			response.writeHead(status, { location: `${target}/api/v1/agents` }).end();
		const message = await failure({ baseUrl: await answering(redirect) });
		expect(message).toContain(`redirects to ${target} (HTTP status ${status})`);
		expect(received).toEqual([]);
	});
});
