import { harness } from '../../harness.mts';
import { byId, type Service, startService, ticksOf, until } from '../../service.mts';
import { reportedResults } from './reportedResults.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const many = Array.from({ length: 60 }, (_, index) => ({ to: `+120255501${10 + index}` }));
const place = (sending = {}) => ({
	resource: 'call',
	operation: 'place',
	agent: byId(service.seed.agents.published),
	phoneNumber: '={{ $json.to }}',
	sending: { maxConcurrentRequests: 5, ...sending },
});

/**
 * Starts a run over sixty items and cancels it after some requests, which has to end it within a second.
 * @returns the description of the error
 */
async function cancelAfter(requests: number, parameters: Record<string, unknown>, method = 'POST') {
	const started = await harness.startWorkflow({
		nodes: [
			harness.sourceOf(many),
			{ name: 'Call', type: 'n8n-nodes-voice-agent-calling.voiceAgentCalling', parameters: parameters as never },
		],
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
	return (error as Error & { description?: string }).description ?? '';
}

test('a cancelled execution reports the calls under way as unknown, the others as not tried', async () => {
	await service.fault({ match: { method: 'POST' }, kind: 'latency', ms: 3000, times: 60 });
	expect(await cancelAfter(5, place())).toContain('Outcome unknown: items 0-4. Not tried: items 5-59.');
	expect(await service.requests('POST')).toHaveLength(5);
});

test('requests under way that only read are reported as not done', async () => {
	await service.fault({ match: { method: 'GET' }, kind: 'latency', ms: 3000, times: 60 });
	const get = {
		resource: 'agent',
		operation: 'get',
		agent: byId(service.seed.agents.published),
	};
	expect(await cancelAfter(5, get, 'GET')).toBe('No items are done. Errors: items 0-4.');
});

test('a wait for the rate limit ends with the execution', async () => {
	const wait = { status: 429, body: { message: 'Too many requests.', retry_after: 120 } };
	await service.fault({ match: { method: 'POST' }, kind: 'status', ...wait, times: 60 });
	expect(await cancelAfter(5, place())).toBe('No calls were placed.');
	expect(await service.requests('POST')).toHaveLength(5);
});

test('a wait for Max Requests per Minute ends with the execution', async () => {
	const said = await cancelAfter(3, place({ maxRequestsPerMinute: 120 }));
	const tried = reportedResults(said, many.length).filter((results) => !results.includes('notTried'));
	expect(await service.requests('POST')).toHaveLength(tried.length);
});

test('a pause before a retry of a request that only reads ends with the execution', async () => {
	await service.fault({
		match: { method: 'GET' },
		kind: 'status',
		status: 503,
		headers: { 'Retry-After': '60' },
		times: 60,
	});
	const get = {
		resource: 'agent',
		operation: 'get',
		agent: byId(service.seed.agents.published),
	};
	expect(await cancelAfter(5, get, 'GET')).toMatch(/^No items are done\./);
	expect(await service.requests('GET')).toHaveLength(5);
});
