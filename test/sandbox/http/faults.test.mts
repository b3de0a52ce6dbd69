import { asList } from '../client.mts';
import { useService } from '../use.mts';

describe('faults', () => {
	const service = useService();
	const fault = (body: object) => service.control('faults', body);
	const last = async () => asList(await service.control('requests')).at(-1)!;
	const place = () => service.api('POST', `/agents/${service.seed.agents.published}/call`, { to: '+12025550001' });
	const placed = async () => asList(await service.control('calls')).length - 30;

	it('status: answers with status, body and headers, once, and the request does nothing', async () => {
		await fault({ kind: 'status', status: 503, body: { oops: 1 }, headers: { 'X-Cause': 'test' } });
		const refused = await place();
		expect([refused.status, refused.data, refused.headers['x-cause']]).toEqual([503, { oops: 1 }, 'test']);
		expect(await last()).toMatchObject({ method: 'POST', status: 503, fault: 'status', body: { to: '+12025550001' } });
		expect([await placed(), (await place()).status]).toEqual([0, 200]);
	});

	it('status: sends a text unchanged', async () => {
		const headers = { 'content-type': 'text/html', 'X-RateLimit-Remaining': '0' };
		await fault({ kind: 'status', status: 502, body: '<html>', headers });
		const page = await place();
		const { 'content-type': type, 'x-ratelimit-remaining': remaining } = page.headers;
		expect([page.data, type, remaining]).toEqual(['<html>', 'text/html', '0']);
	});

	it('latency: waits in real time and then continues', async () => {
		await fault({ kind: 'latency', ms: 150 });
		const started = Date.now();
		expect((await place()).status).toBe(200);
		expect(Date.now() - started).toBeGreaterThanOrEqual(145);
		expect(await last()).toMatchObject({ status: 200, fault: 'latency' });
	});

	it.each([
		['drop-before', 0],
		['drop-after', 1],
	])('%s: cuts the connection, after %d calls', async (kind, calls) => {
		await fault({ kind });
		await expect(place()).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect(await placed()).toBe(calls);
		expect(await last()).toMatchObject({ status: null, fault: kind, body: { to: '+12025550001' } });
	});

	it('malformed: acts and answers 200 with a body that is not JSON', async () => {
		await fault({ kind: 'malformed' });
		const { status, data, headers } = await place();
		expect([status, headers['content-type'], await placed()]).toEqual([200, 'application/json; charset=utf-8', 1]);
		expect(() => JSON.parse(String(data))).toThrow();
	});

	it('apply to matching requests, times times, in the order in which they were set', async () => {
		await fault({ kind: 'status', status: 500, match: { method: 'get', path: '/api/v1/campaigns*' }, times: 2 });
		await fault({ kind: 'status', status: 501, match: { path: '/api/v1/agents' } });
		await fault({ kind: 'status', status: 502, match: { path: '/api/v1/campaigns' } });
		const { agents, campaigns } = service.seed;
		const paths = ['/calls', `/agents/${agents.draft}`, '/campaigns?page=1', `/campaigns/${campaigns.draft}`];
		const statuses = [];
		for (const path of [...paths, '/campaigns', '/campaigns', '/agents?page=1', '/agents']) {
			statuses.push((await service.api('GET', path)).status);
		}
		expect(statuses).toEqual([200, 200, 500, 500, 502, 200, 501, 200]);
	});
});
