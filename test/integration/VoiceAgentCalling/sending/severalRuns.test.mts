import { byId, startService } from '../../service.mts';

const runs = 4;
const limit = 250;
const windowSeconds = 4;
const calls = 1000;

/** Queues the calls by several runs at the same time. @returns the results and the requests */
async function queueByRuns(rateWindows: 'fixed' | 'sliding') {
	const service = await startService({ rateLimit: limit, rateWindow: windowSeconds, rateWindows });
	const work = Array.from({ length: runs }, async (_, run) => {
		const items = Array.from({ length: calls / runs }, (__, n) => ({ to: `+1202${5_550_100 + run * calls + n}` }));
		const campaign = byId(service.seed.campaigns.active);
		const parameters = { resource: 'campaign', operation: 'queueCall', campaign, phoneNumber: '={{ $json.to }}' };
		return (await service.run(parameters, items)).outputs[0] ?? [];
	});
	const results = (await Promise.all(work)).flat().map(({ json }) => json.result);
	const requests = await service.requests('POST');
	const queued = requests.filter(({ status }) => status === 201).map(({ body }) => (body as { to: string }).to);
	return { results, queued, rejected: (requests.length - calls) / calls };
}

test('four runs at the same time share a limit, in fixed and in sliding windows: all calls are queued once, and no run sends again and again', async () => {
	for (const { results, queued, rejected } of await Promise.all([queueByRuns('fixed'), queueByRuns('sliding')])) {
		expect(results).toEqual(Array.from({ length: calls }, () => 'queued'));
		expect(new Set(queued).size).toBe(calls);
		expect(queued).toHaveLength(calls);
		// How long it takes depends on the machine: the simulations and the benchmark measure that.
		expect(rejected).toBeLessThanOrEqual(0.25);
	}
});
