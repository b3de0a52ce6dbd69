import type { IDataObject } from 'n8n-workflow';

import { createApi, createSharedApi } from '../../../../nodes/shared/client/api.ts';
import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { loadKeys } from '../../../../nodes/shared/keys.ts';
import { cut, type DoubleOptions } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from './modelService.mts';
import { requestOptions, runOf } from './run.mts';

/** What an operation uses for one item. */
function apiOf(options: DoubleOptions = {}) {
	const made = runOf(options);
	return { ...made, api: createApi(requestOptions(made.run)) };
}

const agent = { method: 'GET', path: ['agents', 'a'] } as const;

test('A request returns the body or throws the error; one that is tried returns either', async () => {
	const body = { data: { id: 'a' } };
	const { api } = apiOf({ service: [{ body }, { body }, { status: 404, body: {} }] });
	expect(await api.request(agent)).toEqual(body);
	expect((await api.tryRequest(agent)).value).toEqual(body);
	await expect(api.request(agent)).rejects.toBeInstanceOf(ServiceError);
	expect((await api.tryRequest(agent)).error).toMatchObject({ httpStatus: 404 });
});

test('Pages are requested one after the other, with a note where the listing may be incomplete', async () => {
	const data = Array.from({ length: 100 }, (_, id) => ({ id }));
	const { api, run } = apiOf({ service: [{ body: { data } }] });
	const found = await api.pages(
		agent,
		(body) => body.data,
		200,
		({ id }) => Number(id) > 97,
	);
	expect(found.map(({ id }) => id)).toEqual([98, 99]);
	expect(run.hints.size).toBe(1);
});

test('A listing on which a decision depends is read to its end, and what it has to have is chosen', async () => {
	const { api, requests } = apiOf({
		service: ({ qs }) => ({ body: { data: [{ id: 1 }, { id: Number(qs?.page) }], pagination: { last_page: 2 } } }),
	});
	const agents = { method: 'GET', path: ['agents'] } as const;
	const found = await api.whole(
		agents,
		({ data }) => data,
		({ id }) => id === 2,
	);
	expect([found, requests.length]).toEqual([[{ id: 2 }], 2]);
});

test('What the editor shows stands there once, and a fact about an item is known in its next try only', () => {
	const { api, run } = apiOf();
	api.note('Slow');
	api.note('Slow');
	api.mark('published');
	const ofItem = (itemIndex: number) => createApi(requestOptions(run, { itemIndex }));
	expect([...run.hints, ofItem(0).isMarked('published'), ofItem(1).isMarked('published')]).toEqual([
		'Slow',
		true,
		false,
	]);
	const shared = createSharedApi(run);
	shared.mark('other');
	expect([shared.isMarked('published'), shared.isMarked('other'), ofItem(0).isMarked('other')]).toEqual([
		false,
		false,
		false,
	]);
});

/** The requests that are stored for the next try. */
const sentIn = ({ sentRequests = {} }: IDataObject) =>
	Object.values(sentRequests as Record<string, { entries: object }>).flatMap(({ entries }) => Object.keys(entries));

describe('What the run itself sends', () => {
	beforeEach(useFakeClock);
	afterEach(() => jest.useRealTimers());

	test.each([
		['GET', undefined, 2],
		['POST', undefined, 2],
		['POST', 'never', 1],
	] as const)('%s (%s) is sent %i times, if its connection is cut', async (method, repeat, times) => {
		const { run, requests } = runOf({ service: [cut, { body: {} }] });
		const shared = createSharedApi(run);
		await inFakeTime(shared.tryRequest({ method, path: ['agents'], body: {}, repeat }));
		expect(requests).toHaveLength(times);
	});

	test('is no call: it is neither made a test call nor remembered', async () => {
		const connection = { ...runOf().run.connection, testCallsOnly: true };
		const { run, requests, context } = runOf({ service: [{ body: {} }] }, { connection });
		const post = { method: 'POST', path: ['agents', 'a', 'call'], body: { to: '+12025550101' } } as const;
		await createSharedApi(run).request(post);
		expect([requests[0]?.body, sentIn(context)]).toEqual([post.body, []]);
	});
});

test('What is remembered is read once in a run, and does not count as sent by the item', async () => {
	const { api, requests } = apiOf({ service: [{ body: { data: { id: 'a' } } }] });
	const read = async () => await api.request(agent);
	expect(await api.remember('agent a', read)).toEqual(await api.remember('agent a', read));
	expect([requests.length, api.progress.mayHaveActed]).toEqual([1, false]);
	await read();
	expect(api.progress.mayHaveActed).toBe(true);
});

test('What the run itself creates is not taken for a request of its first item in the next try', async () => {
	const { run, context, requests } = runOf({ service: [{ body: { data: { id: 'hook' } } }] });
	const shared = createSharedApi(run);
	await shared.request({ method: 'POST', path: ['campaigns', 'a', 'webhooks'], body: {}, repeat: 'never' });
	expect(requests).toHaveLength(1);
	expect(sentIn(context)).toEqual([]);
});

test('A message goes to another node on this n8n, not to the service', async () => {
	const url = 'https://n8n.example/webhook/1/webhook';
	const { api, requests, messages, staticData } = apiOf({ others: [{ body: 'OK' }], staticData: { since: 1 } });
	expect(await api.message(url, { command: 'check' })).toEqual({ value: { status: 200, body: 'OK', proven: false } });
	expect([messages.map((message) => message.url), requests]).toEqual([[url], []]);
	expect(await api.isOwnAddress(url)).toBe(true);
	expect(await api.isOwnAddress('https://other.example/webhook/1/webhook')).toBe(false);
	expect(api.staticData).toBe(staticData);
	const path = 'webhook/00000000-0000-0000-0000-000000000001/webhook?g=1';
	expect(await api.addressHere(`https://other.example/n8n/${path}`)).toBe(`https://n8n.example/${path}`);
	const waiting = ['https://n8n.example/webhook-waiting/77/x', url];
	expect(await Promise.all(waiting.map(async (one) => await api.resumesHere(one)))).toEqual([true, false]);
	expect(await api.keys()).toEqual(await loadKeys(runOf().caller));
});
