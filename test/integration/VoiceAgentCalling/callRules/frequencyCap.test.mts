import { DateTime } from 'luxon';

import { harness } from '../../harness.mts';
import {
	actionNode,
	byId,
	goesOn,
	hintsOf,
	inFastTime,
	jsonOf,
	resultsOf,
	retried,
	type Service,
	saidBy,
	startService,
	to,
} from '../../service.mts';
import { BERLIN, goTo, LONDON, MADRID, ROME, refuseSecond, useServiceAt } from './ruledCalls.mts';

const NOON = DateTime.fromISO('2031-01-15T12:00:00Z', { zone: 'UTC' });

const service = useServiceAt(NOON);

const cap = (atMost: number | string = 1, days: number | string = 7) => ({
	missingVariables: 'ignore',
	frequencyCap: { values: { atMost, days } },
});
const eachTime = { repeatedNumber: 'callEachTime' };
const inTurn = { sending: { maxConcurrentRequests: 1 } };
const list = { method: 'GET', path: '/api/v1/calls' };
const listed = async () => (await service.requests('GET', list.path)).length;
const sent = async () => (await service.dialed()).toSorted();
/** Runs Place with these options. @returns the result of each item */
const results = async (options: object, items: Parameters<Service['run']>[1]) =>
	resultsOf(await service.run(service.place(options), items));
/** Lets an agent call a number some days ago, without the nodes. */
const called = async (number: string, days: number) => {
	goTo(NOON.minus({ days }));
	const path = `agents/${service.seed.agents.published}/call`;
	expect((await service.api('POST', path, { to: number, is_testing: true })).status).toBe(200);
	goTo(NOON);
};

describe('Place', () => {
	test('calls no phone more often than allowed, and says from when on it may be called', async () => {
		await called(BERLIN, 6);
		await called(BERLIN, 2);
		await called(LONDON, 8);
		const ran = await service.run(service.place(cap()), to(BERLIN, LONDON, MADRID));
		const [first] = jsonOf(ran);
		expect(jsonOf(ran)).toMatchObject([
			{
				result: 'tooOften',
				code: 'TOO_OFTEN',
				httpStatus: null,
				to: BERLIN,
				isTest: false,
				// Up to an hour later: the list does not say when a delayed call began.
				nextAllowedAt: expect.stringMatching(/^2031-01-20T1[23]:00:0/),
				message: expect.stringContaining('the phone was called 2 times in the last 7 days'),
			},
			{ result: 'placed', to: LONDON },
			{ result: 'placed', to: MADRID },
		]);
		expect(hintsOf(ran)[0]).toContain('1 called too often (sheet row 2)');
		expect(await sent()).toEqual([MADRID, LONDON, LONDON, BERLIN, BERLIN]);
		const next = DateTime.fromISO(String(first?.nextAllowedAt));
		goTo(next.minus(1000));
		expect(await results(cap(), to(BERLIN))).toEqual(['tooOften']);
		goTo(next);
		expect(await results(cap(), to(BERLIN))).toEqual(['placed']);
	});

	test('counts the calls of this run, also while they are sent at the same time', async () => {
		const options = { ...cap(2), ...eachTime };
		const numbers = to(BERLIN, BERLIN, '+49 30 12345678', BERLIN, LONDON, BERLIN);
		const placed = async () => (await results(options, numbers)).filter((result) => result === 'placed').length;
		expect([await placed(), await sent()]).toEqual([3, [LONDON, BERLIN, BERLIN]]);
		// The next run finds them in the list.
		expect([await placed(), await sent()]).toEqual([1, [LONDON, LONDON, BERLIN, BERLIN]]);
	});

	test('calls a phone for a later item whose earlier call the service has refused', async () => {
		const match = { method: 'POST' };
		await service.fault({ match, kind: 'status', status: 403 });
		const options = { ...cap(), ...eachTime };
		const numbers = to(BERLIN, BERLIN, BERLIN, LONDON);
		const ran = await service.run(service.place(options, inTurn), numbers, { node: goesOn });
		expect(resultsOf(ran)).toEqual(['failed', 'placed', 'tooOften', 'placed']);
		expect(await sent()).toEqual([LONDON, BERLIN, BERLIN]);
	});

	test('says of all items that the credits are used up, not that a call which was not placed comes too soon', async () => {
		await service.fault({ match: { method: 'POST' }, kind: 'status', status: 402 });
		const options = { ...cap(), ...eachTime };
		const ran = await service.run(service.place(options, inTurn), to(BERLIN, LONDON, BERLIN, BERLIN), {
			node: goesOn,
			credentials: service.credentials({ callsPerRun: 3 }),
		});
		expect(resultsOf(ran)).toEqual(['failed', 'notTried', 'notTried', 'notTried']);
		expect(await sent()).toEqual([BERLIN]);
	});

	test('keeps what an earlier try has called, and calls nobody twice', async () => {
		await refuseSecond(service);
		const options = { ...cap(), ...eachTime };
		const ran = await service.run(service.place(options, inTurn), to(BERLIN, LONDON, BERLIN, MADRID), {
			node: retried,
		});
		const placed = { result: 'placed' };
		const tooOften = { result: 'tooOften' };
		expect(jsonOf(ran)).toMatchObject([{ ...placed, alreadySent: true }, placed, tooOften, placed]);
		// London was refused once.
		expect(await sent()).toEqual([MADRID, LONDON, LONDON, BERLIN]);
	});
});

test('Queue Call counts the calls of agents, and Place those of campaigns that the service lists', async () => {
	const path = `campaigns/${service.seed.campaigns.active}`;
	expect((await service.api('PUT', path, { max_retries: 0 })).status).toBe(200);
	await called(BERLIN, 1);
	const queued = await service.run(service.queue(cap()), to(BERLIN, LONDON, MADRID));
	expect(resultsOf(queued)).toEqual(['tooOften', 'queued', 'queued']);
	await service.advance(600);
	goTo(NOON.plus({ seconds: 600 }));
	expect(await results(cap(), to(LONDON, MADRID, ROME))).toEqual(['tooOften', 'tooOften', 'placed']);
});

describe('Queue Call by two campaigns, of which one call is refused once,', () => {
	/** A call to Berlin, one that is refused once, and another one to Berlin by another campaign. */
	const queueTwice = async () => {
		const { active } = service.seed.campaigns;
		const { body } = await service.api('GET', 'campaigns?status=active');
		const other = (body.data as Array<{ id: string }>).find(({ id }) => id !== active)?.id ?? '';
		for (const id of [active, other]) {
			await service.api('PUT', `campaigns/${id}`, { max_retries: 0, initial_call_delay: 86_400 });
		}
		const match = { method: 'POST', path: `/api/v1/campaigns/${active}/call` };
		await service.fault({ match, kind: 'latency', ms: 0 });
		await service.fault({ match, kind: 'status', status: 422 });
		const campaigns = [active, active, other];
		const items = to(BERLIN, LONDON, BERLIN).map((item, index) => ({ ...item, campaign: campaigns[index] }));
		return {
			items,
			parameters: service.queue(
				{ ...cap(), repeatedNumber: 'callEachTime' },
				{ ...inTurn, campaign: byId('={{ $json.campaign }}') },
			),
		};
	};

	test('counts in the next try of Retry On Fail what the try before has queued', async () => {
		const { items, parameters } = await queueTwice();
		const ran = await service.run(parameters, items, { node: retried });
		expect([ran.tries, resultsOf(ran)]).toEqual([2, ['queued', 'queued', 'tooOften']]);
	});

	test("counts in n8n's Retry what the execution before has queued", async () => {
		const { items, parameters } = await queueTwice();
		const nodes = [harness.sourceOf(items), { name: 'Call', type: actionNode, parameters }];
		const spec = { nodes, credentials: service.credentials() };
		const again = await harness.retryWorkflow(spec, await harness.runWorkflow(spec));
		expect(again.nodes.Call?.map(resultsOf)).toEqual([['queued', 'queued', 'tooOften']]);
	});
});

test('a campaign of which the service shows only a part of the calls calls nobody', async () => {
	const partial = await startService({ variants: ['campaign-latest-calls'] });
	const later = { max_retries: 0, initial_call_delay: 86_400 };
	await partial.api('PUT', `campaigns/${partial.seed.campaigns.active}`, later);
	const parameters = partial.queue({ ...cap(), ifAlreadyQueued: 'queueAgain' }, { testCall: 'never' });
	await partial.run(parameters, to(BERLIN, LONDON, MADRID, ROME));
	const { run } = await partial.run(parameters, to(BERLIN));
	expect([run.status, (await partial.dialed()).filter((number) => number === BERLIN)]).toEqual(['error', [BERLIN]]);
});

test('a list that cannot be read sends nothing, says why, and is not read again for each item', async () => {
	const check = service.place(cap(9), { operation: 'checkBeforeCalling' });
	for (const parameters of [service.place(cap(9)), service.queue(cap(9)), check]) {
		await service.reset();
		await service.fault({ match: list, times: 100, kind: 'status', status: 500 });
		const numbers = to(BERLIN, LONDON, MADRID);
		const ran = await inFastTime(async () => await service.run(parameters, numbers, { node: goesOn }));
		expect(resultsOf(ran)).toEqual(Array(3).fill('failed'));
		expect(new Set(jsonOf(ran).map(({ message }) => message)).size).toBe(1);
		// A read may be tried four times.
		expect(await listed()).toBeLessThanOrEqual(4);
		expect(await sent()).toEqual([]);
	}
});

const isWrong = /'Frequency Cap' (is empty|cannot be)/;
test.each([
	[{ values: { atMost: 0, days: 7 } }, /Use 1 or more in 'At Most'/],
	[{ values: { atMost: 3, days: '={{ $json.missing }}' } }, /Fill it in/],
	// Of another shape: it is not replaced by the cap that the editor shows first.
	[{}, isWrong],
	['={{ undefined }}', isWrong],
	[{ atMost: 9, days: 1 }, isWrong],
	[{ values: { atmost: 9, days: 1 } }, isWrong],
	[{ values: '={{ ({ atMost: 9, days: 1 }) }}' }, isWrong],
])('a cap that is not clear sends nothing: %j', async (frequencyCap, message) => {
	expect(saidBy(await service.run(service.place({ frequencyCap }), to(BERLIN, LONDON)))).toMatch(message);
	expect(await sent()).toEqual([]);
});
