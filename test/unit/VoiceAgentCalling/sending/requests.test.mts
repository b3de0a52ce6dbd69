import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { TICKET_FIELD } from '../../../../nodes/shared/nodeLink/ticket.ts';
import type { ServiceRequest } from '../../../../nodes/shared/service/request.ts';
import { CallBudget } from '../../../../nodes/VoiceAgentCalling/sending/callBudget.ts';
import type { Before, RequestOptions } from '../../../../nodes/VoiceAgentCalling/sending/requests.ts';
import type { Run } from '../../../../nodes/VoiceAgentCalling/sending/run.ts';
import { SentRequests } from '../../../../nodes/VoiceAgentCalling/sending/sentRequests.ts';
import { type Answers, cut, unreachable } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from './modelService.mts';
import { requestsOf, runOf } from './run.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const call: ServiceRequest = { method: 'POST', path: ['agents', 'a', 'call'], body: { to: '+12025550101' } };
const get: ServiceRequest = { method: 'GET', path: ['agents', 'a', 'call'] };
const testCall = { ...call, body: { ...call.body, is_testing: true } };
const deletion: ServiceRequest = { method: 'DELETE', path: ['calendars', 'c'] };
const placed = { status: 201, body: { success: true, data: { id: 'call-1', status: 'initiated' } } };
const gone = { status: 404, body: { success: false, message: 'Not found' } };
const refused = { status: 422, body: { message: 'The number is wrong' } };
const overloaded = { status: 503, body: { message: 'Later' } };
const notNow = (accepted: 'no' | 'unknown' = 'no') =>
	new ServiceError('Not now', { code: 'CONFLICT', advice: 'Wait.', accepted });
const fails = async () => await Promise.reject(notNow());

/** A run, and its tries. */
function tries(service: Answers = [placed], changes: Partial<Run> = {}) {
	const { run, requests, context } = runOf({ service }, changes);
	return {
		run,
		requests,
		context,
		/** Sends a request of an item that places calls. */
		send: async (request = call, options: Partial<RequestOptions> = {}, before?: Before) => {
			const { send, progress } = requestsOf(run, { placesCall: true, ...options });
			return { ...(await inFakeTime(send(request, before))), progress };
		},
		/** Begins the next try: a new run of the node with the stored context. */
		again() {
			run.sent = new SentRequests(JSON.parse(JSON.stringify(context)) as IDataObject, 0);
		},
	};
}

describe('Whether a call is a test call', () => {
	test.each<[string, ServiceRequest, boolean, boolean | undefined]>([
		['a test call', testCall, true, true],
		['a real call', call, true, false],
		['a call of an operation that places calls by some requests only', { ...testCall, placesCall: true }, false, true],
		['no call', testCall, false, undefined],
		['something that is read', get, true, undefined],
	])('is known of %s', async (_what, request, placesCall, isTest) => {
		const { send } = tries();
		expect((await send(request, { placesCall })).progress.isTestCall).toBe(isTest);
	});

	test('stays known while something else is read', async () => {
		const requests = requestsOf(tries().run, { placesCall: true });
		expect(requests.progress.isTestCall).toBeUndefined();
		await requests.send(testCall, async () => void (await requests.send(get)));
		await requests.send(get);
		expect(requests.progress.isTestCall).toBe(true);
	});
});

describe('A request that must not happen twice', () => {
	test.each([
		...(['POST', 'PATCH'] as const).map((method) => [{ method }, undefined, 1] as const),
		...(['GET', 'PUT', 'DELETE'] as const).map((method) => [{ method }, undefined, 2] as const),
		[{}, 'safe', 2],
		[{ method: 'GET' }, 'never', 1],
		[{ repeat: 'never' }, 'safe', 1],
		[{ repeat: 'safe' }, 'never', 2],
	] as const)(
		'is told by %j and by the operation (%s): sent %i times if the connection is cut',
		async (request, repeat, times) => {
			const { send, requests } = tries([cut, placed]);
			await send({ method: 'POST', path: ['calendars', 'c'], ...request }, { repeat });
			expect(requests).toHaveLength(times);
		},
	);

	test('has an unknown outcome when its connection is cut, which says whether a phone may ring', async () => {
		const { send } = tries([cut]);
		const advice = expect.stringContaining('The phone may be ringing');
		expect((await send()).error).toMatchObject({ code: 'OUTCOME_UNKNOWN', accepted: 'unknown', advice });
		const { error } = await send({ ...call, path: ['campaigns'] }, { placesCall: false });
		expect(error).toMatchObject({ message: expect.stringContaining('The connection to the service was closed') });
		expect(error?.advice).not.toContain('phone');
	});

	test.each([
		['answered: that answer is the result', placed, { value: { success: true, data: { id: 'call-1' } } }],
		['never answered', cut, { error: { code: 'OUTCOME_UNKNOWN', accepted: 'unknown' } }],
	])('is not sent in the next try if it was %s', async (_what, answer, result) => {
		const { send, requests, again } = tries([answer, placed]);
		expect((await send(testCall)).progress).toMatchObject({ answeredFromMemory: false, isTestCall: true });
		again();
		// It is the call of the earlier try, whatever this one would send.
		expect(await send()).toMatchObject({ ...result, progress: { answeredFromMemory: true, isTestCall: true } });
		expect(requests).toHaveLength(1);
	});

	test('is already remembered while it is on its way, for a process that ends there', async () => {
		const { send, context } = tries(() => {
			const stored = new SentRequests(JSON.parse(JSON.stringify(context)) as IDataObject, 0);
			expect(stored.recall(SentRequests.key(0, call))).toBeDefined();
			return placed;
		});
		expect((await send()).error).toBeUndefined();
	});

	test.each([
		['the service refused it', refused],
		['nothing listens', unreachable],
	])('is sent in the next try if it certainly did not happen: %s', async (_what, answer) => {
		const { send, again, requests } = tries(() => (requests.length < 5 ? answer : placed));
		expect((await send()).error).toMatchObject({ accepted: 'no' });
		const before = requests.length;
		again();
		expect((await send()).progress.answeredFromMemory).toBe(false);
		expect(requests.length).toBeGreaterThan(before);
	});

	test('of another item is another request', async () => {
		const { send, requests } = tries();
		await send();
		await send(call, { itemIndex: 1 });
		expect(requests).toHaveLength(2);
	});
});

describe('A refusal that is the result of an item', () => {
	const body = { message: 'Already queued', data: { call_id: 'call-1', to: '+12025550101' } };
	const conflict = notNow().with({ httpStatus: 409, body });

	test('is returned again in the next try, with the IDs of its body, and nothing is sent', async () => {
		const { run, send, requests, again } = tries();
		requestsOf(run).settle(call, conflict);
		again();
		expect(await send()).toMatchObject({
			error: { code: 'CONFLICT', httpStatus: 409, accepted: 'no', body: { data: { call_id: 'call-1' } } },
			progress: { answeredFromMemory: true },
		});
		expect(requests).toHaveLength(0);
	});

	test.each([{ httpStatus: undefined }, { body: 'Conflict' }])(
		'is stored with status and body only: %j',
		async (changes) => {
			const { run, send, requests } = tries();
			requestsOf(run).settle(call, conflict.with(changes));
			await send();
			expect(requests).toHaveLength(1);
		},
	);
});

describe('What has to succeed before a call', () => {
	test('is done once, before it is sent, and not if an earlier try has placed it', async () => {
		const { send, requests, again } = tries();
		const before = jest.fn(async () => expect(requests).toHaveLength(0) as undefined);
		await send(call, {}, before);
		again();
		await send(call, {}, before);
		expect([before.mock.calls.length, requests.length]).toEqual([1, 1]);
	});

	test.each(['no', 'unknown'] as const)('prevents the call if it fails: it was not sent (%s)', async (accepted) => {
		const { run, send, requests } = tries();
		const { error } = await send(call, {}, async () => await Promise.reject(notNow(accepted)));
		expect(error).toMatchObject({ code: 'CONFLICT', message: 'Not now', accepted: 'no' });
		expect([requests, run.sent.recall(SentRequests.key(0, call))]).toEqual([[], undefined]);
	});
});

describe('What has to succeed right before a call', () => {
	test('may change its body, and is undone if it was not taken', async () => {
		const undo = jest.fn();
		const changing = async () => Object.assign(() => ({ at: 'now' }), { undo });
		const { send, requests } = tries([placed, cut, refused, refused]);
		for (const number of ['1', '2', '3']) {
			const to = `+1202555010${number}`;
			await send({ ...call, body: { to } }, {}, changing);
			expect(requests.at(-1)?.body).toEqual({ to, at: 'now' });
		}
		expect(undo).toHaveBeenCalledTimes(1);
		const other = { ...call, body: { to: '+12025550104' } };
		const { error } = await send(other, {}, async () => () => undefined);
		expect([error?.httpStatus, requests.at(-1)?.body]).toEqual([422, other.body]);
	});
});

describe('An answer of which nobody can tell what it says', () => {
	test('is not the result of the next try', async () => {
		const { run, requests, again, send } = tries();
		const first = requestsOf(run, { placesCall: true });
		// Nothing was sent.
		first.setUnknown();
		await first.send(call);
		first.setUnknown();
		again();
		expect(await send()).toMatchObject({ error: { code: 'OUTCOME_UNKNOWN' } });
		expect(requests).toHaveLength(1);
	});

	test('stays what it was if it is that of an earlier try', async () => {
		const { run, again, send } = tries();
		await send();
		again();
		const next = requestsOf(run, { placesCall: true });
		await next.send(call);
		next.setUnknown();
		expect((await send()).error).toBeUndefined();
	});
});

describe('A tool that may place one call', () => {
	test.each<[string, Answers, (() => Promise<undefined>) | undefined, number]>([
		['and has placed it', [placed], undefined, 1],
		['and may have placed it', [cut, placed], undefined, 1],
		['and was refused', [refused, placed], undefined, 2],
		['and was prevented', [placed], fails, 1],
	])('%s', async (what, answers, before, sent) => {
		const { run, context, send, requests } = tries(answers);
		const tool = () => ({ budget: new CallBudget(run.caller, context, { maxCalls: 1, maxCallsPerHour: 1000 }) });
		await send(call, tool(), before);
		const { error } = await send({ ...call, body: { to: '+12025550102' } }, tool());
		const isUsed = what.endsWith('placed it');
		expect(error).toEqual(isUsed ? expect.objectContaining({ code: 'CALL_LIMIT_REACHED', accepted: 'no' }) : undefined);
		expect(requests).toHaveLength(sent);
	});
});

describe('A deletion', () => {
	test.each<[string, Answers, 'done' | number | undefined, 'done' | number | undefined]>([
		['has succeeded if its connection was cut and the object is gone then', [cut, gone], 'done', 'done'],
		['or gone in the next try', [cut, cut, cut, cut, gone], undefined, 'done'],
		['has not succeeded if it is refused in the next try', [cut, cut, cut, cut, refused], undefined, 422],
		[
			'has not succeeded if a gateway does not know the address',
			[overloaded, { status: 404, body: { message: 'no Route matched' } }],
			404,
			404,
		],
		['fails if the object was not there at first, in the next try too', [gone], 404, 404],
		[
			'that may have happened is remembered, although a later try was refused',
			[overloaded, refused, gone],
			422,
			'done',
		],
	])('%s', async (_what, answers, first, second) => {
		const { send, again } = tries(answers);
		const result = ({ value, error }: Awaited<ReturnType<typeof send>>) => (value ? 'done' : error?.httpStatus);
		expect(result(await send(deletion))).toBe(first);
		again();
		expect(result(await send(deletion))).toBe(second);
	});
});

test('Another request than a deletion has failed if the object is gone then', async () => {
	const { send } = tries([cut, gone]);
	expect((await send({ ...deletion, method: 'PUT' })).error?.httpStatus).toBe(404);
});

describe('With a credential that allows only test calls', () => {
	const connection = { ...runOf().run.connection, testCallsOnly: true };
	const unchanged = call.body;
	const marked = { ...testCall.body, context: { [TICKET_FIELD]: 'test' } };

	test.each<[string, ServiceRequest, boolean, object | undefined]>([
		['every call is a test call', call, true, marked],
		['whatever the item says', { ...call, body: { ...call.body, is_testing: false } }, true, marked],
		['also one that the request says it places', { ...call, placesCall: true }, false, marked],
		['what reads is left alone', { ...call, method: 'GET' }, true, unchanged],
		['what places no call is left alone', call, false, unchanged],
		['what says itself that it places none is left alone', { ...call, placesCall: false }, true, unchanged],
	])('%s', async (_what, request, placesCall, body) => {
		const { send, requests } = tries([placed], { connection });
		const { progress } = await send(request, { placesCall });
		expect(requests[0]!.body).toEqual(body);
		expect(progress.isTestCall).toBe(body === unchanged ? undefined : true);
	});
});

describe('With a limit of the credential', () => {
	test.each<[string, Answers, number, boolean, number, number]>([
		['a call is not sent if another node has reached it in the meantime', [placed], 0, true, 0, 0],
		['a call that is placed counts', [placed], 3, true, 1, 1],
		['a call that is refused does not count', [refused], 3, true, 1, 0],
		['a call with an unknown outcome counts', [cut], 3, true, 1, 1],
		['a request that makes no phone ring does not count', [placed], 0, false, 1, 0],
	])('%s', async (_what, answers, left, placesCall, sent, counted) => {
		let count = 0;
		const asked: boolean[] = [];
		const reached = (isTest: boolean) => (
			asked.push(isTest), count >= left ? notNow().with({ code: 'CALL_LIMIT_REACHED' }) : undefined
		);
		const limits = {
			reached,
			count: (isTest: boolean) => {
				asked.push(isTest);
				count++;
				return () => void count--;
			},
		};
		const { send, requests } = tries(answers, { limits });
		const { error } = await send(call, { placesCall });
		expect(error?.code === 'CALL_LIMIT_REACHED').toBe(sent === 0);
		expect([requests.length, count]).toEqual([sent, counted]);
		expect(new Set(asked)).toEqual(new Set(placesCall ? [false] : []));
		await send({ ...testCall, path: ['agents', 'b', 'call'] }, { placesCall });
		expect(asked.includes(true)).toBe(placesCall);
	});
});

describe('Whether an item has sent something', () => {
	test.each([
		['an answer', [placed], true],
		['a request that may have arrived', [cut], true],
		['a refusal', [refused], false],
		['no connection', [unreachable], false],
	])('after %s', async (_what, service, mayHaveActed) => {
		const { run } = runOf({ service });
		const wanted: boolean[] = [];
		const requests = requestsOf(run, { throwIfUnwanted: (begun) => void wanted.push(begun) });
		expect(requests.progress.mayHaveActed).toBe(false);
		await inFakeTime(requests.send(call));
		expect(requests.progress.mayHaveActed).toBe(mayHaveActed);
		expect(wanted[0]).toBe(false);
		await inFakeTime(requests.send({ ...call, path: ['other'] }));
		expect(wanted.at(-1)).toBe(mayHaveActed);
	});

	test('does not depend on what all items read together, even if that fails', async () => {
		const requests = requestsOf(tries().run);
		const { progress } = requests;
		const read = async () => await requests.send(get);
		const fail = async () => {
			await read();
			throw new Error('Unexpected');
		};
		expect((await requests.unsent(read)).error).toBeUndefined();
		await expect(requests.unsent(fail)).rejects.toThrow('Unexpected');
		expect(progress.mayHaveActed).toBe(false);
		await requests.send(call);
		await requests.unsent(read);
		expect(progress.mayHaveActed).toBe(true);
	});
});
