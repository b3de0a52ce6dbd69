import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../../../../nodes/shared/client/request.ts';
import { RequestLog } from '../../../../nodes/shared/client/requestLog.ts';
import type { Prepare, RequestOptions } from '../../../../nodes/shared/client/requests.ts';
import type { Run } from '../../../../nodes/shared/client/run.ts';
import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { type Answers, cut, unreachable } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from './modelService.mts';
import { requestsOf, runOf } from './run.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const call: ServiceRequest = { method: 'POST', path: ['agents', 'a', 'call'], body: { to: '+12025550101' } };
const create: ServiceRequest = { method: 'POST', path: ['calendars'], body: { name: 'Visits' } };
const get: ServiceRequest = { method: 'GET', path: ['calendars'] };
const deletion: ServiceRequest = { method: 'DELETE', path: ['calendars', 'c'] };
const created = { status: 201, body: { success: true, data: { id: 'c', name: 'Visits' } } };
const gone = { status: 404, body: { success: false, message: 'Not found' } };
const refused = { status: 422, body: { message: 'The name is wrong' } };
const overloaded = { status: 503, body: { message: 'Later' } };
const notNow = (accepted: 'no' | 'unknown') =>
	new ServiceError('Not now', { code: 'CONFLICT', advice: 'Wait.', accepted });
/** A guard that allows the call. */
const guard = { reserve: (request: ServiceRequest) => request, refused: () => undefined };

/** A run, and its attempts. */
function attempts(service: Answers = [created], changes: Partial<Run> = {}) {
	const { run, requests, context } = runOf({ service }, changes);
	return {
		run,
		requests,
		context,
		/** Sends a request of an item. */
		send: async (request = create, options: Partial<RequestOptions> = {}, before?: Prepare) => {
			const { send, progress } = requestsOf(run, options);
			return { ...(await inFakeTime(send(request, before))), progress };
		},
		/** Begins the next attempt: a new run of the node with the stored context. */
		again() {
			run.log = new RequestLog(JSON.parse(JSON.stringify(context)) as IDataObject, 0);
		},
	};
}

test('An action whose URL is on this machine is refused before anything is sent: the service can never call it', async () => {
	const { send, requests } = attempts();
	const path = ['agents', 'a', 'actions'];
	const { error } = await send({ method: 'POST', path, body: { name: 'book', url: 'http://localhost' } });
	expect([error?.code, requests]).toEqual(['WEBHOOK_URL_NOT_PUBLIC', []]);
	expect((await send({ method: 'POST', path, body: { url: 'https://example.com/' } })).error).toBeUndefined();
});

describe('A request that must not happen twice', () => {
	test.each([
		...(['POST', 'PATCH'] as const).map((method) => [{ method }, undefined, 1] as const),
		...(['GET', 'PUT', 'DELETE'] as const).map((method) => [{ method }, undefined, 2] as const),
		[{}, 'safe', 2],
		[{ method: 'GET' }, 'never', 2],
		[{ repeat: 'never' }, 'safe', 1],
		[{ repeat: 'safe' }, 'never', 2],
	] as const)(
		'is told by %j and by the operation (%s): sent %i times if the connection is cut',
		async (request, repeat, times) => {
			const { send, requests } = attempts([cut, created]);
			await send({ method: 'POST', path: ['calendars', 'c'], ...request }, { repeat });
			expect(requests).toHaveLength(times);
		},
	);

	test('has an unknown outcome when its connection is cut, which says whether a phone may ring', async () => {
		const { send } = attempts([cut]);
		const advice = expect.stringContaining('The phone may be ringing');
		const { error: ofCall } = await send(call, { placesCall: true, guard });
		expect(ofCall).toMatchObject({ code: 'OUTCOME_UNKNOWN', accepted: 'unknown', advice });
		const { error } = await send();
		expect(error).toMatchObject({ message: expect.stringContaining('The connection to the service was closed') });
		expect(error?.advice).not.toContain('phone');
	});

	test.each([
		['answered: the IDs of that answer are the result', created, { value: { success: true, data: { id: 'c' } } }],
		['never answered', cut, { error: { code: 'OUTCOME_UNKNOWN', accepted: 'unknown' } }],
	])('is not sent in the next attempt if it was %s', async (_what, answer, result) => {
		const { send, requests, again } = attempts([answer, created]);
		expect((await send()).progress.usedLoggedResponse).toBe(false);
		again();
		// Whatever this attempt would send.
		const other = await send({ ...create, body: { name: 'Others' } });
		expect(other).toMatchObject({ ...result, progress: { usedLoggedResponse: true } });
		expect(requests).toHaveLength(1);
	});

	test('is no call: those are known by the book, and one with a guard is sent once only', async () => {
		const { send, requests, context } = attempts([cut, created]);
		await send(call, { placesCall: true, repeat: 'safe', guard });
		expect([requests.length, context]).toEqual([1, {}]);
	});

	test('is already remembered while it is on its way, for a process that ends there', async () => {
		const { send, context } = attempts(() => {
			const stored = new RequestLog(JSON.parse(JSON.stringify(context)) as IDataObject, 0);
			expect(stored.recall(RequestLog.key(0, create))).toBeDefined();
			return created;
		});
		expect((await send()).error).toBeUndefined();
	});

	test.each([
		['the service refused it', refused],
		['nothing listens', unreachable],
	])('is sent in the next attempt if it certainly did not happen: %s', async (_what, answer) => {
		const { send, again, requests } = attempts(() => (requests.length < 5 ? answer : created));
		expect((await send()).error).toMatchObject({ accepted: 'no' });
		const before = requests.length;
		again();
		expect((await send()).progress.usedLoggedResponse).toBe(false);
		expect(requests.length).toBeGreaterThan(before);
	});

	test('of another item is another request', async () => {
		const { send, requests } = attempts();
		await send();
		await send(create, { itemIndex: 1 });
		expect(requests).toHaveLength(2);
	});
});

describe('A change that may be sent again', () => {
	const change: ServiceRequest = { method: 'PUT', path: ['calendars', 'c'], body: { name: 'Visits' } };

	test.each<[string, Answers]>([
		['all answers', [cut, cut, cut, cut]],
		['one answer, and then nothing listens', [cut, unreachable, unreachable, unreachable]],
	])('may be made if its error has lost %s', async (_what, answers) => {
		const { error } = await attempts(answers).send(change);
		expect(error).toMatchObject({ accepted: 'unknown' });
	});

	test('may be made if the service refuses it in the next attempt, after all answers were lost', async () => {
		const { send, again, requests } = attempts(() => (requests.length > 4 ? refused : cut));
		await send(change);
		again();
		expect((await send(change)).error).toMatchObject({ httpStatus: 422, accepted: 'unknown' });
	});

	test('is not made if nothing has received it', async () => {
		const { error } = await attempts([unreachable, unreachable, unreachable, unreachable]).send(change);
		expect([error?.accepted, error?.advice]).toEqual(['no', expect.not.stringContaining('may have done')]);
	});
});

describe('What has to succeed before a request', () => {
	test('is done once, before it is sent, and not if an earlier attempt has sent it', async () => {
		const { send, requests, again } = attempts();
		const before = jest.fn(async () => expect(requests).toHaveLength(0) as undefined);
		await send(create, {}, before);
		again();
		await send(create, {}, before);
		expect([before.mock.calls.length, requests.length]).toEqual([1, 1]);
	});

	test.each(['no', 'unknown'] as const)('prevents the request if it fails: it was not sent (%s)', async (accepted) => {
		const { run, send, requests } = attempts();
		const { error } = await send(create, {}, async () => await Promise.reject(notNow(accepted)));
		expect(error).toMatchObject({ code: 'CONFLICT', message: 'Not now', accepted: 'no' });
		expect([requests, run.log.recall(RequestLog.key(0, create))]).toEqual([[], undefined]);
	});
});

describe('An answer of which nobody can tell what it says', () => {
	test('is not the result of the next attempt', async () => {
		const { run, requests, again, send } = attempts();
		const first = requestsOf(run);
		// Nothing was sent.
		first.setUnknown();
		await first.send(create);
		first.setUnknown();
		again();
		expect(await send()).toMatchObject({ error: { code: 'OUTCOME_UNKNOWN' } });
		expect(requests).toHaveLength(1);
	});

	test('stays what it was if it is that of an earlier attempt', async () => {
		const { run, again, send } = attempts();
		await send();
		again();
		const next = requestsOf(run);
		await next.send(create);
		next.setUnknown();
		expect((await send()).error).toBeUndefined();
	});
});

describe('A deletion', () => {
	test.each<[string, Answers, 'done' | number | undefined, 'done' | number | undefined]>([
		['has succeeded if its connection was cut and the object is gone then', [cut, gone], 'done', 'done'],
		['or gone in the next attempt', [cut, cut, cut, cut, gone], undefined, 'done'],
		['has not succeeded if it is refused in the next attempt', [cut, cut, cut, cut, refused], undefined, 422],
		[
			'has not succeeded if a gateway does not know the address',
			[overloaded, { status: 404, body: { message: 'no Route matched' } }],
			404,
			404,
		],
		['fails if the object was not there at first, in the next attempt too', [gone], 404, 404],
		[
			'that may have happened is remembered, although a later attempt was refused',
			[overloaded, refused, gone],
			422,
			'done',
		],
	])('%s', async (_what, answers, first, second) => {
		const { send, again } = attempts(answers);
		const result = ({ value, error }: Awaited<ReturnType<typeof send>>) => (value ? 'done' : error?.httpStatus);
		expect(result(await send(deletion))).toBe(first);
		again();
		expect(result(await send(deletion))).toBe(second);
	});
});

test('Another request than a deletion has failed if the object is gone then', async () => {
	const { send } = attempts([cut, gone]);
	expect((await send({ ...deletion, method: 'PUT' })).error?.httpStatus).toBe(404);
});

describe('With a credential that allows only test calls', () => {
	const connection = { ...runOf().run.connection, testCallsOnly: true };
	const unchanged = call.body;
	const testBody = { ...call.body, is_testing: true, context: expect.anything() };

	test.each<[string, ServiceRequest, boolean, object | undefined]>([
		['every call is a test call', call, true, testBody],
		['whatever the item says', { ...call, body: { ...call.body, is_testing: false } }, true, testBody],
		['also one that the request says it places', { ...call, placesCall: true }, false, testBody],
		['what reads is left alone', { ...call, method: 'GET' }, true, unchanged],
		['what places no call is left alone', call, false, unchanged],
		['what says itself that it places none is left alone', { ...call, placesCall: false }, true, unchanged],
	])('%s', async (_what, request, placesCall, body) => {
		const { send, requests } = attempts([created], { connection });
		await send(request, { placesCall, guard });
		expect(requests[0]!.body).toEqual(body);
	});
});

describe('Whether an item has sent something', () => {
	test.each([
		['an answer', [created], true],
		['a request that may have arrived', [cut], true],
		['a refusal', [refused], false],
		['no connection', [unreachable], false],
	])('after %s', async (_what, service, mayHaveActed) => {
		const { run } = runOf({ service });
		const wanted: boolean[] = [];
		const requests = requestsOf(run, { throwIfUnwanted: (begun) => void wanted.push(begun) });
		expect(requests.progress.mayHaveActed).toBe(false);
		await inFakeTime(requests.send(create));
		expect(requests.progress.mayHaveActed).toBe(mayHaveActed);
		expect(wanted[0]).toBe(false);
		await inFakeTime(requests.send({ ...create, path: ['other'] }));
		expect(wanted.at(-1)).toBe(mayHaveActed);
	});

	test('does not depend on what all items read together, even if that fails', async () => {
		const requests = requestsOf(attempts().run);
		const { progress } = requests;
		const read = async () => await requests.send(get);
		const fail = async () => {
			await read();
			throw new Error('Unexpected');
		};
		expect((await requests.withoutTracking(read)).error).toBeUndefined();
		await expect(requests.withoutTracking(fail)).rejects.toThrow('Unexpected');
		expect(progress.mayHaveActed).toBe(false);
		await requests.send(create);
		await requests.withoutTracking(read);
		expect(progress.mayHaveActed).toBe(true);
	});
});
