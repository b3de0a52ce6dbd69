import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { phoneOf } from '../../../../nodes/shared/phoneNumbers/phoneOf.ts';
import type { CallBook } from '../../../../nodes/VoiceAgentCalling/callRules/book.ts';
import type { WantedCall } from '../../../../nodes/VoiceAgentCalling/callRules/bookEntries.ts';
import { capRule } from '../../../../nodes/VoiceAgentCalling/callRules/frequencyCap.ts';
import { ListedCalls } from '../../../../nodes/VoiceAgentCalling/callRules/listedCalls.ts';
import { callsInProcess } from '../../../../nodes/VoiceAgentCalling/callRules/processCalls.ts';
import { Plan } from '../../../../nodes/VoiceAgentCalling/callRules/rule.ts';
import { fakeApi } from '../api.mts';
import { CallList } from './callList.mts';
import { newBook, OTHER_PHONE, PHONE, TWIN, wanted } from './calls.mts';
import { has, serviceWith } from './service.mts';

const NOW = Date.parse('2031-01-15T12:00:00Z');

beforeAll(loadCountries);
beforeEach(() => jest.useFakeTimers({ now: NOW, doNotFake: ['setTimeout', 'setImmediate', 'nextTick'] }));
afterEach(() => jest.useRealTimers());

const call = (id: string, to: unknown, more: IDataObject = {}): IDataObject => ({
	id,
	to: to as string,
	status: 'completed',
	created_at: '2031-01-15T10:00:00Z',
	updated_at: '2031-01-15T10:01:00Z',
	direction: 'outbound',
	...more,
});
/** So many calls of others, which fill more than a page if there are more than a hundred. */
const many = (count: number) =>
	Array.from({ length: count }, (_, index) => call(`other ${index}`, `+1202556${1000 + index}`));

/** Lets a second pass: what was read before is no longer new. */
function secondLater(): void {
	jest.advanceTimersByTime(1000);
}

/** Reads a list, and then the calls of a phone again. @returns the IDs of the calls of a phone that are known then */
async function listOf(calls: IDataObject[], changes: Partial<CallList> = {}) {
	const list = Object.assign(new CallList(calls), changes);
	const notes: string[] = [];
	const listed = await ListedCalls.read(fakeApi(list.read, { note: (text) => void notes.push(text) }), 7);
	const first = list.takeCount();
	const idsOf = (number: string) => listed.to(number)?.flatMap(({ ids }) => ids);
	return { list, listed, notes, first, idsOf };
}

test('a list of one page is read whole, and again before each call', async () => {
	const { list, listed, notes, first, idsOf } = await listOf([call('a', PHONE), call('b', OTHER_PHONE), ...many(98)]);
	expect([first, idsOf(PHONE), idsOf(TWIN), idsOf('+442079460958'), notes]).toEqual([1, ['a'], ['a'], [], []]);
	const before = listed.readAtOf(PHONE);
	list.calls = [call('c', TWIN), call('b', OTHER_PHONE)];
	await listed.refresh(PHONE, list.read);
	// Items of the same second share what is read.
	expect([list.takeCount(), idsOf(PHONE)]).toEqual([0, ['a']]);
	secondLater();
	await listed.refresh(PHONE, list.read);
	expect([list.takeCount(), idsOf(PHONE)]).toEqual([1, ['c']]);
	expect(listed.readAtOf(PHONE)).toBeGreaterThan(before);
});

test('the list is read from a day before, as the time zone of its dates is not known', async () => {
	const list = new CallList([]);
	await ListedCalls.read(fakeApi(list.read), 30);
	expect(list.queries).toEqual([{ direction: 'outbound', date_from: '2030-12-15', page: 1, per_page: 100 }]);
});

test('of a longer list, the calls of a phone are searched by each of its numbers, if the search is found to work', async () => {
	const { list, listed, notes, first, idsOf } = await listOf([...many(100), call('a', PHONE), call('b', TWIN)]);
	// The first page, and a search for a number on it.
	expect([first, idsOf(PHONE), notes]).toEqual([2, undefined, []]);
	await listed.refresh(PHONE, list.read);
	expect(list.queries.map(({ search }) => search).sort()).toEqual([PHONE, TWIN].sort());
	expect(idsOf(PHONE)).toEqual(expect.arrayContaining(['a', 'b']));
	expect(idsOf(PHONE)).toHaveLength(2);
	expect(idsOf(OTHER_PHONE)).toBeUndefined();
	list.calls.push(call('c', PHONE));
	secondLater();
	await listed.refresh(TWIN, list.read);
	expect(idsOf(PHONE)).toHaveLength(3);
});

test('a list that grows beyond a page during the run is searched from then on', async () => {
	const { list, listed, idsOf } = await listOf([call('a', PHONE)]);
	list.calls = [...many(120), call('b', PHONE)];
	secondLater();
	await listed.refresh(PHONE, list.read);
	expect(idsOf(PHONE)).toEqual(['b']);
	// What was read before tells nothing about another phone.
	expect(idsOf(OTHER_PHONE)).toBeUndefined();
});

test.each(['nothing', 'refused'] as const)(
	'with a search that finds %s, all pages are read once, and a hint says so',
	async (search) => {
		const { list, listed, notes, first, idsOf } = await listOf([...many(250), call('a', PHONE)], { search });
		expect([first, idsOf(PHONE), idsOf(OTHER_PHONE)]).toEqual([5, ['a'], []]);
		expect(notes).toEqual([expect.stringMatching(/^Frequency Cap has read all calls .* are not seen\.$/)]);
		await listed.refresh(PHONE, list.read);
		expect([list.takeCount(), idsOf(PHONE)]).toEqual([0, ['a']]);
	},
);

test('a search that ignores its parameter finds no call of another phone', async () => {
	const { list, listed, idsOf } = await listOf([...many(150), call('a', PHONE)], { search: 'ignored' });
	await listed.refresh(PHONE, list.read);
	expect(idsOf(PHONE)).toEqual(['a']);
	await listed.refresh(OTHER_PHONE, list.read);
	expect(idsOf(OTHER_PHONE)).toEqual([]);
});

test.each([
	['a number with a plus', PHONE],
	['digits alone', PHONE.slice(1)],
	['a number', Number(PHONE.slice(1))],
	['a number with blanks', '+39 0549 886377'],
])('calls are found that have %s', async (_what, to) => {
	expect((await listOf([call('a', to)])).idsOf(PHONE)).toEqual(['a']);
});

test('calls that somebody received do not count', async () => {
	const inbound = { direction: 'inbound', created_at: undefined };
	expect((await listOf([call('a', PHONE, inbound), call('b', PHONE)])).idsOf(PHONE)).toEqual(['b']);
});

test.each<[string, IDataObject]>([
	['time', { created_at: undefined }],
	['readable time', { created_at: 'yesterday' }],
	['phone number', { to: undefined }],
	['readable phone number', { to: 'somebody' }],
])('a list with a call without a %s allows no call', async (_what, more) => {
	await expect(listOf([call('a', PHONE), call('b', OTHER_PHONE, more)])).rejects.toMatchObject({
		code: 'UNREADABLE_ANSWER',
	});
});

test('after a list that could not be read, no call is allowed by what was read before', async () => {
	const { list, listed } = await listOf([call('a', PHONE)]);
	list.calls = [...many(120), call('b', 'somebody')];
	list.search = 'nothing';
	secondLater();
	for (const number of [PHONE, OTHER_PHONE]) {
		await expect(listed.refresh(number, list.read)).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER' });
	}
});

describe('The cap', () => {
	const ago = (time: object) => String(DateTime.fromMillis(NOW, { zone: 'UTC' }).minus(time).toISO());
	const placed = (id: string, created_at: string, more: IDataObject = {}) =>
		call(id, PHONE, { created_at, updated_at: created_at, ...more });

	interface Given {
		calls?: IDataObject[];
		campaign?: object;
		atMost: number;
		days?: number;
		book?: CallBook;
		wants?: Partial<WantedCall>;
	}

	let credentials = 0;

	/** The rule for a call, as it is before the first request of a run. */
	async function ruleFor({ calls = [], campaign, atMost, days = 7, book = newBook().book, wants = {} }: Given) {
		const { api } = serviceWith({
			calls: has(calls),
			'campaigns/spring': has(campaign ?? { max_retries: 2, calls: [] }),
		});
		const wish = wanted({ credential: `cap ${(credentials += 1)}`, item: 7, ...wants });
		const listed = await ListedCalls.read(api, days);
		const campaignId = wish.ownerField === 'campaignId' ? wish.owner : undefined;
		const rule = await capRule(api, book, wish, { cap: { atMost, days }, campaignId, listed });
		return { rule, wish, listed, check: (at = NOW, plan = new Plan(phoneOf)) => rule.check(wish, at, plan) };
	}
	const withheldBy = async (given: Given, at = NOW) => (await ruleFor(given)).check(at);
	const tooOften = (nextAllowedAt: string | null, message = '') => ({
		result: 'tooOften',
		code: 'TOO_OFTEN',
		nextAllowedAt,
		message: expect.stringContaining(message),
	});
	const queue = { ownerField: 'campaignId', owner: 'spring' } as const;

	test('counts the calls of a phone from the moment at which they began, for as many days', async () => {
		const calls = [placed('a', ago({ days: 6 })), placed('b', ago({ days: 2 })), call('c', OTHER_PHONE)];
		expect(await withheldBy({ calls, atMost: 3 })).toBeUndefined();
		expect(await withheldBy({ calls, atMost: 2 })).toMatchObject({
			message: 'Not sent: the phone was called 2 times in the last 7 days. Frequency Cap allows 2 in 7 days',
			advice: 'The cap allows the call from 2031-01-16T12:00:00.000Z on.',
			nextAllowedAt: '2031-01-16T12:00:00.000Z',
		});
		expect(await withheldBy({ calls, atMost: 1 })).toMatchObject(tooOften('2031-01-20T12:00:00.000Z'));
		expect(await withheldBy({ calls, atMost: 1, days: 2 })).toBeUndefined();
		// At the time at which a delayed call starts.
		expect(await withheldBy({ calls, atMost: 2 }, NOW + 24 * 3_600_000)).toBeUndefined();
	});

	test('allows exactly what luxon counts, and names the first moment at which the call is allowed', async () => {
		const now = DateTime.fromMillis(NOW, { zone: 'UTC' });
		for (let seed = 1; seed <= 120; seed++) {
			const days = (seed % 9) + 1;
			const atMost = (seed % 4) + 1;
			const times = Array.from({ length: seed % 7 }, (_none, index) =>
				now.minus({ minutes: (seed * 997 * (index + 1)) % 15_000 }),
			);
			const countedAt = (moment: DateTime) => times.filter((time) => time.plus({ hours: 24 * days }) > moment).length;
			const calls = times.map((time, index) => placed(`call ${index}`, String(time.toISO())));
			const result = await withheldBy({ calls, atMost, days });
			if (countedAt(now) < atMost) {
				expect([seed, result]).toEqual([seed, undefined]);
				continue;
			}
			const next = DateTime.fromISO(String(result?.nextAllowedAt), { zone: 'UTC' });
			expect([seed, countedAt(next) < atMost, countedAt(next.minus(1)) < atMost]).toEqual([seed, true, false]);
		}
	});

	test('counts an own call once, whether the list has it or not, and what is planned for items before', async () => {
		for (const calls of [[], [placed('own', ago({ minutes: 5 }))]]) {
			const { book } = newBook();
			const credential = `own ${calls.length}`;
			book.accept(book.add(wanted({ credential }), NOW - 300_000), 'own');
			expect(await withheldBy({ calls, book, wants: { credential }, atMost: 2 })).toBeUndefined();
			expect(await withheldBy({ calls, book, wants: { credential }, atMost: 1 })).toMatchObject(
				tooOften('2031-01-22T11:55:00.000Z', 'called 1 time'),
			);
			const { check, wish } = await ruleFor({ calls, book, wants: { credential }, atMost: 2 });
			const plan = new Plan(phoneOf);
			plan.add(wanted({ to: OTHER_PHONE }), NOW);
			expect(check(NOW, plan)).toBeUndefined();
			plan.add({ ...wish, item: 3 }, NOW);
			expect(check(NOW, plan)).toMatchObject({ result: 'tooOften' });
		}
	});

	test('counts what other runs of this process send to the phone after the list was read', async () => {
		const { check, wish, rule, listed } = await ruleFor({ atMost: 1 });
		const others = callsInProcess(wish.credential);
		others.add({ phone: phoneOf(OTHER_PHONE), isTest: false, book: newBook().book }).settle();
		expect(check()).toBeUndefined();
		const sent = others.add({ phone: phoneOf(TWIN), isTest: true, book: newBook().book });
		expect(check()).toMatchObject({ result: 'tooOften' });
		sent.settle();
		expect(check()).toMatchObject({ result: 'tooOften' });
		// From then on, the list has it.
		secondLater();
		await rule.refresh!(wish, new CallList([]).read);
		expect([check(), listed.to(PHONE)]).toEqual([undefined, []]);
	});

	test('counts a queued call with all retries of its campaign', async () => {
		const calls = [placed('a', ago({ days: 1 }))];
		expect(await withheldBy({ calls, wants: queue, atMost: 4 })).toBeUndefined();
		expect(await withheldBy({ calls, wants: queue, atMost: 3 })).toMatchObject({
			...tooOften('2031-01-21T12:00:00.000Z', 'this one can ring 3 times with the retries of its campaign'),
			advice: expect.stringContaining('from 2031-01-21'),
		});
		expect(await withheldBy({ calls, wants: queue, atMost: 2 })).toMatchObject({
			nextAllowedAt: null,
			advice: expect.stringContaining("'Max Retries'"),
		});
	});

	test('counts what is queued for the phone in the campaign, with the retries that are left', async () => {
		const campaign = {
			max_retries: 2,
			calls: [
				{ to: PHONE, status: 'scheduled', retries: 1 },
				{ to: PHONE, status: 'completed', retries: 0 },
				{ to: OTHER_PHONE, status: 'retry_scheduled', retries: 2 },
			],
		};
		expect(await withheldBy({ campaign, wants: queue, atMost: 5 })).toBeUndefined();
		expect(await withheldBy({ campaign, wants: queue, atMost: 4 })).toMatchObject(
			tooOften(null, 'calls that are queued can ring 2 more times'),
		);
	});

	test('counts an own queued call once, whether its campaign shows it or not', async () => {
		for (const pending of [[], [{ id: 'q', to: PHONE, status: 'queued', retries: 0 }]]) {
			const { book } = newBook();
			const credential = `queued ${pending.length}`;
			book.accept(book.add(wanted({ credential, ...queue }), NOW), 'q');
			const given = { book, campaign: { max_retries: 2, calls: pending } };
			// Three rings of the queued one, and one or three of this one.
			expect(await withheldBy({ ...given, wants: { credential }, atMost: 4 })).toBeUndefined();
			expect(await withheldBy({ ...given, wants: { credential }, atMost: 3 })).toMatchObject(
				tooOften(null, 'can ring 3 more times'),
			);
			const again = { credential, ...queue };
			expect(await withheldBy({ ...given, wants: again, atMost: 6 })).toBeUndefined();
			expect(await withheldBy({ ...given, wants: again, atMost: 5 })).toMatchObject({
				...tooOften(null, 'can ring 3 more times'),
				advice: 'Waiting alone does not help.',
			});
		}
	});

	test.each([
		['the number of retries', { calls: [] }],
		['a readable number of retries', { calls: [], max_retries: 'some' }],
		['its calls', { max_retries: 2 }],
		['a number in one of its calls', { max_retries: 2, calls: [{ status: 'queued' }] }],
	])('allows no call in a campaign that comes without %s', async (_what, campaign) => {
		await expect(ruleFor({ campaign, wants: queue, atMost: 9 })).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER' });
	});

	test('allows no call in a campaign that does not exist', async () => {
		const missing = ruleFor({ wants: { ...queue, owner: 'autumn' }, atMost: 9 });
		await expect(missing).rejects.toMatchObject({ code: 'CAMPAIGN_NOT_FOUND' });
	});
});
