import { harness } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';

const CALLS_PER_HOUR = 12;

const DAY_SECONDS = 86_400;

/** A Wednesday at noon: where many calls end together with the hours of a day, a second decides about a whole day. */
const START = Date.UTC(2031, 0, 15, 12);

/** The forecast may differ from what happens by a tenth. */
const TOLERANCE = 0.1;

let service: Service;
beforeAll(async () => {
	harness.skipTime(START - Date.now());
	service = await startService({ callsPerHour: CALLS_PER_HOUR, minimumStatusMs: 0, rateLimit: 100_000 });
});
beforeEach(async () => {
	harness.restoreTime();
	harness.skipTime(START - Date.now());
	await service.reset();
});
afterAll(() => harness.restoreTime());

/** Numbers whose calls have a conversation of 30 s, end busy, unanswered and failed, and with a voicemail of 15 s. */
const numbers = (count: number, from = 0) =>
	Array.from({ length: count }, (_none, index) => ({ to: `+1202${200 + from + index}000${(index % 5) + 1}` }));

/** The average minutes that five such calls last. */
const MINUTES = (30 + 15) / 5 / 60;

const forecast = {
	values: { minutesLow: MINUTES / 2, minutesLikely: MINUTES, minutesHigh: MINUTES * 2, callsPerHour: CALLS_PER_HOUR },
};

const call = {
	resource: 'campaign',
	campaign: byId('={{ $json.campaign }}'),
	phoneNumber: '={{ $json.to }}',
};

interface Forecast {
	readyCount: number;
	costLikely: number;
	endsAt: string | null;
	callsLeft: number | null;
	reasons: Array<{ code: string; count: number }>;
}

/** A campaign that calls each number once. @returns its ID */
async function campaignWith(changes: Record<string, unknown>): Promise<string> {
	const { body } = await service.api('POST', 'campaigns', {
		name: 'Simulated',
		campaign_type: 'sales',
		agent_id: service.seed.agents.published,
		start_date: '2020-01-01',
		days_of_week: [1, 2, 3, 4, 5, 6, 7],
		call_time_ranges: [{ start: '00:00', end: '24:00' }],
		timezone: 'UTC',
		max_retries: 0,
		...changes,
	});
	const { id } = body.data as { id: string };
	await service.api('PATCH', `campaigns/${id}/status`, { status: 'active' });
	return id;
}

/** The response of the service with some more fields of a campaign, for the next request. */
async function showAlso(id: string, changes: Record<string, unknown>): Promise<void> {
	const { body } = await service.api('GET', `campaigns/${id}`);
	const shown = { ...body, data: { ...(body.data as object), ...changes } };
	await service.fault({
		match: { path: `/api/v1/campaigns/${id}` },
		kind: 'status',
		status: 200,
		body: shown,
		times: 1,
	});
}

/** Runs Check Before Calling with a forecast, then queues the same items and lets the sandbox call for some days. */
async function forecastAndCall(items: Array<Record<string, unknown>>, days: number) {
	const { length } = await service.calls();
	const checked = await service.run(
		{ ...call, operation: 'checkBeforeCalling', options: { forecast } } as never,
		items,
	);
	const said = checked.outputs[0]?.at(-1)?.json as unknown as Forecast;
	expect(said).toMatchObject({ result: 'forecast', itemCount: items.length });
	await service.run({ ...call, operation: 'queueCall', testCall: 'never' } as never, items, {
		node: { onError: 'continueRegularOutput' },
	});
	await service.advance(days * DAY_SECONDS);
	const calls = (await service.calls()).slice(length) as unknown as Array<{
		duration: number;
		created_at: string;
		updated_at: string;
	}>;
	const { body } = await service.api('GET', `agents/${service.seed.agents.published}/pricing`);
	const { estimated_cost_per_minute } = body.data as { estimated_cost_per_minute: number };
	const seconds = calls.reduce((sum, { duration }) => sum + duration, 0);
	return {
		said,
		count: calls.length,
		cost: (seconds / 60) * estimated_cost_per_minute,
		first: Math.min(...calls.map(({ created_at }) => Date.parse(created_at))),
		last: Math.max(...calls.map(({ updated_at }) => Date.parse(updated_at))),
	};
}

/** Expects two numbers to differ by a tenth of the second one at most. */
function expectClose(forecastOf: number, real: number): void {
	expect(Math.abs(forecastOf - real)).toBeLessThanOrEqual(TOLERANCE * real);
}

test.each([
	['all day', 10, {}],
	[
		'on weekdays from 9 to 12 in Berlin',
		21,
		{
			days_of_week: [1, 2, 3, 4, 5],
			call_time_ranges: [{ start: '09:00', end: '12:00' }],
			timezone: 'Europe/Berlin',
		},
	],
	[
		'for two hours on two days a week in Kathmandu, after a first delay',
		35,
		{
			days_of_week: [3, 6],
			call_time_ranges: [{ start: '17:30', end: '19:30' }],
			timezone: 'Asia/Kathmandu',
			initial_call_delay: 7200,
		},
	],
	[
		'one hour a week in New York, from a day in the future on',
		400,
		{
			start_date: new Date(START + 120 * DAY_SECONDS * 1000).toISOString().slice(0, 10),
			days_of_week: [7],
			call_time_ranges: [{ start: '00:00', end: '01:00' }],
			timezone: 'America/New_York',
		},
	],
])('the forecast for a campaign that calls %s is right within a tenth', async (_when, days, changes) => {
	const campaign = await campaignWith(changes);
	const items = [...numbers(60), { to: '555' }, numbers(1)[0]!, { to: '' }].map((item) => ({ campaign, ...item }));
	const { said, count, cost, first, last } = await forecastAndCall(items, days);
	expect(said.reasons).toMatchObject([
		{ code: 'INVALID_PHONE_NUMBER', count: 1 },
		{ code: 'REPEATED_NUMBER', count: 1 },
		{ code: 'MISSING_PHONE_NUMBER', count: 1 },
	]);
	expect([said.readyCount, said.callsLeft]).toEqual([60, 0]);
	expect(count).toBe(60);
	expectClose(said.costLikely, cost);
	const end = Date.parse(String(said.endsAt));
	// Also without the time until the first call, which is known exactly.
	expectClose(end - first, last - first);
	expectClose(end - START, last - START);
});

test('calls that already wait in the campaign come first', async () => {
	const campaign = await campaignWith({ call_time_ranges: [{ start: '10:00', end: '13:00' }], timezone: 'Asia/Tokyo' });
	// A call in progress is not among them, so all wait for the hours.
	await service.api('PUT', `campaigns/${campaign}`, { initial_call_delay: 60 });
	const waiting = numbers(50, 300).map((item) => ({ campaign, ...item }));
	await service.run({ ...call, operation: 'queueCall', testCall: 'never' } as never, waiting);
	const { said, count, last } = await forecastAndCall(
		numbers(50).map((item) => ({ campaign, ...item })),
		10,
	);
	expect(said.readyCount).toBe(50);
	expect(count).toBe(100);
	expectClose(Date.parse(String(said.endsAt)) - START, last - START);
});

test('of several campaigns, the last one to end is the end', async () => {
	const long = await campaignWith({ call_time_ranges: [{ start: '08:00', end: '10:00' }], timezone: 'UTC' });
	const short = await campaignWith({});
	const items = [...numbers(50).map((item) => ({ campaign: long, ...item }))];
	items.push(...numbers(20).map((item) => ({ campaign: short, ...item })));
	const { said, count, cost, last } = await forecastAndCall(items, 10);
	expect([said.readyCount, count]).toEqual([70, 70]);
	expectClose(said.costLikely, cost);
	expectClose(Date.parse(String(said.endsAt)) - START, last - START);
});

test('a campaign that ends before all numbers are called says how many remain', async () => {
	const day = (days: number) => new Date(START + days * DAY_SECONDS * 1000).toISOString().slice(0, 10);
	const schedule = { call_time_ranges: [{ start: '08:00', end: '10:00' }], start_date: day(1), end_date: day(2) };
	const campaign = await campaignWith(schedule);
	// The documented responses contain no end date, so this one adds it.
	await showAlso(campaign, schedule);
	const { said, count, cost } = await forecastAndCall(
		numbers(60).map((item) => ({ campaign, ...item })),
		5,
	);
	expect(count).toBe(48);
	expect(said).toMatchObject({ readyCount: 60, endsAt: null, callsLeft: 12 });
	expect(said).toMatchObject({ endReason: expect.stringContaining('12 of 60 remain') });
	// The cost is that of all ready numbers.
	expectClose(said.costLikely, (cost / 48) * 60);
});
