import { connect } from 'node:net';
import axios from 'axios';

import { type SandboxClient, startClient } from '../client.mts';

describe('authentication', () => {
	let service: SandboxClient;
	let campaign: string;
	let agent: string;
	beforeAll(async () => {
		service = await startClient();
		campaign = service.seed.campaigns.active;
		agent = service.seed.agents.published;
	});
	afterAll(() => service.close());

	const expectAnswer = async (
		[method, path]: [string, string],
		token: string | null,
		status: number,
		body: unknown,
	) => {
		const response = await service.api(method, path, method === 'GET' ? undefined : {}, token);
		expect([response.status, response.data]).toEqual([status, body]);
	};

	it('answers a request without Authorization header with MISSING_TOKEN on every endpoint', async () => {
		const body = { error: 'MISSING_TOKEN', message: expect.any(String), status_code: 401 };
		await expectAnswer(['GET', '/agents'], null, 401, body);
		await expectAnswer(['POST', `/agents/${agent}/call`], null, 401, body);
		await expectAnswer(['POST', '/campaigns'], null, 401, body);
		await expectAnswer(['GET', '/no-such-path'], null, 401, body);
	});

	it('answers an expired token with TOKEN_EXPIRED on every endpoint', async () => {
		const body = { error: 'TOKEN_EXPIRED', message: expect.any(String), status_code: 401 };
		await expectAnswer(['GET', '/campaigns'], 'TOKEN-expired', 401, body);
		await expectAnswer(['POST', `/agents/${agent}/call`], 'TOKEN-expired', 401, body);
	});

	it('answers an invalid token in the format that each endpoint has for it', async () => {
		const nested = { error: { code: 'INVALID_TOKEN', message: expect.any(String) } };
		await expectAnswer(['POST', `/agents/${agent}/call`], 'wrong', 401, nested);
		await expectAnswer(['POST', '/campaigns'], 'wrong', 401, { message: 'Unauthenticated.' });
		const unauthenticated = { success: false, message: 'Unauthenticated.' };
		await expectAnswer(['GET', '/agents'], 'wrong', 401, unauthenticated);
		await expectAnswer(['GET', `/agents/${agent}/calls`], 'wrong', 401, unauthenticated);
		const unauthorized = { success: false, message: 'Unauthorized' };
		for (const path of ['/calls', '/campaigns', `/campaigns/${campaign}/sftp`, '/phone-numbers', '/voice-templates']) {
			await expectAnswer(['GET', path], 'wrong', 401, unauthorized);
		}
		const coded = { code: 'INVALID_API_KEY', message: expect.any(String), details: {} };
		for (const path of ['', '/events', `/${service.seed.calendar}/availability`]) {
			await expectAnswer(['GET', `/calendars${path}`], 'wrong', 401, { success: false, error: coded });
		}
		const standard = { error: 'UNAUTHORIZED', message: expect.any(String), status_code: 401 };
		await expectAnswer(['GET', '/sip-trunks'], 'wrong', 401, standard);
		await expectAnswer(['GET', '/no-such-path'], 'wrong', 401, standard);
	});

	it.each(['Basic VE9LRU4=', 'Basic TOKEN', 'TOKEN', 'Bearer', 'Bearer TOKEN and more', 'BearerTOKEN', 'Bearer token'])(
		'takes the header "%s" for an invalid token',
		async (Authorization) => {
			const response = await axios.get(`${service.url}/api/v1/agents`, {
				headers: { Authorization },
				validateStatus: () => true,
			});
			expect([response.status, response.data]).toEqual([401, { success: false, message: 'Unauthenticated.' }]);
		},
	);

	it('lets a read-only token read, and validate a flow, but gives 403 on every write', async () => {
		expect((await service.api('GET', '/campaigns', undefined, 'TOKEN-readonly')).status).toBe(200);
		const flow = { flow_config: { initial_node_id: 'a', nodes: [{ id: 'a', type: 'end' }] } };
		const validated = await service.api('POST', `/agents/${agent}/flow/validate`, flow, 'TOKEN-readonly');
		expect(validated.data).toMatchObject({ success: true });

		const flat = { success: false, message: expect.any(String) };
		await expectAnswer(['POST', '/campaigns'], 'TOKEN-readonly', 403, flat);
		await expectAnswer(['PATCH', `/campaigns/${campaign}/status`], 'TOKEN-readonly', 403, flat);
		await expectAnswer(['DELETE', `/campaigns/${campaign}`], 'TOKEN-readonly', 403, flat);
		await expectAnswer(['PUT', `/agents/${agent}/knowledge`], 'TOKEN-readonly', 403, flat);
		await expectAnswer(['POST', `/campaigns/${campaign}/call`], 'TOKEN-readonly', 403, flat);
		const nested = { error: { code: 'UNAUTHORIZED', message: expect.any(String) } };
		await expectAnswer(['POST', `/agents/${agent}/call`], 'TOKEN-readonly', 403, nested);
	});

	it('answers the health check without a token', async () => {
		await expectAnswer(['GET', '/health'], null, 200, { status: 'ok' });
		await expectAnswer(['GET', '/health'], 'wrong', 200, { status: 'ok' });
	});

	it('checks the token before the object and the body', async () => {
		const response = await service.api('POST', '/campaigns/unknown/call', '{broken', 'wrong');
		expect(response.status).toBe(401);
	});
});

describe('requests that match no endpoint', () => {
	let service: SandboxClient;
	beforeAll(async () => {
		service = await startClient();
	});
	afterAll(() => service.close());

	it('answers an unknown path with a flat 404', async () => {
		const response = await service.api('GET', '/nothing-here');
		expect(response.status).toBe(404);
		expect(response.data).toEqual({ success: false, message: expect.any(String) });
	});

	it('answers a wrong method on a known path with a flat 405 that names the methods', async () => {
		const response = await service.api('DELETE', '/campaigns');
		expect(response.status).toBe(405);
		expect(response.data).toEqual({ success: false, message: expect.stringContaining('GET, HEAD, POST') });
	});

	it('answers a path that cannot be decoded with a flat 404', async () => {
		const response = await rawRequest(service.url, 'GET /api/v1/agents/%E0%A4%A HTTP/1.1');
		expect(response).toMatch(/^HTTP\/1.1 404/);
		expect(response).toContain('{"success":false,"message"');
	});

	it('answers a body that is not JSON with a flat 400, on the agent call with a nested one', async () => {
		const flat = await service.api('POST', '/campaigns', '{"name": ');
		expect([flat.status, flat.data]).toEqual([400, { success: false, message: expect.any(String) }]);
		const nested = await service.api('POST', `/agents/${service.seed.agents.published}/call`, '{');
		expect([nested.status, nested.data]).toEqual([
			400,
			{ error: { code: 'INVALID_JSON', message: expect.any(String) } },
		]);
	});

	it('answers a body that is JSON but no object with 422', async () => {
		const response = await service.api('POST', '/campaigns', '[1]');
		expect([response.status, response.data]).toMatchObject([
			422,
			{ success: false, errors: { body: [expect.any(String)] } },
		]);
	});

	it('answers a body of more than 10 MiB with a flat 413', async () => {
		const response = await service.api('POST', '/campaigns', { name: 'x'.repeat(11 * 1024 * 1024) });
		expect([response.status, response.data]).toEqual([413, { success: false, message: expect.any(String) }]);
		expect(response.headers).toHaveProperty('x-ratelimit-limit');
	});

	it('answers 404 that names what is missing', async () => {
		const { seed } = service;
		const missing = async (path: string) => (await service.api('GET', path)).data.message;
		expect(await missing('/agents/unknown')).toBe('Agent not found.');
		expect(await missing('/campaigns/unknown')).toBe('Campaign not found.');
		expect(await missing(`/campaigns/${seed.campaigns.active}/webhooks/unknown`)).toBe('Webhook not found.');
		expect(await missing(`/agents/${seed.campaigns.active}`)).toBe('Agent not found.');
	});
});

function rawRequest(url: string, line: string): Promise<string> {
	return new Promise((resolve, reject) => {
		const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
			socket.write(`${line}\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\nConnection: close\r\n\r\n`),
		);
		let answer = '';
		socket.on('data', (chunk) => (answer += String(chunk)));
		socket.on('end', () => resolve(answer));
		socket.on('error', reject);
	});
}
