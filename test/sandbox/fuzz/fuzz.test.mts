import { fuzz } from './run.mts';

describe('random requests to every route', () => {
	it('end in no internal error, hang or unknown answer, and break nothing that comes later', async () => {
		const result = await fuzz({ requests: 1000, seed: Number(process.env.FAST_CHECK_SEED ?? 1) });
		expect(result.failure).toBe(undefined);
		expect(result.requests).toBeGreaterThanOrEqual(1000);
		// Many are accepted, and many are not.
		for (const first of ['2', '4']) {
			const some = Object.entries(result.statuses).filter(([status]) => status.startsWith(first));
			expect(some.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(250);
		}
		// A busy machine is no reason to fail.
	}, 300_000);
});
