import { asList, asText, type SandboxClient, startClient } from '../client.mts';

describe('faults', () => {
	let service: SandboxClient;
	beforeEach(async () => {
		service = await startClient();
	});
	afterEach(() => service.close());

	const fault = (body: object) => service.control('faults', body);
	const last = async () => asList(await service.control('requests')).at(-1)!;
	const place = () => service.api('POST', `/agents/${service.seed.agents.published}/call`, { to: '+12025550001' });
	const placed = async () => asList(await service.control('calls')).length - 30;

	it('status: answers with status, body and headers, once, and the request does nothing', async () => {
		await fault({ kind: 'status', status: 503, body: { oops: 1 }, headers: { 'X-Cause': 'test' } });
		const refused = await place();
		expect([refused.status, refused.data, refused.headers['x-cause']]).toEqual([503, { oops: 1 }, 'test']);
		expect(await last()).toMatchObject({ method: 'POST', status: 503, fault: 'status', body: { to: '+12025550001' } });
		expect(await placed()).toBe(0);
		expect((await place()).status).toBe(200);
	});

	it('status: has a flat default body, and sends a text unchanged', async () => {
		await fault({ kind: 'status', status: 404 });
		expect((await place()).data).toEqual({ success: false, message: 'Fault: status 404.' });
		await fault({ kind: 'status', status: 429, headers: { 'X-RateLimit-Remaining': '0' } });
		const { headers } = await place();
		expect([headers['x-ratelimit-remaining'], headers['x-ratelimit-limit']]).toEqual(['0', '100000']);
		await fault({ kind: 'status', status: 502, body: '<html>', headers: { 'content-type': 'text/html' } });
		const page = await place();
		expect([page.data, page.headers['content-type']]).toEqual(['<html>', 'text/html']);
	});

	it('status: has each route’s body for internal errors', async () => {
		const message = 'Fault: status 500.';
		const body = async (method: string, path: string) => {
			await fault({ kind: 'status', status: 500 });
			return (await service.api(method, path)).data;
		};
		const { published } = service.seed.agents;
		const groups = (await service.api('GET', '/voice-templates')).data.data;
		const voice = asText(groups[0]!.voices[0]!.id);
		expect(await body('POST', `/agents/${published}/call`)).toEqual({ error: { code: 'SERVER_ERROR', message } });
		expect(await body('GET', `/voice-templates/${voice}/demo`)).toEqual({ error: message });
		expect(await body('GET', '/voice-templates')).toEqual({ success: false, message });
		expect(await body('GET', '/nothing-here')).toEqual({ success: false, message });
	});

	it('latency: waits in real time and then continues', async () => {
		await fault({ kind: 'latency', ms: 150 });
		const started = Date.now();
		expect((await place()).status).toBe(200);
		expect(Date.now() - started).toBeGreaterThanOrEqual(145);
		expect(await last()).toMatchObject({ status: 200, fault: 'latency' });
	});

	it('drop-before: cuts the connection and does nothing', async () => {
		await fault({ kind: 'drop-before' });
		await expect(place()).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect(await placed()).toBe(0);
		expect(await last()).toMatchObject({ status: null, fault: 'drop-before', body: { to: '+12025550001' } });
	});

	it('drop-after: acts and then cuts the connection', async () => {
		await fault({ kind: 'drop-after' });
		await expect(place()).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect(await placed()).toBe(1);
		expect(await last()).toMatchObject({ status: null, fault: 'drop-after' });
	});

	it('malformed: acts and answers 200 with a body that is not JSON', async () => {
		await fault({ kind: 'malformed' });
		const { status, data, headers } = await place();
		expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
		expect(() => JSON.parse(String(data))).toThrow();
		expect(await placed()).toBe(1);
	});

	it('apply to matching requests, times times, in the order in which they were set', async () => {
		await fault({ kind: 'status', status: 500, match: { method: 'get', path: '/api/v1/campaigns*' }, times: 2 });
		await fault({ kind: 'status', status: 501, match: { path: '/api/v1/agents' } });
		await fault({ kind: 'status', status: 429, headers: { 'X-RateLimit-Remaining': '0' } });
		const { headers } = await place();
		expect([headers['x-ratelimit-remaining'], headers['x-ratelimit-limit']]).toEqual(['0', '100000']);
		await fault({ kind: 'status', status: 502, match: { path: '/api/v1/campaigns' } });
		const get = async (path: string) => (await service.api('GET', path)).status;
		expect(await get('/calls')).toBe(200);
		expect(await get(`/agents/${service.seed.agents.draft}`)).toBe(200);
		expect((await service.api('PUT', `/campaigns/${service.seed.campaigns.draft}`, {})).status).toBe(200);
		expect([await get('/campaigns?page=1'), await get(`/campaigns/${service.seed.campaigns.draft}`)]).toEqual([
			500, 500,
		]);
		expect([await get('/campaigns'), await get('/campaigns')]).toEqual([502, 200]);
		expect([await get('/agents?page=1'), await get('/agents')]).toEqual([501, 200]);
	});

	it('are rejected if a field is missing', async () => {
		expect(await fault({ kind: 'explode' })).toMatchObject({ success: false, errors: { kind: expect.anything() } });
		expect(await fault({ kind: 'status' })).toMatchObject({ success: false, errors: { status: expect.anything() } });
		expect(await fault({ kind: 'latency' })).toMatchObject({ success: false, errors: { ms: expect.anything() } });
	});
});
