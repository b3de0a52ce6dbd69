import { harness } from '../../harness.mts';
import { actionNode, byId, type Fault, ticksOf, to, until, useService } from '../../service.mts';
import { reportedResults } from './reportedResults.mts';

const service = useService();

const many = to(...Array.from({ length: 60 }, (_, index) => `+120255501${10 + index}`));

/**
 * Starts a run over sixty items and cancels it after some requests, which has to end it within a second.
 * @param held how many requests the service still has then
 * @returns the description of the error
 */
async function cancelAfter(requests: number, parameters: object, method: string, held = 0) {
	const started = await harness.startWorkflow({
		nodes: [harness.sourceOf(many), { name: 'Call', type: actionNode, parameters: parameters as never }],
		credentials: service.credentials(),
	});
	await until(async () => (await service.requests(method)).length >= requests);
	const ticks = await ticksOf(50, async () => {
		started.cancel();
		await started.result;
	});
	expect(ticks).toBeLessThan(20);
	const { status, error } = await started.result;
	expect(status).toBe('canceled');
	// The service holds slow requests longer than a test waits.
	await until(async () => (await service.load()).inFlight <= held);
	return String((error as Error & { description?: string }).description);
}

const status = (code: number, more: object) => ({ kind: 'status', status: code, ...more }) as const;
const slow = { kind: 'latency', ms: 20_000 } as const;
const limited = status(429, { body: { message: 'Too many requests.', retry_after: 120 } });
const broken = status(503, { headers: { 'Retry-After': '60' } });

test.each<[string, string, Omit<Fault, 'match'>, RegExp]>([
	[
		'calls under way are unknown, others not tried',
		'POST',
		slow,
		/^5 with an unknown outcome \(sheet rows 2-6\).* 55 not tried \(sheet rows 7-61\)\.$/,
	],
	[
		'requests under way that only read are not done',
		'GET',
		slow,
		/^Nothing was done\..* \(sheet rows 2-6\), 55 not tried\.$/,
	],
	['a wait for the rate limit ends', 'POST', limited, /^No calls were placed\./],
	['a pause before a retry of a request that only reads ends', 'GET', broken, /^Nothing was done\./],
])('with the execution, %s', async (_what, method, fault, said) => {
	await service.fault({ match: { method }, ...fault, times: 60 });
	const sending = { maxConcurrentRequests: 5 };
	const get = { resource: 'agent', operation: 'get', agent: byId(service.seed.agents.published), sending };
	const parameters = method === 'GET' ? get : service.place({}, { sending });
	expect(await cancelAfter(5, parameters, method, fault === slow ? 5 : 0)).toMatch(said);
	expect(await service.requests(method)).toHaveLength(5);
});

test('a wait for Max Requests per Minute ends with the execution', async () => {
	const said = await cancelAfter(3, service.place({}, { sending: { maxRequestsPerMinute: 600 } }), 'POST');
	const tried = reportedResults(said, many.length).filter((results) => !results.includes('notTried'));
	expect(await service.requests('POST')).toHaveLength(tried.length);
});
