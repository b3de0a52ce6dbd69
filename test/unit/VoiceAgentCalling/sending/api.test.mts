import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { createApi, createSharedApi } from '../../../../nodes/VoiceAgentCalling/sending/api.ts';
import { SentRequests } from '../../../../nodes/VoiceAgentCalling/sending/sentRequests.ts';
import { cut, type DoubleOptions } from '../../n8n.mts';
import { runOf } from './run.mts';

/** What an operation uses for one item. */
function apiOf(options: DoubleOptions = {}) {
	const made = runOf(options);
	const api = createApi({
		run: made.run,
		itemIndex: 0,
		repeat: undefined,
		placesCall: false,
		budget: undefined,
		throwIfUnwanted: () => undefined,
	});
	return { ...made, api };
}

const agent = { method: 'GET', path: ['agents', 'a'] } as const;

test('A request returns the body or throws the error; one that is tried returns either', async () => {
	const { api } = apiOf({
		service: async ({ url }) =>
			url.endsWith('/a') ? { body: { data: { id: 'a' } } } : { status: 404, body: { message: 'No' } },
	});
	expect(await api.request(agent)).toEqual({ data: { id: 'a' } });
	expect(await api.tryRequest(agent)).toEqual({ value: { data: { id: 'a' } } });
	const missing = { method: 'GET', path: ['agents', 'b'] } as const;
	await expect(api.request(missing)).rejects.toBeInstanceOf(ServiceError);
	expect((await api.tryRequest(missing)).error).toMatchObject({ httpStatus: 404 });
});

test('Pages are requested one after the other, with a note where the listing may be incomplete', async () => {
	const data = Array.from({ length: 100 }, (_, id) => ({ id }));
	const { api, run, requests } = apiOf({ service: [{ body: { data } }] });
	const found = await api.pages(
		agent,
		(body) => body.data,
		200,
		({ id }) => Number(id) > 97,
	);
	expect(found.map(({ id }) => id)).toEqual([98, 99]);
	expect(requests.map(({ qs }) => qs)).toEqual([{}]);
	expect(run.notes.size).toBe(1);
});

test('What is remembered is read once in a run, and does not count as sent by the item', async () => {
	const { api, requests } = apiOf({ service: [{ body: { data: { id: 'a' } } }] });
	const read = async () => await api.request(agent);
	expect(await api.remember('agent a', read)).toEqual({ data: { id: 'a' } });
	expect(await api.remember('agent a', read)).toEqual({ data: { id: 'a' } });
	expect(requests).toHaveLength(1);
	expect(api.progress.mayHaveActed).toBe(false);
	await read();
	expect(api.progress.mayHaveActed).toBe(true);
});

test('What the run itself creates is not taken for a request of its first item in the next try', async () => {
	const { run, context, requests } = runOf({ service: [{ body: { data: { id: 'hook' } } }] });
	const shared = createSharedApi(run, () => undefined);
	await shared.request({ method: 'POST', path: ['campaigns', 'a', 'webhooks'], body: {}, repeat: 'never' });
	expect(requests).toHaveLength(1);
	expect(new SentRequests(context, 0).sentEarlier(0)).toBeUndefined();
});

test('A message goes to another node, not to the service; without a response there is an error', async () => {
	const url = 'https://n8n.example/webhook/1/webhook';
	const { api, requests, messages } = apiOf({ others: [{ body: 'OK' }, cut] });
	expect(await api.message(url, { command: 'check' })).toEqual({ value: { status: 200, body: 'OK', proven: false } });
	expect((await api.message(url, { command: 'check' })).error).toMatchObject({ code: 'NO_ANSWER' });
	expect(messages.map((message) => message.url)).toEqual([url, url]);
	expect(requests).toEqual([]);
});

test('An address on this n8n is told from others', async () => {
	const { api } = apiOf();
	expect(await api.isOwnAddress('https://n8n.example/webhook/1/webhook')).toBe(true);
	expect(await api.isOwnAddress('https://other.example/webhook/1/webhook')).toBe(false);
});

test('A settled refusal is the answer of the next request, which counts as answered from memory', async () => {
	const { api, requests } = apiOf({ service: [{ body: {} }] });
	const queue = { method: 'POST', path: ['campaigns', 'c', 'call'], body: { to: '+12025550101' } } as const;
	const refusal = new ServiceError('Queued', {
		code: 'CONFLICT',
		advice: '',
		httpStatus: 409,
		accepted: 'no',
		body: { data: { id: 'call-1' } },
	});
	expect(api.progress.answeredFromMemory).toBe(false);
	api.settle(queue, refusal);
	await expect(api.request(queue)).rejects.toMatchObject({ httpStatus: 409, body: { data: { id: 'call-1' } } });
	expect(api.progress.answeredFromMemory).toBe(true);
	expect(requests).toEqual([]);
});

test("The node's static data is n8n's own object", () => {
	const { api, staticData } = apiOf({ staticData: { since: 1 } });
	expect(api.staticData).toBe(staticData);
});
