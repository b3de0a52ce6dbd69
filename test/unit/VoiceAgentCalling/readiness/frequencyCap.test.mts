import type { IDataObject } from 'n8n-workflow';

import { loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { ListedCalls } from '../../../../nodes/VoiceAgentCalling/readiness/frequencyCap.ts';
import { fakeApi } from '../api.mts';
import { CallList } from './callList.mts';
import { OTHER_PHONE, PHONE, TWIN } from './calls.mts';

const NOW = Date.parse('2031-01-15T12:00:00Z');

beforeAll(loadCountries);
beforeEach(() => jest.useFakeTimers({ now: NOW, doNotFake: ['setTimeout', 'setImmediate', 'nextTick'] }));
afterEach(() => jest.useRealTimers());

const call = (id: string, to: unknown, more: IDataObject = {}): IDataObject => ({
	id,
	to: to as string,
	created_at: '2031-01-15T10:00:00Z',
	updated_at: '2031-01-15T10:01:00Z',
	direction: 'outbound',
	...more,
});
/** So many calls of others, which fill more than a page if there are more than a hundred. */
const many = (count: number) =>
	Array.from({ length: count }, (_, index) => call(`other ${index}`, `+1202556${1000 + index}`));

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
	await listed.refresh(TWIN, list.read);
	expect(idsOf(PHONE)).toHaveLength(3);
});

test('a list that grows beyond a page during the run is searched from then on', async () => {
	const { list, listed, idsOf } = await listOf([call('a', PHONE)]);
	list.calls = [...many(120), call('b', PHONE)];
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
