import { type ApiResponse, startClient } from '../client.mts';
import { skipRealTime } from '../realTime.mts';

const header = (response: ApiResponse, name: string) => Number(response.headers[`x-ratelimit-${name}`]);

describe('rate limits', () => {
	it('count down in the headers of every response, refused ones included', async () => {
		const service = await startClient({ rateLimit: 5, rateWindow: 60 });
		const before = Math.floor(Date.now() / 1000);
		const first = await service.api('GET', '/agents');
		const refused = await service.api('GET', '/agents', undefined, null);
		const unknown = await service.api('GET', '/unknown');
		expect([first, refused, unknown].map((response) => header(response, 'remaining'))).toEqual([4, 3, 2]);
		expect(header(first, 'limit')).toBe(5);
		expect(header(first, 'reset')).toBeGreaterThanOrEqual(before + 60);
		expect(header(first, 'reset')).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 60);
		expect(header(unknown, 'reset')).toBe(header(first, 'reset'));
		await service.close();
	});

	it('answer 429 beyond the limit, with retry_after where a call is placed or queued', async () => {
		const begin = Date.now();
		const service = await startClient({ rateLimit: 1, rateWindow: 30 });
		const { seed } = service;
		await service.api('GET', '/agents');
		const flat = await service.api('POST', `/campaigns/${seed.campaigns.active}/call`, { to: '+12025550001' });
		expect(flat.status).toBe(429);
		expect(flat.data).toMatchObject({ success: false, code: 'RATE_LIMIT_EXCEEDED' });
		expect(header(flat, 'remaining')).toBe(0);
		const nested = await service.api('POST', `/agents/${seed.agents.published}/call`, { to: '+12025550001' });
		expect(nested.status).toBe(429);
		expect(nested.data).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } });
		for (const { retry_after: seconds } of [flat.data.details, nested.data.error.details]) {
			expect(seconds).toBeGreaterThan(29 - (Date.now() - begin) / 1000);
			expect(seconds).toBeLessThanOrEqual(30);
		}
		expect((await service.control('calls')).length).toBe(30);
		await service.close();
	});

	it('open again at the reset time, in real time whatever the speed', async () => {
		const service = await startClient({ rateLimit: 1, rateWindow: 60, speed: 1000 });
		expect((await service.api('GET', '/agents')).status).toBe(200);
		expect((await service.api('GET', '/agents')).status).toBe(429);
		await service.advance(3600);
		expect((await service.api('GET', '/agents')).status).toBe(429);
		skipRealTime(60_000);
		expect((await service.api('GET', '/agents')).status).toBe(200);
		await service.close();
	});

	it('count each request for the length of a window if that slides', async () => {
		const service = await startClient({ rateLimit: 2, rateWindow: 60, rateWindows: 'sliding' });
		const first = await service.api('GET', '/agents');
		skipRealTime(40_000);
		const second = await service.api('GET', '/agents');
		expect([first, second].map((response) => header(response, 'remaining'))).toEqual([1, 0]);
		expect(header(second, 'reset')).toBe(header(first, 'reset'));
		expect((await service.api('GET', '/agents')).status).toBe(429);
		skipRealTime(20_000);
		const third = await service.api('GET', '/agents');
		expect([third.status, header(third, 'remaining')]).toEqual([200, 0]);
		expect(header(third, 'reset') - header(second, 'reset')).toBeGreaterThanOrEqual(39);
		expect((await service.api('GET', '/agents')).status).toBe(429);
		await service.close();
	});

	it('leave the health check and the control routes alone', async () => {
		const service = await startClient({ rateLimit: 1 });
		await service.api('GET', '/agents');
		const health = await service.api('GET', '/health');
		expect(health.status).toBe(200);
		expect(header(health, 'limit')).toBe(1);
		expect(await service.control('seed')).toEqual(service.seed);
		await service.close();
	});
});
