import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { phoneOf } from '../../../../nodes/shared/phoneNumbers/phoneOf.ts';
import type { CallBook } from '../../../../nodes/VoiceAgentCalling/callRules/book.ts';
import { DayLimit, runLimit, toolRules } from '../../../../nodes/VoiceAgentCalling/callRules/limits.ts';
import { callsInProcess } from '../../../../nodes/VoiceAgentCalling/callRules/processCalls.ts';
import { NONE_PLANNED, Plan } from '../../../../nodes/VoiceAgentCalling/callRules/rule.ts';
import { CallList } from './callList.mts';
import { newBook, wanted } from './calls.mts';

const NOON = Date.parse('2031-01-15T12:00:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

beforeEach(() => jest.useFakeTimers({ now: NOON, doNotFake: ['setTimeout', 'setImmediate', 'nextTick'] }));
afterEach(() => jest.useRealTimers());

const phone = (item: number) => `+1202555${String(1000 + item)}`;
const iso = (ms: number) => new Date(ms).toISOString();
/** A call of somebody else. */
const theirs = (id: string, at = NOON - MINUTE, more: IDataObject = {}): IDataObject => ({
	id,
	to: '+442079460958',
	created_at: iso(at),
	updated_at: iso(at + MINUTE),
	direction: 'outbound',
	...more,
});
const many = (count: number, at?: number, more?: IDataObject) =>
	Array.from({ length: count }, (_, index) => theirs(`their ${at} ${index}`, at, more));

let credentials = 0;

/** A limit of calls per day, for a credential that no other test has. */
function limitOf(limit: number, calls: IDataObject[] = [], requestsPerMinute?: number) {
	const credential = `day ${(credentials += 1)}`;
	const { book } = newBook();
	const list = new CallList(calls);
	const rule = new DayLimit(book, credential, limit, { requestsPerMinute });
	const call = (item = 0, more = {}) => wanted({ credential, item, to: phone(item), ...more });
	return {
		book,
		credential,
		list,
		rule,
		call,
		/** Sends a real call, which the service lists or not. */
		send(item: number, id: string, more = {}) {
			book.accept(book.add(call(item, more), Date.now()), id);
		},
		/** How many more calls the rule allows now. */
		room(startsAt = Date.now()): number {
			const plan = new Plan(phoneOf);
			while (plan.all <= 100 && rule.check(call(plan.all), startsAt, plan) === undefined) {
				plan.add(call(plan.all), startsAt);
			}
			return plan.all;
		},
	};
}

describe('Calls per Day', () => {
	test.each<[what: string, at: number, more: object]>([
		['a queued test call', NOON - MINUTE, { ownerField: 'campaignId', owner: 'spring', isTest: true }],
		['a queued call of yesterday', NOON - DAY, { ownerField: 'campaignId', owner: 'spring' }],
		['a call of yesterday', NOON - DAY, {}],
	])('counts a listed call of today although it is, or may be, %s of this execution', async (_what, at, more) => {
		const { rule, list, book, room, call } = limitOf(1);
		book.accept(book.add(call(0, more), at), 'own');
		list.calls = [theirs('own', NOON, { to: call(0).to })];
		await rule.read(1, list.read);
		expect(room()).toBe(0);
	});

	test('reads one number while the limit is far away, and no record', async () => {
		const { rule, list, room } = limitOf(50, many(20));
		await rule.read(30, list.read);
		expect(list.queries).toEqual([{ direction: 'outbound', date_from: '2031-01-14', page: 1, per_page: 1 }]);
		expect(room()).toBe(30);
	});

	test('reads the records if the number leaves no room: the day before, test calls and inbound ones do not count', async () => {
		const old = many(7, NOON - DAY);
		const others = [...many(5, NOON - MINUTE, { is_testing: true }), theirs('in', NOON, { direction: 'inbound' })];
		const { rule, list, room } = limitOf(10, [...old, ...others, ...many(4)]);
		await rule.read(3, list.read);
		expect(room()).toBe(6);
	});

	test.each<[what: string, more: IDataObject]>([
		['has no time', { created_at: undefined }],
		['has a time that is none', { created_at: 'yesterday' }],
		[
			'began yesterday, and may have been delayed until today',
			{ created_at: '2031-01-14T23:30:00Z', updated_at: undefined },
		],
		['began on this day', { created_at: '2031-01-15T00:00:00Z' }],
	])('counts a call that %s', async (_what, more) => {
		const { rule, list, room } = limitOf(1, [theirs('x', NOON, more)]);
		await rule.read(1, list.read);
		expect(room()).toBe(0);
	});

	test('finds own calls in the records by id or sid: they count once', async () => {
		const { rule, list, send, room, call } = limitOf(5);
		send(0, 'a');
		send(1, 's');
		send(2, 'not listed yet');
		const own = (item: number, more: IDataObject) => theirs('a', NOON, { to: call(item).to, ...more });
		list.calls = [own(0, { id: 'a' }), own(1, { id: 'b', sid: 's' }), theirs('x')];
		await rule.read(2, list.read);
		// Three own ones and one of others.
		expect(room()).toBe(1);
	});

	test('finds each queued call once, by its phone and a later time', async () => {
		const { rule, list, send, room, call } = limitOf(9);
		const ofCampaign = { ownerField: 'campaignId', owner: 'spring', to: call(0).to };
		send(0, 'q', ofCampaign);
		send(1, 'r', ofCampaign);
		const rung = (id: string, at: number) => theirs(id, at, { to: call(0).to });
		list.calls = [rung('1', NOON - MINUTE), rung('2', NOON + MINUTE)];
		await rule.read(9, list.read);
		// Two own ones, of which one is listed, and the earlier one of others.
		expect(room()).toBe(6);
		list.calls = [
			rung('1', NOON - MINUTE),
			rung('2', NOON + MINUTE),
			rung('3', NOON + MINUTE),
			rung('4', NOON + MINUTE),
		];
		await rule.read(9, list.read);
		expect(room()).toBe(5);
	});

	test('never counts too few: what is listed after the records were read counts, too', async () => {
		const { rule, list, room } = limitOf(10, many(10, NOON - DAY));
		await rule.read(1, list.read);
		expect(room()).toBe(10);
		list.calls = [...list.calls, ...many(4)];
		list.takeCount();
		await rule.read(1, list.read);
		expect([room(), list.takeCount()]).toEqual([6, 1]);
		list.calls = [...list.calls, ...many(6, NOON - 2 * MINUTE)];
		await rule.read(1, list.read);
		expect([room(), list.takeCount()]).toEqual([0, 2]);
	});

	test('never counts a call that starts tomorrow for today, nor one of today for tomorrow', async () => {
		const { rule, list, send, room, book, call } = limitOf(3, many(2));
		await rule.read(3, list.read);
		send(0, 'a');
		expect([room(), room(NOON + DAY)]).toEqual([0, 3]);
		book.add(call(1), NOON + DAY);
		expect([room(), room(NOON + DAY)]).toEqual([0, 2]);
		expect(rule.check(call(2), NOON, NONE_PLANNED)).toMatchObject({
			result: 'limitReached',
			nextAllowedAt: '2031-01-16T00:00:00.000Z',
			advice: expect.stringContaining('2031-01-16T00:00:00.000Z'),
		});
	});

	test('counts for tomorrow what others may have delayed until then, and today’s calls that are over not', async () => {
		jest.setSystemTime(Date.parse('2031-01-15T23:30:00Z'));
		const { rule, list, room, book, call } = limitOf(3, [theirs('over')]);
		const delayed = { status: 'queued', created_at: iso(Date.now()), updated_at: iso(Date.now()) };
		list.calls = [...list.calls, theirs('a', 0, delayed), theirs('b', 0, delayed)];
		await rule.read(3, list.read);
		const tomorrow = Date.parse('2031-01-16T00:30:00Z');
		expect([room(), room(tomorrow)]).toEqual([0, 1]);
		book.accept(book.add(call(0), tomorrow), 'own');
		list.calls = [...list.calls, theirs('own', 0, { ...delayed, to: call(0).to })];
		await rule.read(1, list.read);
		expect(room(tomorrow)).toBe(0);
		expect(rule.check(call(1), tomorrow, NONE_PLANNED)).toMatchObject({ nextAllowedAt: '2031-01-16T00:00:00.000Z' });
		jest.setSystemTime(Date.parse('2031-01-16T00:10:00Z'));
		await rule.read(1, list.read);
		expect(room()).toBe(0);
	});

	test('reads again after midnight, however short ago that was', async () => {
		const { rule, list, room, call } = limitOf(5, many(5));
		jest.setSystemTime(Date.parse('2031-01-15T23:59:59.900Z'));
		await rule.refresh(call(), list.read);
		expect(room()).toBe(0);
		jest.setSystemTime(Date.parse('2031-01-16T00:00:00.100Z'));
		list.takeCount();
		await rule.refresh(call(), list.read);
		expect([room(), list.takeCount()]).toEqual([5, 2]);
	});

	test('says nothing about test calls, and reads nothing for them', async () => {
		const { rule, list, call, book } = limitOf(1, many(5));
		const test_ = call(0, { isTest: true });
		await rule.refresh(test_, list.read);
		expect([rule.check(test_, NOON, NONE_PLANNED), list.queries]).toEqual([undefined, []]);
		book.add(test_, NOON);
		expect(book.realCallsOn(test_.credential, '2031-01-15')).toBe(0);
	});

	test.each([
		[undefined, 2000],
		[600, 2000],
		[60, 10_000],
	])('with %s requests per minute, is read again after %i ms, by one request for all', async (perMinute, interval) => {
		const { rule, list, call } = limitOf(100, [], perMinute);
		const refreshAll = async () => {
			await Promise.all([0, 1, 2].map((item) => rule.refresh(call(item), list.read)));
			return list.takeCount();
		};
		expect(await refreshAll()).toBe(1);
		jest.advanceTimersByTime(interval - 1);
		expect(await refreshAll()).toBe(0);
		jest.advanceTimersByTime(1);
		expect(await refreshAll()).toBe(1);
	});

	test('counts what other runs of this process send meanwhile, in flight or answered after it was read', async () => {
		const { rule, list, room, credential, book } = limitOf(5);
		const send = (changes: { isTest?: boolean; book?: CallBook } = {}) =>
			callsInProcess(credential).add({ phone: 'p', isTest: false, book: newBook().book, ...changes });
		const [inFlight, early] = [send(), send()];
		early.settle();
		await rule.read(1, list.read);
		expect(room()).toBe(4);
		send({ isTest: true });
		send({ book });
		const late = send();
		late.settle();
		expect(room()).toBe(3);
		inFlight.remove();
		expect(room()).toBe(4);
	});

	test('sends nothing if the calls cannot be counted, and says why', async () => {
		const { rule, list, call } = limitOf(5);
		list.error = new ServiceError('Broken', { code: 'UNEXPECTED', advice: '', accepted: 'unknown', httpStatus: 500 });
		const error = { accepted: 'no', message: expect.stringMatching(/^Nothing was sent: .*'Calls per Day'.* Broken$/) };
		await expect(rule.read(1, list.read)).rejects.toMatchObject(error);
		await expect(rule.refresh(call(), list.read)).rejects.toMatchObject(error);
		list.error = undefined;
		list.calls = many(6);
		const read = async (request: Parameters<typeof list.read>[0]) => ({ ...(await list.read(request)), data: 'none' });
		await expect(rule.read(1, read)).rejects.toMatchObject({ accepted: 'no', code: 'UNREADABLE_ANSWER' });
	});
});

test('Calls per Run counts the calls of the credential by all nodes, and those of the items before', () => {
	const { book } = newBook();
	const rule = runLimit(book, 3);
	book.add(wanted({ node: 'Another', isTest: true }), NOON);
	const plan = new Plan(phoneOf);
	plan.add(wanted({ item: 1 }), NOON);
	expect(rule.check(wanted({ item: 2 }), NOON, plan)).toBeUndefined();
	plan.add(wanted({ item: 2 }), NOON);
	expect(rule.check(wanted({ item: 3 }), NOON, plan)).toMatchObject({
		result: 'limitReached',
		code: 'CALL_LIMIT_REACHED',
		message: expect.stringContaining('Sent before: 1; for items before this one: 2'),
	});
	expect(rule.check(wanted({ credential: 'b' }), NOON, NONE_PLANNED)).toBeUndefined();
	book.refuse(book.add(wanted({ item: 5 }), NOON));
	expect(rule.check(wanted({ item: 6 }), NOON, NONE_PLANNED)).toBeUndefined();
});

describe('The limits of a tool', () => {
	const rulesOf = (maxCalls: number, maxCallsPerHour: number, workflow: string) => {
		const { book } = newBook();
		const [perRun, perHour] = toolRules(book, { maxCalls, maxCallsPerHour }, workflow);
		return { book, perRun: perRun!, perHour: perHour! };
	};
	const call = wanted({ isTool: true });

	test('per run count the calls of all tools with the credential, and of no other node', () => {
		const { book, perRun } = rulesOf(2, 9, 'run');
		book.add(wanted({ node: 'Node' }), NOON);
		book.add(wanted({ isTool: true, node: 'Another' }), NOON);
		expect(perRun.check(call, NOON, NONE_PLANNED)).toBeUndefined();
		book.add(wanted({ isTool: true, run: 1 }), NOON);
		expect(perRun.check(call, NOON, NONE_PLANNED)).toMatchObject({
			message: 'Not sent: this tool has reached its limit of 2 calls per run',
			advice: expect.stringContaining("'Max Calls per Run'"),
		});
	});

	test('per hour count over all runs of the workflow, and say when the next call is possible', () => {
		const { perHour } = rulesOf(9, 1, 'hour');
		const giveBack = perHour.count!(call);
		expect(perHour.check(call, NOON, NONE_PLANNED)).toMatchObject({
			result: 'limitReached',
			nextAllowedAt: iso(NOON + 60 * MINUTE),
			advice: expect.stringContaining('in 60 minutes'),
		});
		expect(rulesOf(9, 1, 'hour').perHour.check(call, NOON, NONE_PLANNED)).toBeDefined();
		expect(rulesOf(9, 1, 'other').perHour.check(call, NOON, NONE_PLANNED)).toBeUndefined();
		expect(perHour.check({ ...call, credential: 'b' }, NOON, NONE_PLANNED)).toBeUndefined();
		giveBack();
		expect(perHour.check(call, NOON, NONE_PLANNED)).toBeUndefined();
	});
});
