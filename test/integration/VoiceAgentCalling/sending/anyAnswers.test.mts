import { setTimeout as sleep } from 'node:timers/promises';

import fc from '../../../fastCheck.mts';
import { harness } from '../../harness.mts';
import { actionNode, byId, to } from '../../service.mts';
import { type Answer, startPlannedService } from './plannedService.mts';

const plans = fc.record({
	items: fc.integer({ min: 1, max: 40 }),
	maxConcurrentRequests: fc.integer({ min: 1, max: 12 }),
	limit: fc.integer({ min: 10, max: 60 }),
	windowMs: fc.integer({ min: 150, max: 900 }),
	latencies: fc.array(fc.integer({ min: 0, max: 80 }), { minLength: 1, maxLength: 12 }),
	/** Whether the newest request is answered when the time of any is up: a busy machine, too, has answers out of order. */
	newestFirst: fc.constantFrom(true, true, false),
	reset: fc.constantFrom('seconds', 'milliseconds', 'ISO', 'left', 'absent'),
	tells: fc.constantFrom('nested', 'flat', 'header', 'nothing'),
	skewMs: fc.constantFrom(0, 0, 7_200_000, -7_200_000),
});
type Plan = typeof plans extends fc.Arbitrary<infer Value> ? Value : never;

/** A service with a rate limit in fixed windows, which responds in any order. */
class AnyOrder {
	readonly taken: string[] = [];
	/** The numbers of the calls in the order of the responses. */
	readonly answered: string[] = [];
	readonly windows: number[] = [];
	mostInFlight = 0;
	private readonly plan: Plan;
	private inFlight = 0;
	private requests = 0;
	/** Lets each request that is not answered go on, the newest last. */
	private readonly waiting: Array<() => void> = [];
	private endsAt = 0;

	constructor(plan: Plan) {
		this.plan = plan;
	}

	async serve(number: string): Promise<Answer> {
		this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
		const answer = this.answer(number);
		const { latencies, newestFirst } = this.plan;
		const over = sleep(latencies[this.requests++ % latencies.length]);
		if (newestFirst) {
			// Until the request is the one to answer when the time of another one is up.
			void over.then(() => this.waiting.pop()?.());
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		}
		await (newestFirst ? undefined : over);
		this.inFlight--;
		if (answer.status === 200) {
			this.answered.push(number);
		}
		return answer;
	}

	private answer(number: string): Answer {
		const { windowMs, limit, skewMs, tells } = this.plan;
		const now = Date.now();
		if (now >= this.endsAt) {
			this.endsAt = now + windowMs;
			this.windows.push(0);
		}
		const isTaken = this.windows.at(-1)! < limit;
		if (isTaken) {
			this.windows[this.windows.length - 1]! += 1;
			this.taken.push(number);
		}
		const theirs = this.endsAt + skewMs;
		const reset = {
			seconds: String(Math.ceil(theirs / 1000)),
			milliseconds: String(theirs),
			ISO: new Date(theirs).toISOString(),
			left: String(Math.ceil((this.endsAt - now) / 1000)),
			absent: undefined,
		}[this.plan.reset];
		const headers = {
			date: new Date(now + skewMs).toUTCString(),
			'x-ratelimit-limit': String(limit),
			'x-ratelimit-remaining': String(limit - this.windows.at(-1)!),
			...(reset && { 'x-ratelimit-reset': reset }),
		};
		if (isTaken) {
			return { status: 200, body: { success: true, data: { id: `call to ${number}`, to: number } }, headers };
		}
		const retry_after = Math.max(0.05, (this.endsAt - now) / 1000);
		const message = 'Too many requests.';
		const nested = { error: { code: 'RATE_LIMIT_EXCEEDED', message, details: { retry_after } } };
		const body = { nested, flat: { message, retry_after }, header: { message }, nothing: { message } }[tells];
		const inHeader = tells === 'header' && { 'retry-after': String(Math.ceil(retry_after)) };
		return { status: 429, body, headers: { ...headers, ...inHeader } };
	}
}

const sampled = fc.sample(plans, { numRuns: 24 });

test('in whatever order a service with a limit answers, each item has its own call at its own position, and no call is placed twice', async () => {
	const runs = sampled.map(async (plan) => {
		const service = new AnyOrder(plan);
		const numbers = Array.from({ length: plan.items }, (_, item) => `+12025550${100 + item}`);
		const parameters = {
			resource: 'call',
			operation: 'place',
			agent: byId('agent'),
			phoneNumber: '={{ $json.to }}',
			// This service answers only requests for calls.
			options: { missingVariables: 'ignore' },
			sending: { maxConcurrentRequests: plan.maxConcurrentRequests },
		};
		const credentials = await startPlannedService(async (_method, _url, number) => await service.serve(number));
		const { outputs, run } = await harness.runNode({ type: actionNode, parameters }, to(...numbers), { credentials });
		const calls = outputs[0]?.map(({ json, pairedItem }) => ({ id: json.id, pairedItem }));
		const wanted = numbers.map((number, item) => ({ id: `call to ${number}`, pairedItem: { item } }));
		expect({ plan, status: run.status, calls }).toEqual({ plan, status: 'success', calls: wanted });
		expect(service.taken.sort()).toEqual(numbers);
		expect(service.mostInFlight).toBeLessThanOrEqual(plan.maxConcurrentRequests);
		expect(Math.max(...service.windows)).toBeLessThanOrEqual(plan.limit);
		return service.answered.some((number, index) => number !== numbers[index]);
	});
	const outOfOrder = (await Promise.all(runs)).filter(Boolean);
	// Otherwise the test would prove nothing.
	expect(outOfOrder.length).toBeGreaterThan(8);
}, 600_000);
