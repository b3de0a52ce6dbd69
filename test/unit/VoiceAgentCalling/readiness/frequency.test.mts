import { DateTime } from 'luxon';

import { loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import type { FrequencyCap } from '../../../../nodes/VoiceAgentCalling/fields/frequencyCap.ts';
import { countQueued, lastCalls } from '../../../../nodes/VoiceAgentCalling/readiness/frequency.ts';
import { type CallToCheck, hasRules, mayCall } from '../../../../nodes/VoiceAgentCalling/readiness/mayCall.ts';
import { has, serviceWith, UNREADABLE } from './service.mts';

const BERLIN = '+493012345678';
const LONDON = '+442079460958';
const NOW = DateTime.fromISO('2031-01-15T12:00:00Z', { zone: 'UTC' });

beforeAll(loadCountries);
beforeEach(() => jest.useFakeTimers({ now: NOW.toMillis(), doNotFake: ['setTimeout', 'setImmediate', 'nextTick'] }));
afterEach(() => jest.useRealTimers());

const ago = (time: object) => String(NOW.minus(time).toISO());
const call = (to: unknown, created_at: unknown, more = {}) => ({ to, created_at, direction: 'outbound', ...more });
/** A service with calls, and the campaign `spring`. */
const service = (calls: unknown[], campaign: object = { status: 'active', max_retries: 2, calls: [] }) =>
	serviceWith({ calls: has(calls), 'campaigns/spring': has(campaign) });
type Service = ReturnType<typeof service>;

const cap = (atMost: number, days = 7): FrequencyCap => ({ atMost, days });
const place = ({ api }: Service, frequencyCap: FrequencyCap, more: Partial<CallToCheck> = {}) =>
	mayCall(api, 'agentId', { to: BERLIN, ...more }, { frequencyCap });
const queue = ({ api }: Service, frequencyCap: FrequencyCap, to = BERLIN) =>
	mayCall(api, 'campaignId', { to, campaignId: 'spring' }, { frequencyCap });
const tooOften = (nextAllowedAt: string | null, message = '') => ({
	result: 'tooOften',
	code: 'TOO_OFTEN',
	accepted: 'no',
	nextAllowedAt,
	message: expect.stringContaining(message),
});
const allowed = expect.any(Function);

describe('the calls of the service', () => {
	test('count for a phone from the moment at which they were placed, for as many days', async () => {
		const calls = [call(BERLIN, ago({ days: 6 })), call(BERLIN, ago({ days: 2 })), call(LONDON, ago({ days: 1 }))];
		expect(hasRules({ frequencyCap: cap(1) })).toBe(true);
		expect(await place(service(calls), cap(3))).toEqual(allowed);
		await expect(place(service(calls), cap(2))).rejects.toMatchObject(
			expect.objectContaining({
				...tooOften('2031-01-16T12:00:00.000Z'),
				message: 'Not sent: the phone was called 2 times in the last 7 days. Frequency Cap allows 2 in 7 days',
				advice: 'The cap allows the call from 2031-01-16T12:00:00.000Z on.',
			}),
		);
		await expect(place(service(calls), cap(1))).rejects.toMatchObject(tooOften('2031-01-20T12:00:00.000Z'));
		expect(await place(service(calls), cap(1, 2))).toEqual(allowed);
		await expect(place(service(calls), cap(1, 3))).rejects.toMatchObject(tooOften('2031-01-16T12:00:00.000Z'));
	});

	test('are those to the phone, however the service writes its number', async () => {
		const calls = ['493012345678', 493012345678, '+49 30 12345678'].map((to) => call(to, ago({ days: 1 })));
		expect(await place(service(calls), cap(4))).toEqual(allowed);
		await expect(place(service(calls), cap(3))).rejects.toMatchObject(tooOften('2031-01-21T12:00:00.000Z'));
		const italian = service([call('+390549886377', ago({ days: 1 }))]);
		await expect(place(italian, cap(1), { to: '+3780549886377' })).rejects.toMatchObject({ result: 'tooOften' });
	});

	test('are those of all agents, test calls and calls without an answer included, but none that the person made', async () => {
		const calls = [
			call(BERLIN, ago({ hours: 1 }), { agent: { id: 'bob' } }),
			call(BERLIN, ago({ hours: 2 }), { is_testing: true }),
			call(BERLIN, ago({ hours: 3 }), { status: 'no-answer' }),
			call(BERLIN, ago({ hours: 4 }), { direction: 'inbound' }),
			{ to: 'somebody', direction: 'inbound' },
		];
		expect(await place(service(calls), cap(4))).toEqual(allowed);
		await expect(place(service(calls), cap(3))).rejects.toMatchObject({ result: 'tooOften' });
	});

	test('have times with or without an offset, which is UTC then', async () => {
		for (const time of ['2031-01-14T12:00:00.000000Z', '2031-01-14T07:00:00-05:00', '2031-01-14 12:00:00']) {
			await expect(place(service([call(BERLIN, time)]), cap(1))).rejects.toMatchObject(
				tooOften('2031-01-21T12:00:00.000Z'),
			);
		}
	});

	test('are read once, from a day before, since dates have a time zone of the service', async () => {
		const shared = service([]);
		for (const to of [BERLIN, LONDON, '+12025550111']) {
			await place(shared, cap(1, 30), { to });
			await place(shared, cap(1, 7), { to });
		}
		expect(shared.requests).toMatchObject([
			{ method: 'GET', path: ['calls'], query: { direction: 'outbound', date_from: '2030-12-15' } },
		]);
		// A longer time needs older calls.
		expect(await lastCalls(shared.api, 60)).toMatchObject({ days: 60 });
		expect(shared.requests).toHaveLength(2);
	});

	test('that cannot be read allow no call', async () => {
		for (const [, answer] of UNREADABLE.filter(([what]) => what !== 'a list')) {
			await expect(place(serviceWith({ calls: answer }), cap(9))).rejects.toMatchObject({ name: 'ServiceError' });
		}
	});

	test.each([
		[{ to: BERLIN }, 'no time'],
		[{ to: BERLIN, created_at: 'yesterday' }, 'no time'],
		[{ created_at: ago({ days: 1 }) }, 'no phone number'],
		[{ to: 'somebody', created_at: ago({ days: 1 }) }, 'no phone number'],
	])('that are unclear allow none: %j', async (unclear, message) => {
		const calls = [call(LONDON, ago({ days: 1 })), unclear];
		await expect(place(service(calls), cap(9))).rejects.toThrow(message);
	});

	test('allow exactly what luxon counts, and nextAllowedAt is the first moment at which a call is allowed', async () => {
		for (let seed = 1; seed <= 120; seed++) {
			const days = (seed % 9) + 1;
			const atMost = (seed % 4) + 1;
			const times = Array.from({ length: seed % 7 }, (_none, index) =>
				NOW.minus({ minutes: (seed * 997 * (index + 1)) % 15_000 }),
			);
			const countedAt = (moment: DateTime) => times.filter((time) => time.plus({ hours: 24 * days }) > moment).length;
			const listed = service(times.map((time) => call(BERLIN, time.toISO())));
			const result = await place(listed, cap(atMost, days)).catch((error) => error);
			if (countedAt(NOW) < atMost) {
				expect([seed, result]).toEqual([seed, allowed]);
				continue;
			}
			const next = DateTime.fromISO(String(result.nextAllowedAt), { zone: 'UTC' });
			expect([seed, countedAt(next) < atMost, countedAt(next.minus(1)) < atMost]).toEqual([seed, true, false]);
		}
	});
});

describe('the calls of this run', () => {
	test('count from the moment at which they are sent, and not before', async () => {
		const shared = service([call(BERLIN, ago({ days: 1 }))]);
		const checks = [await place(shared, cap(2)), await place(shared, cap(2)), await place(shared, cap(2))];
		checks[1]?.();
		expect(() => checks[0]?.()).toThrow(expect.objectContaining(tooOften('2031-01-21T12:00:00.000Z')));
		await expect(place(shared, cap(2))).rejects.toMatchObject({ result: 'tooOften' });
		// The same request, sent again after the service was too busy.
		expect(checks[1]?.()).toBeUndefined();
		expect(await place(shared, cap(1), { to: LONDON })).toEqual(allowed);
	});

	test('that the service did not take count no more', async () => {
		const shared = service([]);
		const [first, second] = [await place(shared, cap(1)), await place(shared, cap(1))];
		second?.undo?.();
		first?.();
		expect(() => second?.()).toThrow();
		first?.undo?.();
		expect(second?.()).toBeUndefined();
		// What was not sent gives nothing back.
		first?.undo?.();
		expect(() => first?.()).toThrow();
	});

	test('count when they start, after their delay', async () => {
		const shared = service([call(BERLIN, ago({ days: 7 }).replace('T12:00', 'T12:10'))]);
		await expect(place(shared, cap(1), { delay_seconds: 599 })).rejects.toMatchObject({ result: 'tooOften' });
		const late = await place(shared, cap(1), { delay_seconds: 600 });
		late?.();
		await expect(place(shared, cap(1), { delay_seconds: 600 })).rejects.toMatchObject(
			tooOften('2031-01-22T12:10:00.000Z'),
		);
	});
});

describe('a call in a campaign', () => {
	test('counts with all retries', async () => {
		const shared = service([call(BERLIN, ago({ days: 1 }))]);
		expect(await queue(shared, cap(4))).toEqual(allowed);
		await expect(queue(shared, cap(3))).rejects.toMatchObject(
			tooOften(
				'2031-01-21T12:00:00.000Z',
				'called 1 time in the last 7 days, this one can ring 3 times with the retries of its campaign.',
			),
		);
		await expect(queue(shared, cap(3))).rejects.toMatchObject({ advice: expect.stringContaining('from 2031-01-21') });
		// Never, with these retries.
		await expect(queue(shared, cap(2))).rejects.toMatchObject({
			nextAllowedAt: null,
			advice: expect.stringContaining("'Max Retries'"),
		});
		expect(shared.read()).toEqual(['calls', 'campaigns/spring']);
	});

	test('counts with what is queued there for the phone, in this run or before', async () => {
		const calls = [
			{ to: BERLIN, status: 'scheduled', retries: 1 },
			{ to: BERLIN, status: 'completed', retries: 0 },
			{ to: LONDON, status: 'retry_scheduled', retries: 2 },
		];
		const shared = service([], { max_retries: 2, calls });
		expect(await queue(shared, cap(5))).toEqual(allowed);
		await expect(queue(shared, cap(4))).rejects.toMatchObject(
			tooOften(null, 'calls that are queued can ring 2 more times'),
		);
		const london = await queue(shared, cap(4), LONDON);
		london?.();
		await expect(queue(shared, cap(4), LONDON)).rejects.toMatchObject(tooOften(null, 'can ring 4 more times'));
	});

	test('that an earlier try of this run has queued counts once, also where the campaign shows it meanwhile', async () => {
		const unlisted = service([]);
		await countQueued(unlisted.api, 7, BERLIN, 'spring');
		expect(await place(unlisted, cap(4))).toEqual(allowed);
		await expect(place(unlisted, cap(3))).rejects.toMatchObject(tooOften(null, 'can ring 3 more times'));
		const listed = service([], { max_retries: 2, calls: [{ to: BERLIN, status: 'queued' }] });
		await countQueued(listed.api, 7, BERLIN, 'spring');
		expect(await queue(listed, cap(6))).toEqual(allowed);
		await expect(queue(listed, cap(5))).rejects.toMatchObject({
			...tooOften(null, 'can ring 3 more times'),
			advice: 'Waiting alone does not help.',
		});
	});

	test.each([
		['the number of retries', { calls: [] }],
		['a readable number of retries', { calls: [], max_retries: 'some' }],
		['its calls', { max_retries: 2 }],
		['a number in one of its calls', { max_retries: 2, calls: [{ status: 'queued' }] }],
	])('is not queued where the campaign comes without %s', async (_what, campaign) => {
		await expect(queue(service([], campaign), cap(9))).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER' });
	});

	test('is not queued in a campaign that does not exist', async () => {
		const missing = queue(serviceWith({ calls: has([]) }), cap(9));
		await expect(missing).rejects.toMatchObject({ code: 'CAMPAIGN_NOT_FOUND' });
	});
});
