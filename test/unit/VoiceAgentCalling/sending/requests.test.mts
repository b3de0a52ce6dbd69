import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import type { ServiceRequest } from '../../../../nodes/shared/service/request.ts';
import { CallBudget } from '../../../../nodes/VoiceAgentCalling/sending/callBudget.ts';
import type { Run } from '../../../../nodes/VoiceAgentCalling/sending/run.ts';
import { SentRequests } from '../../../../nodes/VoiceAgentCalling/sending/sentRequests.ts';
import { cut, unreachable } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from './modelService.mts';
import { requestsOf, runOf } from './run.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const call: ServiceRequest = { method: 'POST', path: ['agents', 'a', 'call'], body: { to: '+12025550101' } };
const deletion: ServiceRequest = { method: 'DELETE', path: ['calendars', 'c'] };
const placed = { status: 201, body: { success: true, data: { id: 'call-1', status: 'initiated' } } };
const gone = { status: 404, body: { success: false, message: 'Not found' } };
const refused = { status: 422, body: { message: 'The number is wrong' } };
const overloaded = { status: 503, body: { message: 'Later' } };

/** The next try of a run: a new run of the node with the stored context of an earlier one. */
const nextTry = (run: { sent: SentRequests }, context: IDataObject) => {
	run.sent = new SentRequests(JSON.parse(JSON.stringify(context)) as IDataObject, 0);
};

describe('Whether a call is a test call', () => {
	const testCall = { ...call, body: { ...call.body, is_testing: true } };
	const get: ServiceRequest = { method: 'GET', path: ['agents', 'a', 'call'] };

	test.each([
		['a test call', testCall, { placesCall: true }, true],
		['a real call', call, { placesCall: true }, false],
		['a call of an operation that places calls by some requests only', { ...testCall, placesCall: true }, {}, true],
		['no call', testCall, {}, undefined],
		['something that is read', get, { placesCall: true }, undefined],
	])('is known of %s', async (_what, request, options, isTest) => {
		const { run } = runOf({ service: [placed] });
		const requests = requestsOf(run, options);
		expect(requests.progress.isTestCall).toBeUndefined();
		await requests.send(request);
		expect(requests.progress.isTestCall).toBe(isTest);
	});

	test('stays known while something else is read', async () => {
		const { run } = runOf({ service: [placed] });
		const requests = requestsOf(run, { placesCall: true });
		await requests.send(testCall, async () => void (await requests.send(get)));
		await requests.send(get);
		expect(requests.progress.isTestCall).toBe(true);
	});

	test('follows the credential that allows only test calls', async () => {
		const { run } = runOf({ service: [placed] });
		run.connection = { ...run.connection, testCallsOnly: true };
		const requests = requestsOf(run, { placesCall: true });
		await requests.send(call);
		expect(requests.progress.isTestCall).toBe(true);
	});

	test.each([
		['was answered', placed],
		['was never answered', cut],
	])('is what the earlier try sent, if it %s, whatever this one would send', async (_what, answer) => {
		const { run, context } = runOf({ service: [answer] });
		await requestsOf(run, { placesCall: true }).send(testCall);
		nextTry(run, context);
		const second = requestsOf(run, { placesCall: true });
		await second.send(call);
		expect([second.progress.answeredFromMemory, second.progress.isTestCall]).toEqual([true, true]);
	});
});

describe('A request that must not happen twice', () => {
	test.each([
		['POST', 1],
		['PATCH', 1],
		['GET', 2],
		['PUT', 2],
		['DELETE', 2],
	] as const)('is a %s by its method, so that it is sent %i times if the connection is cut', async (method, times) => {
		const { run, requests } = runOf({ service: [cut, placed] });
		await inFakeTime(requestsOf(run).send({ method, path: ['calendars', 'c'] }));
		expect(requests).toHaveLength(times);
	});

	test.each([
		['the operation', { repeat: 'safe' as const }, call, 2],
		['the operation', { repeat: 'never' as const }, { ...call, method: 'GET' as const }, 1],
		['the request, before the operation', { repeat: 'safe' as const }, { ...call, repeat: 'never' as const }, 1],
		['the request, before the operation', { repeat: 'never' as const }, { ...call, repeat: 'safe' as const }, 2],
	])('can be told by %s: %j', async (_who, options, request, times) => {
		const { run, requests } = runOf({ service: [cut, placed] });
		await inFakeTime(requestsOf(run, options).send(request));
		expect(requests).toHaveLength(times);
	});

	test('has an unknown outcome when its connection is cut, which says whether a phone may ring', async () => {
		const { run } = runOf({ service: [cut] });
		const { error } = await requestsOf(run, { placesCall: true }).send(call);
		expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', accepted: 'unknown' });
		expect(error?.advice).toContain('The phone may be ringing');
		const other = await requestsOf(run, { placesCall: false }).send({ ...call, path: ['campaigns'] });
		expect(other.error?.advice).not.toContain('phone');
		expect(other.error?.message).toContain('The connection to the service was closed');
	});

	test('is not sent in the next try if it was answered: that answer is the result', async () => {
		const { run, requests, context } = runOf({ service: [placed] });
		const first = requestsOf(run);
		expect((await first.send(call)).value).toMatchObject({ data: { id: 'call-1', status: 'initiated' } });
		expect(first.progress.answeredFromMemory).toBe(false);
		nextTry(run, context);
		const second = requestsOf(run);
		expect(await second.send(call)).toEqual({ value: { success: true, data: { id: 'call-1' } } });
		expect(second.progress.answeredFromMemory).toBe(true);
		expect(requests).toHaveLength(1);
	});

	test('is not sent in the next try if it was never answered', async () => {
		const { run, requests, context } = runOf({ service: [cut, placed] });
		await requestsOf(run).send(call);
		nextTry(run, context);
		const { error } = await requestsOf(run, { placesCall: true }).send(call);
		expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', accepted: 'unknown' });
		expect(error?.message).toContain('has sent the request before');
		expect(error?.advice).toContain('The phone may be ringing');
		expect(requests).toHaveLength(1);
	});

	test('is already remembered while it is on its way, for a process that ends there', async () => {
		const { run, context } = runOf({
			service: () => {
				const stored = new SentRequests(JSON.parse(JSON.stringify(context)) as IDataObject, 0);
				expect(stored.recall(SentRequests.key(0, call))).toBeDefined();
				return placed;
			},
		});
		expect((await requestsOf(run).send(call)).error).toBeUndefined();
	});

	test.each([
		['the service refused it', refused],
		['nothing listens', unreachable],
	])('is sent in the next try if it certainly did not happen: %s', async (_what, answer) => {
		const { run, context, requests } = runOf({ service: async () => (requests.length < 5 ? answer : placed) });
		const { error } = await inFakeTime(requestsOf(run).send(call));
		expect(error).toMatchObject({ accepted: 'no' });
		const before = requests.length;
		nextTry(run, context);
		const second = requestsOf(run);
		await inFakeTime(second.send(call));
		expect(requests.length).toBeGreaterThan(before);
		expect(second.progress.answeredFromMemory).toBe(false);
	});

	test('of another item is another request', async () => {
		const { run, requests } = runOf({ service: [placed] });
		await requestsOf(run, { itemIndex: 0 }).send(call);
		await requestsOf(run, { itemIndex: 1 }).send(call);
		expect(requests).toHaveLength(2);
	});
});

describe('A refusal that is the result of an item', () => {
	const conflict = new ServiceError('Already queued', {
		code: 'CONFLICT',
		advice: '',
		httpStatus: 409,
		accepted: 'no',
		body: { message: 'Already queued', data: { call_id: 'call-1', to: '+12025550101' } },
	});

	test('is returned again in the next try, with the IDs of its body, and nothing is sent', async () => {
		const { run, requests, context } = runOf({ service: [placed] });
		requestsOf(run).settle(call, conflict);
		nextTry(run, context);
		const { error } = await requestsOf(run).send(call);
		expect(error).toMatchObject({
			code: 'CONFLICT',
			httpStatus: 409,
			accepted: 'no',
			body: { data: { call_id: 'call-1' } },
		});
		expect(requests).toHaveLength(0);
	});

	test.each([
		['an HTTP status', { httpStatus: undefined }],
		['a JSON body', { body: 'Conflict' }],
	])('is not stored without %s', async (_what, changes) => {
		const { run, requests } = runOf({ service: [placed] });
		requestsOf(run).settle(call, conflict.with(changes));
		await requestsOf(run).send(call);
		expect(requests).toHaveLength(1);
	});
});

describe('What has to succeed before a call', () => {
	test('is done once, before it is sent', async () => {
		const { run, requests } = runOf({ service: [placed] });
		const before = jest.fn(async () => expect(requests).toHaveLength(0));
		await requestsOf(run).send(call, before);
		expect(before).toHaveBeenCalledTimes(1);
		expect(requests).toHaveLength(1);
	});

	test.each(['no', 'unknown'] as const)(
		'prevents the call if it fails (%s): the call was not sent',
		async (accepted) => {
			const { run, requests } = runOf({ service: [placed] });
			const failure = new ServiceError('Not now', { code: 'CONFLICT', advice: 'Wait.', accepted });
			const { error } = await requestsOf(run).send(call, async () => await Promise.reject(failure));
			expect(error).toMatchObject({ code: 'CONFLICT', message: 'Not now', accepted: 'no' });
			expect(requests).toHaveLength(0);
			expect(run.sent.recall(SentRequests.key(0, call))).toBeUndefined();
		},
	);

	test('is not done if an earlier try has placed the call', async () => {
		const { run, context } = runOf({ service: [placed] });
		await requestsOf(run).send(call);
		nextTry(run, context);
		const before = jest.fn(async () => undefined);
		await requestsOf(run).send(call, before);
		expect(before).not.toHaveBeenCalled();
	});
});

describe('A tool that may place one call', () => {
	const onlyOne = (run: Run, context: IDataObject) => ({
		budget: new CallBudget(run.caller, context, { maxCalls: 1, maxCallsPerHour: 1000 }),
		placesCall: true,
	});
	const to = (number: string) => ({ ...call, body: { to: number } });

	test('places one', async () => {
		const { run, requests, context } = runOf({ service: [placed] });
		expect((await requestsOf(run, onlyOne(run, context)).send(to('+12025550101'))).error).toBeUndefined();
		const { error } = await requestsOf(run, onlyOne(run, context)).send(to('+12025550102'));
		expect(error).toMatchObject({ code: 'CALL_LIMIT_REACHED', accepted: 'no' });
		expect(requests).toHaveLength(1);
	});

	test.each([
		['may have been placed', cut, 1],
		['was refused', refused, 2],
	])('and that counts if it %s', async (_what, answer, sent) => {
		const { run, requests, context } = runOf({ service: [answer, placed] });
		await requestsOf(run, onlyOne(run, context)).send(to('+12025550101'));
		await requestsOf(run, onlyOne(run, context)).send(to('+12025550102'));
		expect(requests).toHaveLength(sent);
	});

	test('does not use it up for a call that something prevented', async () => {
		const { run, requests, context } = runOf({ service: [placed] });
		const failure = new ServiceError('Not now', { code: 'CONFLICT', advice: '', accepted: 'no' });
		await requestsOf(run, onlyOne(run, context)).send(call, async () => await Promise.reject(failure));
		await requestsOf(run, onlyOne(run, context)).send(call);
		expect(requests).toHaveLength(1);
	});
});

describe('A deletion', () => {
	test('has succeeded if its connection was cut and the object is gone then', async () => {
		const { run } = runOf({ service: [cut, gone] });
		expect(await inFakeTime(requestsOf(run).send(deletion))).toEqual({ value: {} });
	});

	test('has succeeded if an earlier try was not answered and the object is gone now', async () => {
		const { run, context } = runOf({ service: [cut, cut, cut, cut, gone] });
		expect((await inFakeTime(requestsOf(run).send(deletion))).error).toBeDefined();
		nextTry(run, context);
		expect(await requestsOf(run).send(deletion)).toEqual({ value: {} });
	});

	test('has not succeeded if an earlier try was not answered and it is refused now', async () => {
		const { run, context } = runOf({ service: [cut, cut, cut, cut, refused] });
		await inFakeTime(requestsOf(run).send(deletion));
		nextTry(run, context);
		expect((await requestsOf(run).send(deletion)).error).toMatchObject({ httpStatus: 422 });
	});

	test('has not succeeded if a gateway does not know the address', async () => {
		const { run } = runOf({ service: [overloaded, { status: 404, body: { message: 'no Route matched' } }] });
		expect((await inFakeTime(requestsOf(run).send(deletion))).error).toMatchObject({ httpStatus: 404 });
	});

	test('fails if the object was not there at first, in the next try too', async () => {
		const { run, context } = runOf({ service: [gone] });
		expect((await requestsOf(run).send(deletion)).error).toMatchObject({ httpStatus: 404 });
		nextTry(run, context);
		expect((await requestsOf(run).send(deletion)).error).toMatchObject({ httpStatus: 404 });
	});

	test('that may have happened is remembered, although a later try was refused', async () => {
		const { run, context } = runOf({ service: [overloaded, refused, gone] });
		await inFakeTime(requestsOf(run).send(deletion));
		nextTry(run, context);
		expect(await requestsOf(run).send(deletion)).toEqual({ value: {} });
	});
});

describe('With a credential that allows only test calls', () => {
	const testCallsOnly = (service: Parameters<typeof runOf>[0]) => {
		const made = runOf(service);
		made.run.connection.testCallsOnly = true;
		return made;
	};

	test('every call is a test call, whatever the item says', async () => {
		const { run, requests } = testCallsOnly({ service: [placed] });
		await requestsOf(run, { placesCall: true }).send({ ...call, body: { to: '+12025550101', is_testing: false } });
		expect(requests[0].body).toEqual({ to: '+12025550101', is_testing: true });
	});

	test.each([
		['that reads', { ...call, method: 'GET' as const }, true],
		['that places no call', call, false],
		['that says itself that it places none', { ...call, placesCall: false }, true],
	])('a request %s is left alone', async (_what, request, placesCall) => {
		const { run, requests } = testCallsOnly({ service: [placed] });
		await requestsOf(run, { placesCall }).send(request);
		expect(requests[0].body).toEqual(call.body);
	});

	test('a request that says itself that it places a call is a test call', async () => {
		const { run, requests } = testCallsOnly({ service: [placed] });
		await requestsOf(run).send({ ...call, placesCall: true });
		expect(requests[0].body).toMatchObject({ is_testing: true });
	});

	test('with any other credential, calls are real', async () => {
		const { run, requests } = runOf({ service: [placed] });
		await requestsOf(run, { placesCall: true }).send(call);
		expect(requests[0].body).toEqual(call.body);
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
		const { run } = runOf({ service: [placed] });
		const requests = requestsOf(run);
		const read = async () => await requests.send({ method: 'GET', path: ['agents', 'a'] });
		expect((await requests.unsent(read)).error).toBeUndefined();
		expect(requests.progress.mayHaveActed).toBe(false);
		const failing = requests.unsent(async () => {
			await read();
			throw new Error('Unexpected');
		});
		await expect(failing).rejects.toThrow('Unexpected');
		expect(requests.progress.mayHaveActed).toBe(false);
		await requests.send(call);
		await requests.unsent(read);
		expect(requests.progress.mayHaveActed).toBe(true);
	});
});
