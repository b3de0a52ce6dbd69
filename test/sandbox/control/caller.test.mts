import axios from 'axios';

import { type SandboxClient, startClient } from '../client.mts';

describe('who may use the control routes', () => {
	let service: SandboxClient;
	let port: string;

	beforeAll(async () => {
		service = await startClient();
		port = new URL(service.url).port;
	});

	afterAll(() => service.close());

	const call = async (method: string, path: string, headers: Record<string, string>) => {
		const { status, data } = await axios({
			method,
			url: `${service.url}/_sandbox/${path}`,
			headers: { 'Content-Type': 'text/plain', ...headers },
			data: method === 'POST' ? '{"kind":"status","status":500,"times":1}' : undefined,
			validateStatus: () => true,
		});
		return { status, data };
	};

	it.each([
		['a page of another website', { Origin: 'https://example.com' }],
		['a page of another server on this machine', { Origin: 'http://127.0.0.1:1' }],
		['a page without an origin, such as a file or a sandboxed frame', { Origin: 'null' }],
		['a name that a website points to this machine', { Host: 'example.com' }],
		['such a name, with the port', { Host: 'localhost.example.com:4010' }],
		['a name that begins like an address of this machine', { Host: '127.0.0.1.example.com' }],
		['such a page, with a matching origin', { Host: 'example.com', Origin: 'http://example.com' }],
	])('refuse %s, and do nothing', async (_who, headers) => {
		expect(await call('POST', 'faults', headers)).toMatchObject({ status: 403, data: { success: false } });
		expect((await call('GET', 'seed', headers)).status).toBe(403);
		expect((await call('GET', 'nothing', headers)).status).toBe(403);
		const { status } = await axios.post(`${service.url}/%5Fsandbox/faults`, '{}', { headers, validateStatus: null });
		expect(status).toBe(403);
		expect((await service.api('GET', '/agents')).status).toBe(200);
	});

	it('take programs on this machine and pages of the sandbox itself', async () => {
		for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]']) {
			expect((await call('GET', 'seed', { Host: `${host}:${port}` })).status).toBe(200);
		}
		expect((await call('POST', 'reset', { Origin: service.url })).status).toBe(200);
		const byName = { Host: `localhost:${port}`, Origin: `http://localhost:${port}` };
		expect((await call('POST', 'reset', byName)).status).toBe(200);
	});
});
