import { asList } from '../client.mts';
import { type Step, useStories } from '../story.mts';

describe('faults', () => {
	const { service, play, stories } = useStories();
	const fault = (settings: object): Step => ['POST /_sandbox/faults 200', settings];
	const place = (status: number, body?: object): Step => [
		`POST /agents/{agent}/call ${status}`,
		{ to: '+12025550001' },
		body,
	];
	const placed = (count: number): Step => ['GET /_sandbox/calls 200', { length: 30 + count }];
	const lastIs = (request: object): Step => ['GET /_sandbox/requests?limit=1 200', { items: [request] }];
	const send = () => service.api('POST', `/agents/${service.seed.agents.published}/call`, { to: '+12025550001' });

	stories({
		'status: responds with status and body, once, and the request does nothing': [
			fault({ kind: 'status', status: 503, body: { oops: 1 } }),
			place(503, { oops: 1 }),
			lastIs({ method: 'POST', status: 503, fault: 'status' }),
			placed(0),
			place(200),
		],
		'apply to matching requests, times times, in the order in which they were set': [
			fault({ kind: 'status', status: 500, match: { method: 'get', path: '/api/v1/campaigns*' }, times: 2 }),
			fault({ kind: 'status', status: 501, match: { path: '/api/v1/agents' } }),
			fault({ kind: 'status', status: 502, match: { path: '/api/v1/campaigns' } }),
			['GET /calls 200'],
			['GET /agents/{draftAgent} 200'],
			['GET /campaigns?page=1 500'],
			['GET /campaigns/{draft} 500'],
			['GET /campaigns 502'],
			['GET /campaigns 200'],
			['GET /agents?page=1 501'],
			['GET /agents 200'],
		],
	});

	it('status: sends a text and its headers unchanged', async () => {
		const headers = { 'content-type': 'text/html', 'X-RateLimit-Remaining': '0', 'X-Cause': 'test' };
		await play([fault({ kind: 'status', status: 502, body: '<html>', headers })]);
		const shown = { 'content-type': 'text/html', 'x-ratelimit-remaining': '0', 'x-cause': 'test' };
		expect(await send()).toMatchObject({ data: '<html>', headers: shown });
	});

	it('latency: waits in real time and then continues', async () => {
		await play([fault({ kind: 'latency', ms: 150 })]);
		const started = Date.now();
		await play([place(200), lastIs({ status: 200, fault: 'latency' })]);
		expect(Date.now() - started).toBeGreaterThanOrEqual(145);
	});

	it.each([
		['drop-before', 0],
		['drop-after', 1],
	])('%s: cuts the connection, after %d calls', async (kind, calls) => {
		await play([fault({ kind })]);
		await expect(send()).rejects.toMatchObject({ code: 'ECONNRESET' });
		await play([placed(calls)]);
		const sent = { status: null, fault: kind, body: { to: '+12025550001' } };
		expect(asList(await service.control('requests')).at(-1)).toMatchObject(sent);
	});

	it('malformed: acts and responds with 200 and a body that is not JSON', async () => {
		await play([fault({ kind: 'malformed' })]);
		const { status, data, headers } = await send();
		expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
		expect(() => JSON.parse(String(data))).toThrow();
		await play([placed(1)]);
	});
});
