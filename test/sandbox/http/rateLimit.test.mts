import { type ApiResponse, type SandboxClient, startClient } from '../client.mts';
import { skipRealTime } from '../realTime.mts';

const header = (response: ApiResponse, name: string) => Number(response.headers[`x-ratelimit-${name}`]);

describe('rate limits', () => {
	let service: SandboxClient;
	const start = async (...options: Parameters<typeof startClient>) => void (service = await startClient(...options));
	afterEach(() => service.close());
	const get = () => service.api('GET', '/agents');

	it('get 429 beyond the limit, with retry_after where a call is placed or queued, and do nothing', async () => {
		const begin = Date.now();
		await start({ rateLimit: 1, rateWindow: 30 });
		const { campaigns, agents } = service.seed;
		await get();
		const flat = await service.api('POST', `/campaigns/${campaigns.active}/call`, { to: '+12025550001' });
		const nested = await service.api('POST', `/agents/${agents.published}/call`, { to: '+12025550001' });
		expect([flat.status, nested.status, header(flat, 'remaining')]).toEqual([429, 429, 0]);
		for (const { retry_after: seconds } of [flat.data.details, nested.data.error.details]) {
			expect(seconds).toBeGreaterThan(29 - (Date.now() - begin) / 1000);
			expect(seconds).toBeLessThanOrEqual(30);
		}
		expect((await service.control('calls')).length).toBe(30);
		// The health check and the control routes still work.
		expect((await service.api('GET', '/health')).status).toBe(200);
	});

	it('open again at the reset time, in real time whatever the speed', async () => {
		await start({ rateLimit: 1, rateWindow: 60, speed: 1000 });
		const statuses = [(await get()).status, (await get()).status];
		await service.advance(3600);
		statuses.push((await get()).status);
		skipRealTime(60_000);
		statuses.push((await get()).status);
		expect(statuses).toEqual([200, 429, 429, 200]);
	});

	it('count each request for the length of a window if that slides', async () => {
		await start({ rateLimit: 2, rateWindow: 60, rateWindows: 'sliding' });
		const first = await get();
		skipRealTime(40_000);
		const second = await get();
		expect([first, second].map((response) => header(response, 'remaining'))).toEqual([1, 0]);
		expect(header(second, 'reset')).toBe(header(first, 'reset'));
		expect((await get()).status).toBe(429);
		skipRealTime(20_000);
		const third = await get();
		expect([third.status, header(third, 'remaining'), (await get()).status]).toEqual([200, 0, 429]);
		expect(header(third, 'reset') - header(second, 'reset')).toBeGreaterThanOrEqual(39);
	});
});
