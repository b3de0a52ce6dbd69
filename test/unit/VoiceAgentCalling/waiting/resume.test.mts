import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { loadKeys } from '../../../../nodes/shared/nodeLink/keys.ts';
import { MESSAGE_HEADER, proofFor } from '../../../../nodes/shared/nodeLink/messages.ts';
import { memoryOf } from '../../../../nodes/VoiceAgentCalling/waiting/memory.ts';
import { resumeWaiting } from '../../../../nodes/VoiceAgentCalling/waiting/resume.ts';
import { type CallWaitState, storeState } from '../../../../nodes/VoiceAgentCalling/waiting/state.ts';
import { type Answer, type Answers, cut, doubleOfN8n, type Requested } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from '../sending/modelService.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const MINUTE = 60_000;
const ended = (more: IDataObject = {}): IDataObject => ({
	event: 'event_phone_call_ended',
	status: 'completed',
	...more,
});
const calls = [0, 1].map((item) => ({ item, id: `call-${item}`, owner: 'agent-1' }));

interface Waiting {
	state?: Partial<CallWaitState>;
	service?: Answers;
	/** Whether the wait began in this process. */
	complete?: boolean;
	/** The items as they were stored; one for each call by default. */
	items?: IDataObject[];
}

let count = 0;
/** An execution that waits for two calls of an agent, in a node that no other test has. */
function waiting({ state, service = [{ body: { data: [] } }], complete = true, items }: Waiting = {}) {
	const nodeId = `node-${(count += 1)}`;
	const ofCalls = (state?.calls ?? calls).map(({ id }) => ({
		json: { id, status: 'initiated', outcome: 'timedOut' },
		pairedItem: 0,
	}));
	const options = {
		service,
		nodeId,
		expressions: { '{{ $input.all() }}': items?.map((json) => ({ json })) ?? ofCalls },
	};
	const since = Date.now();
	const whole: CallWaitState = {
		run: 0,
		since,
		until: since + 60 * MINUTE,
		callerIdField: 'agentId',
		calls,
		...state,
	};
	const first = doubleOfN8n(options);
	storeState(first.caller, whole);
	const memory = memoryOf({ execution: '77', node: nodeId, run: 0 });
	memory.receivesAll = complete;
	const requests: Requested[] = [];

	/** Sends a message to the node that waits. */
	async function send(message: IDataObject, { token, at = Date.now() }: { token?: string; at?: number } = {}) {
		const keys = await loadKeys(doubleOfN8n({ token }).caller);
		const rawBody = Buffer.from(JSON.stringify({ execution: '77', node: nodeId, run: 0, ...message, at }));
		const signature = createHmac('sha256', keys.messages).update(rawBody).digest('hex');
		const n8n = doubleOfN8n({ ...options, incoming: { rawBody, headers: { [MESSAGE_HEADER]: signature } } });
		Object.assign(n8n.context, first.context);
		const result = await inFakeTime(resumeWaiting(n8n.caller));
		requests.push(...n8n.requests);
		return {
			...n8n,
			status: n8n.response.statusCode,
			body: n8n.response.body,
			isProven: n8n.response.headers[MESSAGE_HEADER] === proofFor(keys.messages, signature),
			output: result.workflowData?.[0]?.map(({ json }) => json),
			result,
		};
	}
	return { ...first, send, requests, memory };
}

const listed = (...found: IDataObject[]): Answer => ({ body: { data: found } });

describe('An execution that waits for two calls', () => {
	test('goes on when both have ended, with each outcome at its call', async () => {
		const { send } = waiting();
		const first = await send({ item: 1, event: ended({ duration: 9 }) });
		expect([first.output, first.status, first.body]).toEqual([undefined, 200, 'OK']);
		expect(first.isProven).toBe(true);
		const { output, result } = await send({
			item: 0,
			event: ended({ event: 'event_phone_call_error', status: 'failed' }),
		});
		expect(output).toMatchObject([
			{ id: 'call-0', outcome: 'failed', status: 'failed' },
			{ id: 'call-1', outcome: 'completed', duration: 9 },
		]);
		expect(result.workflowData?.[0]?.[0]).toMatchObject({ pairedItem: 0 });
	});

	test('gives the outcome of a call to the items that share it, and none to an item of the error output', async () => {
		const error = { result: 'failed' };
		const placed = { id: 'call-0', result: 'placed', outcome: 'timedOut' };
		const items = [
			// The service may have a field with the name of the node's.
			{ ...placed, sameNumberAsItem: 'x' },
			{ error },
			{ ...placed, result: 'sameNumber', sameNumberAsItem: 0 },
			{ id: 'call-9', result: 'alreadyQueued' },
		];
		const { send } = waiting({ state: { calls: calls.slice(0, 1) }, items });
		const { output } = await send({ item: 0, event: ended({ status: 'busy' }) });
		expect(output).toMatchObject([{ outcome: 'busy' }, { error }, { outcome: 'busy', sameNumberAsItem: 0 }, items[3]]);
		expect(output?.map((item) => 'outcome' in item)).toEqual([true, false, true, false]);
	});

	test('goes on when both have ended, also if the events name their calls', async () => {
		const { send, requests } = waiting();
		expect((await send({ item: 1, event: ended({ call_id: 'call-1' }) })).status).toBe(200);
		expect((await send({ item: 0, event: ended({ call_id: 'call-0' }) })).output).toHaveLength(2);
		expect(requests).toEqual([]);
	});

	test('leaves the event of a call that it does not await to the trigger, as after an unknown outcome', async () => {
		const { send, requests } = waiting();
		const { status, output, isProven } = await send({ item: 7, event: ended({ call_id: 'call-7' }) });
		expect([status, output, isProven, requests]).toEqual([409, undefined, true, []]);
	});

	test('goes on once: a repeated message is answered, and starts nothing', async () => {
		const { send } = waiting();
		await send({ item: 0, event: ended() });
		const last = await send({ item: 1, event: ended() });
		const repeated = await send({ item: 1, event: ended() });
		expect([repeated.output, repeated.status, repeated.body, repeated.isProven]).toEqual([undefined, 200, 'OK', true]);
		last.response.end(200);
		expect((await send({ item: 1, event: ended() })).output).toBeUndefined();
	});

	test('can go on again if n8n could not, since the sender repeats the message then', async () => {
		const { send } = waiting();
		await send({ item: 0, event: ended() });
		(await send({ item: 1, event: ended() })).response.end(500);
		expect((await send({ item: 1, event: ended() })).output).toHaveLength(2);
	});

	test('keeps nothing in memory after it went on', async () => {
		const { send, memory } = waiting();
		await send({ item: 0, event: ended() });
		expect(memory.calls.outcomes.size).toBe(1);
		const last = await send({ item: 1, event: ended() });
		expect(memory.calls.outcomes.size).toBe(2);
		last.response.end(499);
		expect([memory.calls.outcomes.size, memory.resumed]).toEqual([0, true]);
	});

	test('does not ask the service while all messages came to this process', async () => {
		const { send, requests } = waiting();
		await send({ item: 0, event: ended() });
		expect(requests).toEqual([]);
	});
});

describe('A message is refused', () => {
	test.each([
		['of another credential', { token: 'OTHER' }],
		['that is older than five minutes', { at: Date.UTC(2026, 10, 21, 5) }],
	])('%s: with 401, and without a proof', async (_what, sent) => {
		const { send } = waiting();
		const { status, body, output, response } = await send({ item: 0, event: ended() }, sent);
		expect([status, body, output, response.headers]).toEqual([401, 'Unauthorized', undefined, {}]);
	});

	test.each([{ execution: '78' }, { node: 'other' }, { run: 1 }])(
		'for another wait: %j, with 409 and a proof',
		async (other) => {
			const { send, memory } = waiting();
			const { status, output, isProven } = await send({ item: 0, event: ended(), ...other });
			expect([status, output, isProven, memory.calls.outcomes.size]).toEqual([409, undefined, true, 0]);
		},
	);

	test('when nothing waits', async () => {
		const { send, context } = waiting();
		for (const stored of [{}, { waiting: 'no' }]) {
			delete context.waiting;
			Object.assign(context, stored);
			expect((await send({ item: 0, event: ended() })).status).toBe(409);
		}
	});

	test('with 503 if something unexpected happens, which only the log says', async () => {
		const { caller, logs, response } = doubleOfN8n();
		caller.getCredentials = async () => await Promise.reject(new Error('no database'));
		expect(await resumeWaiting(caller)).toEqual({ noWebhookResponse: true });
		expect([response.statusCode, response.body]).toEqual([503, 'Try again']);
		expect(logs).toEqual([{ level: 'warn', text: expect.stringMatching(/"Calls".*no database/) }]);
	});
});

describe('After a restart, or with several processes', () => {
	test('the service is asked for the other calls, and the execution goes on if they are over', async () => {
		const { send, requests } = waiting({ complete: false, service: [listed({ id: 'call-1', status: 'busy' })] });
		const { output } = await send({ item: 0, event: ended() });
		expect(output).toMatchObject([{ outcome: 'completed' }, { outcome: 'busy' }]);
		expect(requests).toMatchObject([
			{ method: 'GET', url: 'https://service.example/api/v1/agents/agent-1/calls', timeout: 15_000 },
		]);
	});

	test('the execution waits on if they are not over', async () => {
		const { send } = waiting({ complete: false, service: [listed({ id: 'call-1', status: 'ringing' })] });
		const { output, status } = await send({ item: 0, event: ended() });
		expect([output, status]).toEqual([undefined, 200]);
	});

	test('the message has to come again if the service does not answer: it may be the last one', async () => {
		const answers: Answer[] = [{ status: 503, body: { message: 'Later' } }, listed({ id: 'call-1', status: 'busy' })];
		const { send } = waiting({ complete: false, service: answers });
		const { output, status, logs } = await send({ item: 0, event: ended() });
		expect([output, status]).toEqual([undefined, 503]);
		expect(logs).toEqual([
			{ level: 'warn', text: expect.stringContaining('"Calls" could not look at what it waits for') },
		]);
	});

	test('two messages at the same time ask the service once, and the execution goes on once', async () => {
		const service: Answers = async () => {
			await new Promise((resolve) => setImmediate(resolve));
			return listed({ id: 'call-2', status: 'busy' });
		};
		const three = [...calls, { item: 2, id: 'call-2', owner: 'agent-1' }];
		const { send, requests } = waiting({ complete: false, service, state: { calls: three } });
		const both = await Promise.all(calls.map(async ({ item }) => await send({ item, event: ended() })));
		expect(both.filter(({ output }) => output).length).toBe(1);
		expect(requests).toHaveLength(1);
	});

	test('a later message asks again', async () => {
		const { send, requests } = waiting({ complete: false });
		await send({ item: 0, event: ended() });
		await send({ item: 0, event: ended() });
		expect(requests).toHaveLength(2);
	});

	test.each([
		['a completed call does not count', 'completed', undefined],
		['a call that failed has none', 'failed', 2],
	])('while a report is awaited, %s', async (_what, status, items) => {
		const service = [listed({ id: 'call-1', status })];
		const { send } = waiting({
			complete: false,
			service,
			state: { calls: [calls[0], { ...calls[1], artifacts: ['recording'] }] },
		});
		expect((await send({ item: 0, event: ended() })).output?.length).toBe(items);
	});
});

describe('When the time is up', () => {
	const timeUp = { timeUp: true };

	test('the execution goes on with the outcomes that have arrived, and what the service knows', async () => {
		const service = [listed({ id: 'call-1', status: 'completed' })];
		const { send } = waiting({ service });
		expect((await send(timeUp)).output).toMatchObject([
			{ id: 'call-0', outcome: 'timedOut' },
			{ outcome: 'completed' },
		]);
	});

	test('a single call gets the outcome that the service knows', async () => {
		const { send } = waiting({
			service: [listed({ id: 'call-0', status: 'busy' })],
			state: { calls: calls.slice(0, 1) },
		});
		expect((await send(timeUp)).output).toEqual([{ id: 'call-0', status: 'busy', outcome: 'busy' }]);
	});

	test.each([true, false])(
		'it goes on even if the service does not answer (all messages came here: %j)',
		async (complete) => {
			const { send, requests } = waiting({ service: [cut], complete });
			const { output } = await send(timeUp);
			expect(output).toEqual([
				{ id: 'call-0', status: 'initiated', outcome: 'timedOut' },
				{ id: 'call-1', status: 'initiated', outcome: 'timedOut' },
			]);
			expect(requests).toHaveLength(1);
		},
	);

	test('only true says so', async () => {
		expect((await waiting().send({ timeUp: 'true' })).output).toBeUndefined();
	});
});
