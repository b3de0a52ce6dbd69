import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { harness } from '../../harness.mts';
import { byId, type Fault, inFastTime, type Service, startService } from '../../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const call = '/call';
const place = (more = {}) => ({
	resource: 'call',
	operation: 'place',
	agent: byId(service.seed.agents.published),
	phoneNumber: '={{ $json.to }}',
	...more,
});
const one = [{ to: '+12025550111' }];
const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const fault = async (what: Omit<Fault, 'match'>) => await service.fault({ ...what, match: { method: 'POST' } });

test('an invalid token takes one request, and the message says what to do', async () => {
	const credentials = service.credentials({ environmentToken: 'another' });
	const { run } = await service.run(place(), one, { credentials });
	expect(run.error).toMatchObject({
		message: expect.stringContaining('token'),
		description: expect.stringContaining('credential'),
	});
	expect(await service.requests()).toMatchObject([{ method: 'GET', status: 401 }]);
});

test('an expired token and one without permission have separate messages', async () => {
	const failure = async (environmentToken: string) =>
		(await service.run(place(), one, { credentials: service.credentials({ environmentToken }) })).run.error;
	expect(await failure(`${service.token}-expired`)).toMatchObject({ message: expect.stringContaining('expired') });
	expect(await failure(`${service.token}-readonly`)).toMatchObject({ message: expect.stringContaining('permission') });
});

test.each([301, 302, 307, 308])('nothing is sent to the target of a redirect (%s)', async (status) => {
	const heard: string[] = [];
	const other = createServer((request, response) => {
		heard.push(`${request.method} ${request.headers.authorization}`);
		response.end('{}');
	});
	harness.closeAtEnd(async () => void other.close());
	await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
	const Location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/elsewhere`;
	await fault({ kind: 'status', status, headers: { Location } });
	await service.fault({ match: { method: 'GET' }, kind: 'status', status, headers: { Location }, times: 2 });
	const { run } = await service.run(place({ options: { missingVariables: 'ignore' } }), one);
	expect(run.error).toMatchObject({
		message: expect.stringContaining('redirect'),
		description: expect.stringContaining('Base URL'),
	});
	expect((await service.run({ resource: 'campaign', operation: 'getAll' })).run.status).toBe('error');
	await expect(
		harness.testCredential('voiceAgentCallingApi', service.credentials().voiceAgentCallingApi),
	).resolves.toMatchObject({ status: 'Error' });
	expect(heard).toEqual([]);
});

describe('a call without a response is “outcome unknown” and is not sent again', () => {
	test.each<[string, Omit<Fault, 'match'>, object]>([
		['the connection is cut after the service acted', { kind: 'drop-after' }, {}],
		['the connection is cut before the service acted', { kind: 'drop-before' }, {}],
		['the answer is not JSON', { kind: 'malformed' }, {}],
		[
			'the answer has an empty list instead of the call',
			{ kind: 'status', status: 200, body: { success: true, data: [] } },
			{},
		],
		[
			'the answer says both success and failure',
			{ kind: 'status', status: 200, body: { success: false, message: 'Blocked', data: { id: 'a' } } },
			{},
		],
		['the service breaks down', { kind: 'status', status: 500 }, {}],
		['a proxy gives up', { kind: 'status', status: 504, body: '<html>Gateway Timeout</html>' }, {}],
		['no answer comes in time', { kind: 'latency', ms: 1300 }, { sending: { requestTimeout: 1 } }],
	])('when %s', async (_when, what, more) => {
		await fault(what);
		const { run, tries } = await service.run(place(more), one, { node: retried });
		expect(tries).toBe(3);
		expect(run.error?.message).toContain('Outcome unknown');
		expect(run.error).toMatchObject({ description: expect.stringContaining('phone may be ringing') });
		expect(await service.requests('POST', call)).toHaveLength(1);
	});
});

test('a service that cannot be reached is reported, with the Base URL', async () => {
	const credentials = service.credentials({ baseUrl: 'http://127.0.0.1:9' });
	const { run } = await inFastTime(async () => await service.run(place(), one, { credentials }));
	expect(run.error).toMatchObject({
		message: expect.stringContaining('could not be reached'),
		description: expect.stringContaining('Base URL'),
	});
});

test.each(['http://example.com', 'ftp://127.0.0.1', 'nonsense', ''])(
	'the Base URL "%s" is refused before a request',
	async (baseUrl) => {
		const { run } = await service.run(place(), one, { credentials: service.credentials({ baseUrl }) });
		expect(run.error?.message).toContain('Base URL');
	},
);

test.each(['/', '/api/v1', '/api/v1/'])('the Base URL may end in "%s"', async (end) => {
	const credentials = service.credentials({ baseUrl: service.url + end });
	const { run } = await service.run(place(), one, { credentials });
	expect(run.status).toBe('success');
	await expect(harness.testCredential('voiceAgentCallingApi', credentials.voiceAgentCallingApi)).resolves.toMatchObject(
		{ status: 'OK' },
	);
});

describe('every error format of the service becomes a message that says what happened and what to do', () => {
	test.each<[string, number, unknown, string[]]>([
		['flat', 400, { success: false, message: 'Flat words.' }, ['Flat words.']],
		['flat with a code', 409, { success: false, message: 'Busy now.', code: 'CALL_NOT_ACTIVE' }, ['Busy now.']],
		[
			'flat with a map of fields',
			422,
			{ success: false, message: 'Invalid.', errors: { to: ['is odd.', 'is short.'], 'a.0.b': ['is missing.'] } },
			['Invalid.', 'to', 'is odd.', 'is short', 'a.0.b', 'is missing'],
		],
		[
			'flat with a list',
			422,
			{ success: false, errors: ['First thing.', 'Second thing.'] },
			['First thing.', 'Second thing.'],
		],
		[
			'nested',
			400,
			{ error: { code: 'INVALID_PHONE_NUMBER', message: 'Nested words.', details: { field: 'to' } } },
			['Nested words (to)', 'Phone Number'],
		],
		[
			'nested with success',
			401,
			{ success: false, error: { code: 'INVALID_API_KEY', message: 'Key words.', details: {} } },
			['Key words.', 'token'],
		],
		[
			'authentication',
			401,
			{ error: 'TOKEN_EXPIRED', message: 'Expired words.', status_code: 401 },
			['Expired words.', 'dashboard'],
		],
		['bare message', 401, { message: 'Bare words.' }, ['Bare words.', 'token']],
		['bare error', 500, { error: 'Error words.' }, ['Error words.']],
		['credits', 402, { error: { code: 'INSUFFICIENT_CREDITS', message: 'No more.' } }, ['No more.', 'credits']],
		[
			'waiting time',
			429,
			{ error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Slow down.', details: { retry_after: 301 } } },
			['Slow down.', '301 seconds', 'Max Wait'],
		],
		['plain text', 403, 'Plain words', ['Plain words', 'HTTP status 403', 'proxy']],
		['a web page', 502, '<html><body>Bad Gateway</body></html>', ['HTTP status 502', 'proxy']],
		['nothing', 404, '', ['HTTP status 404', 'Base URL']],
		['a shape nobody knows', 418, { reason: { text: 'Odd words.' } }, ['refused']],
	])('%s', async (_format, status, body, texts) => {
		await fault({ kind: 'status', status, body, times: 20 });
		const { run } = await service.run(place(), one);
		const { message, description = '' } = run.error as Error & { description?: string };
		for (const text of texts) {
			expect(`${message} ${description}`).toContain(text);
		}
		expect(description).not.toBe('');
		expect(message).not.toContain('<html>');
	});
});

test.each<[string, unknown]>([
	['without data', { success: true }],
	['with a text for data', { success: true, data: 'queued' }],
	['with a list for data', { success: true, data: ['queued'] }],
])(
	'a success %s gives an item that is an object, or an error, and the request is not sent again',
	async (_shape, body) => {
		await fault({ kind: 'status', status: 200, body });
		const { outputs, run } = await service.run(place(), one, { node: retried });
		if (run.status === 'success') {
			for (const { json } of outputs[0] ?? []) {
				expect(Object.prototype.toString.call(json)).toBe('[object Object]');
			}
		} else {
			expect(run.error?.message).toEqual(expect.any(String));
		}
		expect(outputs[0]?.length ?? 1).toBe(1);
		expect(await service.requests('POST', call)).toHaveLength(1);
	},
);

test('the context arrives with all of its keys, also those that JavaScript gives a meaning to', async () => {
	const context =
		'{"constructor":"ACME","prototype":1,"__proto__":{"to":"x"},"toString":"t","in":{"constructor":2,"__proto__":3}}';
	await service.run(place({ options: { metadataJson: context } }), one);
	const [request] = await service.requests('POST');
	expect(JSON.stringify((request?.body as { context: unknown }).context)).toBe(context);
});

test('a token that was copied with an invisible character works, and is hidden all the same', async () => {
	const credentials = service.credentials({ environmentToken: `${service.token.replace(/^../, '$&\u200b')}\n` });
	expect((await service.run(place(), one, { credentials })).run.status).toBe('success');
	await fault({ kind: 'status', status: 400, body: { message: `Blocked: ${service.token}` } });
	const { run } = await service.run(place(), one, { credentials });
	expect(run.error?.message).toContain('Blocked: [hidden]');
});

test('an answer that trickles in forever does not hold the run: the outcome is unknown', async () => {
	const server = createServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		const drip = setInterval(() => response.write(' '), 50);
		// Without a time limit, the call would be placed in the end.
		const end = setTimeout(() => response.end('{"success": true, "data": {"id": "late"}}'), 15_000);
		response.on('close', () => {
			clearInterval(drip);
			clearTimeout(end);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	harness.closeAtEnd(async () => {
		server.closeAllConnections();
		server.close();
	});
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const { outputs } = await service.run(
		place({ sending: { requestTimeout: 1 }, options: { missingVariables: 'ignore' } }),
		one,
		{
			credentials: service.credentials({ baseUrl }),
			node: { onError: 'continueRegularOutput' },
		},
	);
	expect(outputs[0]?.map(({ json }) => json)).toMatchObject([
		{ result: 'unknown', message: expect.stringContaining('did not answer within the request timeout') },
	]);
});
