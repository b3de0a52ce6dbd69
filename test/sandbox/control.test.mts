import { remember } from '../../sandbox/world.mts';
import {
	activeCampaign,
	callsOf,
	list,
	queue,
	startReceiver,
	startService,
	text,
	webhookOn,
	type Service,
} from './helpers.mts';

describe('faults', () => {
	let service: Service;
	beforeEach(async () => {
		service = await startService();
	});
	afterEach(() => service.close());

	const fault = (body: object) => service.control('faults', body);
	const last = async () => list(await service.control('requests')).at(-1)!;
	const place = () => service.api('POST', `/agents/${service.seed.agents.published}/call`, { to: '+12025550001' });
	const placed = async () => list(await service.control('calls')).length - 30;

	it('status: answers so, with body and headers, once, and the request does nothing', async () => {
		await fault({ kind: 'status', status: 503, body: { oops: 1 }, headers: { 'X-Cause': 'test' } });
		const refused = await place();
		expect([refused.status, refused.data, refused.headers['x-cause']]).toEqual([503, { oops: 1 }, 'test']);
		expect(await last()).toMatchObject({ method: 'POST', status: 503, fault: 'status', body: { to: '+12025550001' } });
		expect(await placed()).toBe(0);
		expect((await place()).status).toBe(200);
	});

	it('status: has a flat body of its own where none is given, and sends a text as it is', async () => {
		await fault({ kind: 'status', status: 404 });
		expect((await place()).data).toEqual({ success: false, message: 'Fault: status 404.' });
		await fault({ kind: 'status', status: 429, headers: { 'X-RateLimit-Remaining': '0' } });
		const { headers } = await place();
		expect([headers['x-ratelimit-remaining'], headers['x-ratelimit-limit']]).toEqual(['0', '100000']);
		await fault({ kind: 'status', status: 502, body: '<html>', headers: { 'content-type': 'text/html' } });
		const page = await place();
		expect([page.data, page.headers['content-type']]).toEqual(['<html>', 'text/html']);
	});

	it('status: has the body that each route has for errors of the service itself', async () => {
		const message = 'Fault: status 500.';
		const body = async (method: string, path: string) => {
			await fault({ kind: 'status', status: 500 });
			return (await service.api(method, path)).data;
		};
		const { published } = service.seed.agents;
		const groups = (await service.api('GET', '/voice-templates')).data.data;
		const voice = text(groups[0]!.voices[0]!.id);
		expect(await body('POST', `/agents/${published}/call`)).toEqual({ error: { code: 'SERVER_ERROR', message } });
		expect(await body('GET', `/voice-templates/${voice}/demo`)).toEqual({ error: message });
		expect(await body('GET', '/voice-templates')).toEqual({ success: false, message });
		expect(await body('GET', '/nothing-here')).toEqual({ success: false, message });
	});

	it('latency: waits in real time and then goes on', async () => {
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

	it('meet the requests that match, as often as times says, in the order in which they were set', async () => {
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

	it('are refused where they say too little', async () => {
		expect(await fault({ kind: 'explode' })).toMatchObject({ success: false, errors: { kind: expect.anything() } });
		expect(await fault({ kind: 'status' })).toMatchObject({ success: false, errors: { status: expect.anything() } });
		expect(await fault({ kind: 'latency' })).toMatchObject({ success: false, errors: { ms: expect.anything() } });
	});
});

describe('what the sandbox shows', () => {
	it('has every call with its payload, context and the campaign call that it is an attempt of', async () => {
		const service = await startService();
		const wishes = { payload: { name: 'Ada' }, context: { order: 7 } };
		const queued = await queue(service, service.seed.campaigns.active, '+12025550001', wishes);
		await service.api('POST', `/agents/${service.seed.agents.published}/call`, { to: '+12025550011' });
		await service.advance(1);
		const calls = list(await service.control('calls')).slice(30);
		expect(calls.sort((one, other) => text(one.to).localeCompare(text(other.to)))).toMatchObject([
			{ to: '+12025550001', campaign_call_id: queued.id, ...wishes },
			{ to: '+12025550011', campaign_call_id: null, payload: {}, context: {} },
		]);
		await service.close();
	});

	it('answers an unknown control route with 404, and takes POST without a body', async () => {
		const service = await startService();
		expect((await fetch(`${service.url}/_sandbox/nothing`)).status).toBe(404);
		expect((await fetch(`${service.url}/_sandbox/reset`, { method: 'POST' })).status).toBe(200);
		expect((await fetch(`${service.url}/_sandbox/advance`, { method: 'POST' })).status).toBe(422);
		await service.close();
	});

	it('has every request of the service in order, with body and status, and no token', async () => {
		const service = await startService();
		await service.api('GET', '/agents?search=am');
		await service.api('POST', '/campaigns', '{"a":');
		await service.api('GET', '/agents', undefined, null);
		await service.control('seed');
		const requests = await service.control('requests');
		expect(requests).toMatchObject([
			{ method: 'GET', path: '/api/v1/agents', query: { search: 'am' }, status: 200 },
			{ method: 'POST', path: '/api/v1/campaigns', body: '{"a":', status: 400 },
			{ method: 'GET', path: '/api/v1/agents', status: 401 },
		]);
		expect(JSON.stringify(requests)).not.toContain('TOKEN');
		await service.close();
	});

	it('remembers the latest 50,000 requests or deliveries', () => {
		const list: number[] = [];
		for (let index = 0; index <= 50_000; index += 1) remember(list, index);
		expect([list.length, list[0], list.at(-1)]).toEqual([50_000, 1, 50_000]);
	});

	it('has seeded objects whose ids are the same at every start', async () => {
		const [one, other] = [await startService(), await startService()];
		expect(one.seed).toEqual(other.seed);
		expect(one.url).not.toBe(other.url);
		for (const [status, id] of Object.entries(one.seed.campaigns))
			expect((await one.api('GET', `/campaigns/${id}`)).data.data.status).toBe(status);
		await one.api('DELETE', `/campaigns/${one.seed.campaigns.draft}`);
		expect((await other.api('GET', `/campaigns/${other.seed.campaigns.draft}`)).status).toBe(200);
		await one.close();
		await other.close();
	});

	it('is as at the start after a reset', async () => {
		const service = await startService({ rateLimit: 8, credits: 1 });
		const receiver = await startReceiver();
		receiver.answer(500);
		const id = service.seed.campaigns.active;
		const webhook = await webhookOn(service, id, receiver.url);
		await queue(service, id, '+12025550001');
		await service.advance(5);
		const before = receiver.received.length;
		await service.control('faults', { kind: 'status', status: 500 });
		expect(await service.control('reset', {})).toEqual({ success: true });
		expect(await service.control('requests')).toEqual([]);
		expect(await service.control('deliveries')).toEqual([]);
		const { status, headers } = await service.api('GET', `/campaigns/${id}/webhooks/${webhook}`);
		expect([status, headers['x-ratelimit-remaining']]).toEqual([404, '7']);
		await service.advance(10_000);
		expect(receiver.received).toHaveLength(before);
		expect(await callsOf(service, id)).toEqual([]);
		receiver.close();
		await service.close();
	});
});

describe('a reset while a call is under way', () => {
	it('ends the call: no event of it comes any more', async () => {
		const service = await startService({ speed: 1000, minimumStatusMs: 500 });
		const receiver = await startReceiver();
		const id = await activeCampaign(service);
		await webhookOn(service, id, receiver.url);
		await queue(service, id, '+12025550002');
		const ringing = async () => list(await service.control('calls')).some(({ status }) => text(status) === 'ringing');
		while (!(await ringing())) await new Promise((resolve) => setTimeout(resolve, 5));
		await service.control('reset', {});
		await new Promise((resolve) => setTimeout(resolve, 700));
		expect(receiver.events()).toEqual(['campaign_call.queued', 'campaign_call.started']);
		receiver.close();
		await service.close();
	});
});

describe('the clock', () => {
	it('moves on by /_sandbox/advance, and all that became due is done when it answers', async () => {
		const service = await startService();
		const receiver = await startReceiver();
		const id = await activeCampaign(service, { max_retries: 2, retry_cooldown_hours: 24 });
		await webhookOn(service, id, receiver.url);
		await queue(service, id, '+12025550002');
		await service.advance(100 * 3600);
		expect(receiver.events()).toEqual([
			'campaign_call.queued',
			'campaign_call.started',
			'campaign_call.retry_scheduled',
			'campaign_call.started',
			'campaign_call.retry_scheduled',
			'campaign_call.started',
			'campaign_call.failed',
		]);
		const times = receiver.received.map(({ body }) => Date.parse(text(body.timestamp)));
		expect(Math.round((times[3]! - times[2]!) / 3_600_000)).toBe(24);
		expect(times).toEqual([...times].sort());
		receiver.close();
		await service.close();
	});

	it('answers with the time that it shows, and refuses to go back', async () => {
		const service = await startService();
		const { now } = await service.control('advance', { seconds: 86_400 });
		expect(Math.abs(Date.parse(text(now)) - Date.now() - 86_400_000)).toBeLessThan(5000);
		expect(await service.control('advance', { seconds: -1 })).toMatchObject({ success: false });
		await service.close();
	});

	it('runs as fast as speed says, but a call stays at least 200 ms of real time in each status', async () => {
		const service = await startService({ speed: 10_000, minimumStatusMs: 200 });
		const path = `/agents/${service.seed.agents.published}/call`;
		const started = Date.now();
		const { data } = await service.api('POST', path, { to: '+12025550001' });
		const changes = new Map<string, number>();
		while (!changes.has('completed')) {
			const call = list(await service.control('calls')).find(({ id }) => text(id) === text(data.data.id))!;
			const status = text(call.status);
			if (!changes.has(status)) changes.set(status, Date.now() - started);
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		expect([...changes.keys()]).toEqual(['initiated', 'ringing', 'answered', 'completed']);
		const times = [...changes.values()];
		expect(times[3]).toBeGreaterThanOrEqual(600);
		expect(times[3]).toBeLessThan(10_000);
		await service.close();
	});

	it('keeps to the 200 ms when it is moved on', async () => {
		const service = await startService({ minimumStatusMs: 200 });
		await service.api('POST', `/agents/${service.seed.agents.published}/call`, { to: '+12025550001' });
		const started = Date.now();
		await service.advance(60);
		expect(Date.now() - started).toBeGreaterThanOrEqual(590);
		expect(list((await service.api('GET', '/calls?search=0001')).data.data)[0]!.status).toBe('completed');
		await service.close();
	});
});
