import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';

import { harness } from '../../harness.mts';
import { byId } from '../../service.mts';

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
	url = '';
	private readonly plan: Plan;
	private readonly server = createServer((request, response) => void this.serve(request, response));
	private inFlight = 0;
	private requests = 0;
	/** Lets each request that is not answered go on, the newest last. */
	private readonly waiting: Array<() => void> = [];
	private endsAt = 0;

	constructor(plan: Plan) {
		this.plan = plan;
	}

	async listen(): Promise<this> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
		return this;
	}

	close(): void {
		this.server.close();
		this.server.closeAllConnections();
	}

	private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
		let text = '';
		for await (const chunk of request) {
			text += String(chunk);
		}
		const { to } = JSON.parse(text) as { to: string };
		const { status, body, headers } = this.answer(to);
		await this.turn(this.plan.latencies[this.requests++ % this.plan.latencies.length]);
		this.inFlight--;
		if (status === 200) {
			this.answered.push(to);
		}
		response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
	}

	/** Waits for a time, or until the request is the one to answer when the time of another one is up. */
	private async turn(ms: number): Promise<void> {
		if (!this.plan.newestFirst) {
			return void (await sleep(ms));
		}
		const released = new Promise<void>((resolve) => this.waiting.push(resolve));
		void sleep(ms).then(() => this.waiting.pop()?.());
		await released;
	}

	private answer(to: string): { status: number; body: object; headers: Record<string, string> } {
		const now = Date.now();
		if (now >= this.endsAt) {
			this.endsAt = now + this.plan.windowMs;
			this.windows.push(0);
		}
		const used = this.windows.at(-1) ?? 0;
		const isTaken = used < this.plan.limit;
		if (isTaken) {
			this.windows[this.windows.length - 1] = used + 1;
			this.taken.push(to);
		}
		const theirs = this.endsAt + this.plan.skewMs;
		const reset = {
			seconds: String(Math.ceil(theirs / 1000)),
			milliseconds: String(theirs),
			ISO: new Date(theirs).toISOString(),
			left: String(Math.ceil((this.endsAt - now) / 1000)),
			absent: undefined,
		}[this.plan.reset];
		const headers = {
			date: new Date(now + this.plan.skewMs).toUTCString(),
			'x-ratelimit-limit': String(this.plan.limit),
			'x-ratelimit-remaining': String(this.plan.limit - (this.windows.at(-1) ?? 0)),
			...(reset && { 'x-ratelimit-reset': reset }),
		};
		if (isTaken) {
			return { status: 200, body: { success: true, data: { id: `call to ${to}`, to } }, headers };
		}
		const seconds = Math.max(0.05, (this.endsAt - now) / 1000);
		const message = 'Too many requests.';
		const { tells } = this.plan;
		return {
			status: 429,
			body: {
				nested: { error: { code: 'RATE_LIMIT_EXCEEDED', message, details: { retry_after: seconds } } },
				flat: { message, retry_after: seconds },
				header: { message },
				nothing: { message },
			}[tells],
			headers: { ...headers, ...(tells === 'header' && { 'retry-after': String(Math.ceil(seconds)) }) },
		};
	}
}

const numberOf = (item: number) => `+12025550${100 + item}`;
const sampled = fc.sample(plans, { numRuns: 60, seed: Number(process.env.FAST_CHECK_SEED ?? 1) });

test('in whatever order a service with a limit answers, each item has its own call at its own position, and no call is placed twice', async () => {
	const runs = sampled.map(async (plan) => {
		const service = await new AnyOrder(plan).listen();
		const items = Array.from({ length: plan.items }, (_, item) => ({ to: numberOf(item) }));
		const { outputs, run } = await harness.runNode(
			{
				type: 'n8n-nodes-voice-agent-calling.voiceAgentCalling',
				parameters: {
					resource: 'call',
					operation: 'place',
					agent: byId('agent'),
					phoneNumber: '={{ $json.to }}',
					// This service answers only requests for calls.
					options: { missingVariables: 'ignore' },
					sending: { maxConcurrentRequests: plan.maxConcurrentRequests },
				},
			},
			items,
			{ credentials: { voiceAgentCallingApi: { baseUrl: service.url, environmentToken: 'TOKEN' } } },
		);
		service.close();
		const calls = outputs[0]?.map(({ json, pairedItem }) => ({ id: json.id, pairedItem }));
		const wanted = items.map(({ to }, item) => ({ id: `call to ${to}`, pairedItem: { item } }));
		expect({ plan, status: run.status, calls }).toEqual({ plan, status: 'success', calls: wanted });
		expect(service.taken.sort()).toEqual(items.map(({ to }) => to));
		expect({
			plan,
			mostInFlight: service.mostInFlight,
			isBounded: service.mostInFlight <= plan.maxConcurrentRequests,
		}).toMatchObject({ isBounded: true });
		expect(Math.max(...service.windows)).toBeLessThanOrEqual(plan.limit);
		return service.answered.some((to, index) => to !== numberOf(index));
	});
	const outOfOrder = (await Promise.all(runs)).filter(Boolean);
	// Otherwise the test would prove nothing.
	expect(outOfOrder.length).toBeGreaterThan(20);
}, 60_000);
