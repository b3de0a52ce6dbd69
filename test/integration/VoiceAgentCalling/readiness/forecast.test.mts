import { randomUUID } from 'node:crypto';

import { harness } from '../../harness.mts';
import { byId, type Service, startService, until } from '../../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

type Item = Record<string, unknown>;

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const HOUR_MS = 3_600_000;
const numbers = (count: number) => Array.from({ length: count }, (_none, index) => ({ to: `+1202555${1000 + index}` }));

/** The option with some values; the others have their defaults. */
const forecast = (values: object = {}) => ({ forecast: { values } });

const ofAgent = (options: object = forecast(), more: object = {}) => ({
	resource: 'call',
	operation: 'checkBeforeCalling',
	agent: byId(`={{ $json.agent ?? '${service.seed.agents.published}' }}`),
	phoneNumber: '={{ $json.to }}',
	options,
	...more,
});
const ofCampaign = (options: object = forecast(), more: object = {}) => ({
	...ofAgent(options),
	resource: 'campaign',
	campaign: byId(`={{ $json.campaign ?? '${service.seed.campaigns.active}' }}`),
	...more,
});

/** Runs a check, by default with On Error set to stop. @returns the last item, and those before it */
async function run(parameters: object, items: Item[], more: object = {}): Promise<{ said: Item; checked: Item[] }> {
	const { outputs, run } = await service.run(parameters as never, items, more);
	expect(run.error).toBeUndefined();
	const all = outputs[0] ?? [];
	expect(all.map(({ pairedItem }) => pairedItem)).toEqual([
		...items.map((_item, item) => ({ item })),
		items.map((_item, item) => ({ item })),
	]);
	const jsons = all.map(({ json }) => json as Item);
	return { said: jsons.at(-1) ?? {}, checked: jsons.slice(0, -1) };
}

const continued = { node: { onError: 'continueRegularOutput' } };

const pricingPath = (agent: string) => `/api/v1/agents/${agent}/pricing/summary`;

/** Makes the service answer with this where it is asked for the price of an agent. */
async function answerPrice(data: unknown, agent = service.seed.agents.published, status = 200): Promise<void> {
	const body = status === 200 ? { success: true, data } : { success: false, message: 'No price for you.' };
	await service.fault({ match: { path: pricingPath(agent) }, kind: 'status', status, body, times: 5 });
}

const price = (perMinute: unknown, currency: unknown = 'USD') => ({ estimated_cost_per_minute: perMinute, currency });

/** A second agent that can call. */
async function secondAgent(): Promise<string> {
	const { draft } = service.seed.agents;
	const { body } = await service.api('GET', 'phone-numbers');
	const active = (body.data as Array<{ id: string; current_status: string }>).find(
		({ current_status }) => current_status === 'active',
	);
	const calling = { direction: 'outbound', phone_number_ids: [active?.id] };
	await service.api('PUT', `agents/${draft}/calling`, calling);
	await service.api('POST', `agents/${draft}/publish`);
	return draft;
}

describe('Forecast adds one item at the end', () => {
	test('it counts the numbers that are ready, and the reasons of the others, most frequent first', async () => {
		await answerPrice(price(0.1));
		const items: Item[] = [
			...numbers(4),
			{ to: '555' },
			{ to: '030 1234567' },
			{ to: '' },
			{ to: '+12025551000' },
			{ to: '+12025550122', agent: NOWHERE },
			{ to: '4', agent: NOWHERE },
		];
		const { said, checked } = await run(ofAgent(), items);
		expect(said).toMatchObject({ result: 'forecast', itemCount: 10, readyCount: 4, notReadyCount: 6 });
		expect(said.reasons).toEqual([
			{
				code: 'INVALID_PHONE_NUMBER',
				count: 3,
				message: expect.stringMatching(/^This is not a valid phone number\. /),
			},
			{ code: 'AGENT_NOT_FOUND', count: 2, message: expect.stringMatching(/^The agent does not exist\. /) },
			{ code: 'MISSING_PHONE_NUMBER', count: 1, message: expect.stringMatching(/^The phone number is missing\./) },
			{ code: 'REPEATED_NUMBER', count: 1, message: expect.stringMatching(/^An earlier item has the same number\. /) },
		]);
		// A filter for ready items must not take it for a contact.
		expect('ready' in said).toBe(false);
		expect(checked).toHaveLength(10);
	});

	test('the other items are as they are without it, and nothing is written', async () => {
		const items = [...numbers(2), { to: '555' }];
		const withIt = await run(ofCampaign(), items);
		const { outputs } = await service.run(ofCampaign({}) as never, items);
		const plain = outputs[0]?.map(({ json }) => json) ?? [];
		const withoutTime = ({ nextSlot, ...item }: Item) => ({ ...item, hasSlot: typeof nextSlot });
		expect(plain).toHaveLength(3);
		expect(withIt.checked.map(withoutTime)).toEqual(plain.map((item) => withoutTime(item as Item)));
		expect(new Set((await service.requests()).map(({ method }) => method))).toEqual(new Set(['GET']));
	});

	test.each([
		['stop', undefined],
		['continue', 'continueRegularOutput'],
		['continue with the error output', 'continueErrorOutput'],
	])('with On Error set to %s, items that fail are handled as without it', async (_how, onError) => {
		const items = [...numbers(2), { to: '+12025550133', agent: '' }];
		const { outputs, run } = await service.run(ofAgent() as never, items, { node: { onError } as never });
		if (onError === undefined) {
			expect(run.error?.message).toContain("'Agent' is empty");
			expect(await service.requests()).toHaveLength(0);
			return;
		}
		const [first = [], second = []] = outputs;
		expect(second).toHaveLength(onError === 'continueErrorOutput' ? 1 : 0);
		expect(first.at(-1)?.json).toMatchObject({
			result: 'forecast',
			itemCount: 3,
			readyCount: 2,
			reasons: [{ code: 'INVALID_INPUT', count: 1, message: expect.stringContaining("'Agent' is empty") }],
		});
		expect(first.at(-1)?.pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
	});

	test('it has the default assumptions where the option is there but empty', async () => {
		for (const empty of ['={{ null }}', {}, { values: {} }]) {
			await answerPrice(price(1));
			const { said } = await run(ofAgent({ forecast: empty }), numbers(1));
			expect(said).toMatchObject({ readyCount: 1, costLow: 1, costLikely: 2, costHigh: 4, endsAt: null });
		}
	});

	test('it comes even if every item fails', async () => {
		const { said } = await run(ofAgent(), [{ agent: '' }, { agent: '' }], continued);
		expect(said).toMatchObject({ itemCount: 2, readyCount: 0, reasons: [{ code: 'INVALID_INPUT', count: 2 }] });
		const wrong = { ...continued, credentials: service.credentials({ environmentToken: 'wrong' }) };
		const { said: refused } = await run(ofCampaign(), numbers(3), wrong);
		expect(refused).toMatchObject({ itemCount: 3, readyCount: 0, notReadyCount: 3 });
		expect(refused.reasons).toEqual(
			expect.arrayContaining([{ code: 'UNAUTHORIZED', count: expect.any(Number), message: expect.any(String) }]),
		);
	});

	test('a cancelled execution ends while a price is read', async () => {
		await service.fault({
			match: { path: pricingPath(service.seed.agents.published) },
			kind: 'latency',
			ms: 5000,
			times: 5,
		});
		const started = await harness.startWorkflow({
			nodes: [
				harness.sourceOf(numbers(3)),
				{
					name: 'Check',
					type: 'n8n-nodes-voice-agent-calling.voiceAgentCalling',
					parameters: ofAgent() as never,
				},
			],
			credentials: service.credentials(),
		});
		await until(async () => (await service.requests('GET', '/pricing')).length > 0);
		started.cancel();
		const { status } = await started.result;
		expect(status).toBe('canceled');
	});

	test('an AI agent that uses it as a tool gets it, too', async () => {
		const parameters = {
			...ofAgent(),
			phoneNumber: "={{ $fromAI('phone') }}",
			agent: byId(service.seed.agents.published),
		};
		const tool = await harness.mcpTool(
			{ parameters: parameters as never },
			{ credentials: service.credentials(), workflowId: randomUUID() },
		);
		const answer = await tool({ phone: '+12025550111' });
		expect(answer).toContain('"ready":true');
		expect(answer).toContain('"result":"forecast"');
		expect(answer).toContain('"readyCount":1');
	});
});

describe('The cost', () => {
	test("is the agent's price per minute times the minutes of all ready calls", async () => {
		const { body } = await service.api('GET', `agents/${service.seed.agents.published}/pricing`);
		const { estimated_cost_per_minute: perMinute, currency } = body.data as Record<string, number>;
		const options = forecast({ minutesLow: 0.5, minutesLikely: 1.5, minutesHigh: 6 });
		for (const parameters of [ofAgent(options), ofCampaign(options)]) {
			const { said } = await run(parameters, [...numbers(40), { to: '555' }]);
			expect(said).toMatchObject({ currency, costReason: null });
			expect(said.costLow).toBeCloseTo(20 * Number(perMinute), 4);
			expect(said.costLikely).toBeCloseTo(60 * Number(perMinute), 4);
			expect(said.costHigh).toBeCloseTo(240 * Number(perMinute), 4);
			expect((said.assumptions as string[]).join(' ')).toContain('0.5 (low), 1.5 (likely) or 6 (high) minutes');
		}
	});

	test('is that of 1, 2 and 4 minutes where nothing else is entered', async () => {
		await answerPrice(price('0.10'));
		const { said } = await run(ofAgent(), numbers(10));
		expect(said).toMatchObject({ costLow: 1, costLikely: 2, costHigh: 4, currency: 'USD' });
	});

	test('takes the minutes of each item, which may come from an expression', async () => {
		await answerPrice(price(0.1));
		const minutes = { minutesLow: 0, minutesLikely: '={{ $json.minutes }}', minutesHigh: 60 };
		const items = [1, '2', 7].map((minutes, index) => ({ ...numbers(3)[index], minutes }));
		const { said } = await run(ofAgent(forecast(minutes)), items);
		expect(said).toMatchObject({ costLow: 0, costLikely: 1, costHigh: 18 });
		expect((said.assumptions as string[]).join(' ')).toContain('1 to 7 (likely)');
	});

	test('is given for each agent, and the sum for all', async () => {
		const [one, other] = [service.seed.agents.published, await secondAgent()];
		await answerPrice(price(0.1), one);
		await answerPrice({ ...price(0.25), optimized_costs_enabled: true }, other);
		const items = numbers(5).map((item, index) => ({ ...item, agent: index < 3 ? one : other }));
		const { said } = await run(ofAgent(), [...items, { to: '+12025550111', agent: NOWHERE }]);
		expect(said).toMatchObject({ costLow: 0.8, costLikely: 1.6, costHigh: 3.2 });
		expect(said.agents).toMatchObject([
			{ agent_id: one, itemCount: 3, readyCount: 3, costPerMinute: 0.1, costLikely: 0.6 },
			{ agent_id: other, itemCount: 2, readyCount: 2, costPerMinute: 0.25, costLikely: 1 },
			{ agent_id: NOWHERE, itemCount: 1, readyCount: 0, costPerMinute: null, costLikely: 0 },
		]);
		expect(said.assumptions).toContain("Cost: the agent's optimized costs stay on.");
	});

	test('has no sum over prices in different currencies', async () => {
		const [one, other] = [service.seed.agents.published, await secondAgent()];
		await answerPrice(price(0.1), one);
		await answerPrice(price(0.2, 'EUR'), other);
		const items = numbers(2).map((item, index) => ({ ...item, agent: index === 0 ? one : other }));
		const { said } = await run(ofAgent(), items);
		expect(said).toMatchObject({ currency: null, costLow: null, costLikely: null, costHigh: null });
		expect(said.costReason).toBe('The prices are in different currencies: USD, EUR.');
		expect(said.agents).toMatchObject([
			{ currency: 'USD', costLikely: 0.2 },
			{ currency: 'EUR', costLikely: 0.4 },
		]);
	});

	test.each([
		['is refused', price(0.1), 403, 'environment token'],
		['fails', price(0.1), 500, ''],
		['does not exist', price(0.1), 404, ''],
		['is missing', { currency: 'USD' }, 200, 'price per minute'],
		['is a text', price('cheap'), 200, 'price per minute'],
		['is negative', price(-1), 200, 'price per minute'],
		['is null', price(null), 200, 'price per minute'],
		['has no currency', price(0.1, null), 200, 'price per minute'],
		['has no data', null, 200, 'price per minute'],
	])('is null with the reason where the price %s, and the rest is there', async (_how, data, status, reason) => {
		await answerPrice(data, undefined, status);
		const { said, checked } = await run(ofAgent(forecast({ callsPerHour: 60 })), numbers(2));
		expect(said).toMatchObject({ readyCount: 2, currency: null, costLow: null, costLikely: null, costHigh: null });
		expect(said.costReason).toMatch(new RegExp(`^The price of agent .* is not known: .*${reason}`));
		expect(said.endsAt).toEqual(expect.any(String));
		expect(checked).toMatchObject([{ ready: true }, { ready: true }]);
	});

	test('is 0 where the credential allows only test calls, and where nobody is called', async () => {
		const credentials = service.credentials({ testCallsOnly: true });
		const { said } = await run(ofAgent(forecast({ callsPerHour: 2 })), numbers(2), { credentials });
		expect(said).toMatchObject({ readyCount: 2, costLow: 0, costLikely: 0, costHigh: 0, costReason: null });
		expect((said.assumptions as string[]).join(' ')).toContain('test calls cost nothing');
		expect(said.endsAt).toEqual(expect.any(String));
		const nobody = await run(ofAgent(forecast({ callsPerHour: 2 })), [{ to: '555' }]);
		expect(nobody.said).toMatchObject({ readyCount: 0, costLikely: 0, endsAt: null, endReason: 'No number is ready.' });
		expect(await service.requests('GET', '/pricing')).toHaveLength(0);
		const { said: real } = await run(ofAgent(), numbers(1));
		expect(real.assumptions).toContain('Cost: all calls are real calls. Test calls cost nothing.');
	});

	test('reads the price of each agent once, for any number of items and campaigns', async () => {
		const { active, paused } = service.seed.campaigns;
		await service.api('PATCH', `campaigns/${paused}/status`, { status: 'active' });
		const items = numbers(300).map((item, index) => ({ ...item, campaign: index % 2 === 0 ? active : paused }));
		const { said } = await run(ofCampaign(), items);
		expect(said.readyCount).toBe(300);
		expect(await service.requests('GET', '/pricing')).toHaveLength(1);
		expect(await service.requests('GET', `/campaigns/${active}`)).toHaveLength(1);
	});
});

describe('The end', () => {
	test('of the calls of agents is as many hours ahead as the busiest one needs', async () => {
		const [one, other] = [service.seed.agents.published, await secondAgent()];
		const items = numbers(9).map((item, index) => ({ ...item, agent: index < 3 ? one : other }));
		const before = Date.now();
		const { said } = await run(ofAgent(forecast({ callsPerHour: 4 })), items);
		expect(said).toMatchObject({ callsLeft: 0, endReason: null });
		const late = Date.parse(String(said.endsAt)) - before - 1.5 * HOUR_MS;
		expect(late).toBeGreaterThanOrEqual(0);
		expect(late).toBeLessThan(60_000);
		const [{ endsAt }] = said.agents as [{ endsAt: string }];
		expect(Date.parse(String(said.endsAt)) - Date.parse(endsAt)).toBe(0.75 * HOUR_MS);
	});

	test('is null without Calls per Hour, and says so', async () => {
		for (const parameters of [ofAgent(), ofCampaign(forecast({ callsPerHour: 0 }))]) {
			const { said } = await run(parameters, numbers(2));
			expect(said).toMatchObject({ endsAt: null, callsLeft: null });
			expect(said.endReason).toContain("'Calls per Hour'");
			expect((said.assumptions as string[]).some((text) => text.startsWith('End:'))).toBe(false);
		}
	});

	test('is null where it is not clear when a campaign calls', async () => {
		const { active, paused } = service.seed.campaigns;
		await service.api('PATCH', `campaigns/${paused}/status`, { status: 'active' });
		const { body } = await service.api('GET', `campaigns/${active}`);
		const data = { ...(body.data as Item), earliest_call_time: '22:00:00', latest_call_time: '06:00:00' };
		const unclear = { match: { path: `/api/v1/campaigns/${active}` }, kind: 'status' as const, status: 200 };
		await service.fault({ ...unclear, body: { ...body, data } });
		const items = numbers(4).map((item, index) => ({ ...item, campaign: index < 2 ? active : paused }));
		const { said } = await run(ofCampaign(forecast({ callsPerHour: 100 })), items);
		expect(said).toMatchObject({ readyCount: 4, endsAt: null, callsLeft: null, costReason: null });
		expect(said.endReason).toContain(`when campaign ${active} calls`);
		expect(said.campaigns).toMatchObject([
			{ campaign_id: active, agent_id: service.seed.agents.published, readyCount: 2, waitingCalls: 0, endsAt: null },
			{ campaign_id: paused, readyCount: 2, endsAt: expect.any(String), callsLeft: 0 },
		]);
	});

	test('says what the service does not show of a campaign, unless it shows it', async () => {
		const { active } = service.seed.campaigns;
		const options = forecast({ callsPerHour: 100 });
		const hidden =
			'End: the service does not show everything of a campaign (end date, breaks between its hours), so this is not counted.';
		expect((await run(ofCampaign(options), numbers(1))).said.assumptions).toContain(hidden);
		const { body } = await service.api('GET', `campaigns/${active}`);
		const data = { ...(body.data as Item), end_date: null, call_time_ranges: [{ start: '00:00', end: '24:00' }] };
		const match = { path: `/api/v1/campaigns/${active}` };
		await service.fault({ match, kind: 'status', status: 200, body: { ...body, data } });
		const { said } = await run(ofCampaign(options), numbers(1));
		expect(JSON.stringify(said.assumptions)).not.toContain('does not show everything of a campaign');
	});

	test('does not depend on the agent, without which the cost is not known', async () => {
		const { active } = service.seed.campaigns;
		const { body } = await service.api('GET', `campaigns/${active}`);
		const match = { path: `/api/v1/campaigns/${active}` };
		const data = { ...(body.data as Item), agent_id: null };
		await service.fault({ match, kind: 'status', status: 200, body: { ...body, data } });
		const { said } = await run(ofCampaign(forecast({ callsPerHour: 100 })), numbers(2));
		expect(said).toMatchObject({ costLikely: null, costReason: `Campaign ${active} has no agent.`, callsLeft: 0 });
	});

	test('is null where it would take more than two years', async () => {
		const { said } = await run(ofCampaign(forecast({ callsPerHour: 0.01 })), numbers(200));
		expect(said).toMatchObject({ endsAt: null, callsLeft: null, endReason: expect.stringContaining('two years') });
	});
});

test.each([
	['minutes in the wrong order', { minutesLow: 3, minutesLikely: 2, minutesHigh: 4 }, 'in the wrong order'],
	['a likely length above the high one', { minutesLikely: 5 }, 'in the wrong order'],
	['more minutes than a call can last', { minutesHigh: 61 }, 'Use 60 or less'],
	['a negative number of calls', { callsPerHour: -1 }, 'Use 0 or more'],
	['minutes in words', { minutesLikely: 'two' }, 'Enter a number'],
	['an expression without a value', { callsPerHour: '={{ $json.none }}' }, 'Fill it in'],
])('Forecast refuses %s before anything is sent', async (_what, values, message) => {
	const { run } = await service.run(ofAgent(forecast(values)) as never, numbers(2));
	const { message: said, description } = run.error as Error & { description?: string };
	expect(`${said} ${description}`).toContain(message);
	expect(`${said} ${description}`).toContain("'Forecast'");
	expect(await service.requests()).toHaveLength(0);
});
