import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../../../../nodes/shared/client/request.ts';
import { connect, send } from '../../../../nodes/shared/client/transport.ts';
import { loadKeys } from '../../../../nodes/shared/keys.ts';
import { MESSAGE_HEADER, proofFor } from '../../../../nodes/shared/triggerClient/messages.ts';
import { addOutcome } from '../../../../nodes/VoiceAgentCalling/waiting/callOutcome.ts';
import { callTarget } from '../../../../nodes/VoiceAgentCalling/waiting/callTarget.ts';
import { WaitMemory } from '../../../../nodes/VoiceAgentCalling/waiting/memory.ts';
import type { AwaitedCall, CallWaitState } from '../../../../nodes/VoiceAgentCalling/waiting/wait.ts';
import { type Answer, type Answers, doubleOfN8n, type Requested } from '../../n8n.mts';
import { useFakeClock } from '../../shared/client/modelService.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

interface Given {
	callerIdField?: CallWaitState['callerIdField'];
	calls?: Array<Partial<AwaitedCall>>;
	/** The calls that are known to be over, by item. */
	over?: Record<number, string>;
	receivesAll?: boolean;
	service?: Answers;
	others?: Answers;
	stored?: IDataObject[];
}

/** A wait for calls, as a process sees it that has a request for it. */
async function waiting(given: Given = {}) {
	const { callerIdField = 'agentId', calls = [{}], over = {}, receivesAll = false, service, others } = given;
	const stored = (given.stored ?? []).map((json, item) => ({ json, pairedItem: { item } }));
	const n8n = doubleOfN8n({ service, others, expressions: { '{{ $input.all() }}': stored } });
	const state: CallWaitState = {
		run: 0,
		since: Date.now(),
		until: Date.now() + 3_600_000,
		hints: [],
		hintsAtEnd: [],
		callerIdField,
		calls: calls.map((call, item) => ({ item, id: `call-${item}`, owner: 'owner-1', webhook: 'w-1', ...call })),
	};
	const memory = new WaitMemory();
	memory.receivesAll = receivesAll;
	for (const [item, outcome] of Object.entries(over)) {
		addOutcome(memory.calls, Number(item), { outcome } as never);
	}
	const keys = await loadKeys(n8n.caller);
	const sendRequest = async (request: ServiceRequest) => await send(n8n.caller, await connect(n8n.caller), request);
	const target = callTarget({ caller: n8n.caller, state, memory, keys, sendRequest });
	const take = async (message: IDataObject | undefined) => {
		const response = await target.take(message);
		return response === undefined ? 'taken' : [n8n.response.statusCode, n8n.response.body];
	};
	return { ...n8n, ...target, target, memory, take };
}

const inDoubt = { calls: [{ voicemailWaitMs: 5000 }], over: { 0: 'completed' } };
const ended = { event: 'event_phone_call_ended', status: 'completed', call_id: 'call-0' };
const report = { event: 'event_call_report', summary: 'Reached', call_id: 'call-0' };
const detected = { event: 'event_voicemail_detected', call_id: 'call-0' };
const awaitingReport: Given = { calls: [{ artifacts: ['report'] }] };
const isLog = ({ url }: Requested) => url.endsWith('/logs');

describe('The service is asked', () => {
	test.each<[string, Given, boolean]>([
		['if another process may have received events', {}, true],
		['not if this one receives every event', { receivesAll: true }, false],
		['nor for a call that is over', { receivesAll: true, over: { 0: 'completed' } }, false],
		['after the time of a late event', { ...inDoubt, receivesAll: true }, true],
	])('%s', async (_what, given, needsPoll) => {
		expect((await waiting(given)).needsPoll()).toBe(needsPoll);
	});

	test('about nothing, if this process receives every event', async () => {
		const { poll, requests, isComplete } = await waiting({ receivesAll: true });
		expect([await poll(false), requests, isComplete()]).toEqual([true, [], false]);
	});

	test('about the calls that are not over, and the logs of those of which something is missing', async () => {
		const service: Answers = (request) => ({
			body: { data: isLog(request) ? [] : [{ id: 'call-0', status: 'busy' }] },
		});
		const open = await waiting({ service, calls: [{}, {}], over: { 1: 'busy' } });
		expect([await open.poll(false), open.isComplete(), open.requests.length]).toEqual([true, true, 1]);
		const over = await waiting({ ...awaitingReport, service, over: { 0: 'completed' } });
		expect([await over.poll(false), over.isComplete()]).toEqual([true, false]);
		expect(over.requests.map(({ url }) => url)).toEqual([
			'https://service.example/api/v1/agents/owner-1/webhooks/w-1/logs',
		]);
	});

	test('about no log while a call is not over', async () => {
		const service: Answers = () => ({ body: { data: [] } });
		const { poll, requests } = await waiting({ ...awaitingReport, service });
		expect([await poll(false), requests.filter(isLog)]).toEqual([true, []]);
	});

	test('page by page, until nothing is missing that the log of a webhook can have', async () => {
		const calls: Given['calls'] = ['w-1', 'w-2', 'w-1'].map((webhook) => ({ artifacts: ['report'], webhook }));
		const pages = [[0], [2], []].map((items) => ({
			data: items.map((item) => ({ request_payload: { ...report, call_id: `call-${item}` } })),
			pagination: { last_page: 3 },
		}));
		const service: Answers = ({ qs }) => ({ body: pages[Number(qs?.page) - 1] });
		const over = { 0: 'completed', 1: 'completed', 2: 'completed' };
		const { poll, requests, isComplete } = await waiting({ calls, over, service });
		expect([await poll(false), isComplete()]).toEqual([true, false]);
		const read = requests.map(({ url, qs }) => [url.split('/').at(-2), qs?.page]);
		expect(read).toEqual([1, 2].map((page) => ['w-1', page]).concat([1, 2, 3].map((page) => ['w-2', page])));
	});
});

describe('A late event', () => {
	test.each<[string, Given, number | undefined]>([
		['is not awaited without a call that is over', { calls: [{ voicemailWaitMs: 5000 }] }, undefined],
		['is not awaited if the trigger does not receive it', { over: { 0: 'completed' } }, undefined],
		['is not awaited after a call that failed', { ...inDoubt, over: { 0: 'failed' } }, undefined],
		['is not awaited while another call goes on', { ...inDoubt, calls: [...inDoubt.calls, {}] }, undefined],
		['may come for so long', inDoubt, 4000],
		[
			'may come as long as for the call that has the most time left',
			{
				calls: [{ voicemailWaitMs: 3000 }, { voicemailWaitMs: 9000 }, { voicemailWaitMs: 2000 }],
				over: { 0: 'completed', 1: 'completed', 2: 'completed' },
			},
			8000,
		],
		['may come for no less than no time', { ...inDoubt, calls: [{ voicemailWaitMs: 500 }] }, 0],
	])('%s', async (_what, given, ms) => {
		const { lateEventsMs } = await waiting(given);
		jest.advanceTimersByTime(1000);
		expect(lateEventsMs()).toBe(ms);
	});

	test('is awaited no longer because the clock is set back', async () => {
		const { lateEventsMs } = await waiting(inDoubt);
		jest.setSystemTime(Date.now() - 60_000);
		expect(lateEventsMs()).toBe(5000);
	});

	test('is not awaited after its time, or the time of the wait', async () => {
		const service: Answers = () => ({ body: { data: [] } });
		for (const receivesAll of [true, false]) {
			const { poll, isComplete, requests, lateEventsMs } = await waiting({ ...inDoubt, receivesAll, service });
			expect([await poll(false), isComplete()]).toEqual([true, false]);
			// It is asked about the log of a call whose time is over.
			expect(requests).toEqual([]);
			jest.advanceTimersByTime(5000);
			expect([await poll(false), isComplete(), lateEventsMs()]).toEqual([true, true, undefined]);
			expect(requests.map(isLog)).toEqual([true]);
			const atTheEnd = await waiting({ ...inDoubt, receivesAll, service });
			expect([await atTheEnd.poll(true), atTheEnd.isComplete()]).toEqual([true, true]);
		}
	});
});

test('If the service cannot be asked for the calls and their log, at the end the log says so for each, and nothing fails', async () => {
	const { poll, logs } = await waiting({ ...awaitingReport, service: [{ status: 500 }] });
	expect(await poll(true)).toBe(true);
	expect(logs.map(({ text }) => /about (.*?):/.exec(text)?.[1])).toEqual(['its calls', 'what it has delivered']);
});

describe('A message', () => {
	test('without a proof, for no call, or without an event is refused', async () => {
		const { take, memory } = await waiting();
		expect(await take(undefined)).toEqual([401, 'Unauthorized']);
		const refused = [409, 'This call is not awaited'];
		expect([await take({ item: 1, event: ended }), await take({ item: 0, event: 'x' })]).toEqual([refused, refused]);
		expect(memory.calls.outcomes.size).toBe(0);
	});

	test('is taken, whatever it says, after the execution was resumed', async () => {
		const { take, memory } = await waiting();
		memory.resumed = true;
		expect([await take({ item: 9, event: ended }), memory.calls.outcomes.size]).toEqual(['taken', 0]);
	});

	test.each<[string, Given, unknown]>([
		['needs nothing more while something else is missing', awaitingReport, [200, 'OK']],
		['is looked at if only the end of another call is not known', { calls: [{}, {}] }, 'taken'],
		['completes the wait', {}, 'taken'],
	])('that is a copy %s', async (_what, given, expected) => {
		const { take, messages, memory } = await waiting(given);
		expect([await take({ item: 0, event: ended, isCopy: true }), messages]).toEqual([expected, []]);
		expect(memory.calls.outcomes.get(0)?.outcome).toBe('completed');
	});

	test('names the kind of an event that does not', async () => {
		const { take, isComplete } = await waiting();
		const { event: kind, ...unnamed } = ended;
		expect([await take({ item: 0, type: kind, event: unnamed }), isComplete()]).toEqual(['taken', true]);
	});
});

describe('A report, which the service does not list,', () => {
	/** Answers of other processes: each has a status and a body, and whether it is proven. */
	const processes =
		(...replies: Array<[status: number, body: unknown, isProven?: boolean]>) =>
		async ({ headers }: Requested): Promise<Answer> => {
			const [status, body, isProven = true] = replies.length > 1 ? replies.shift()! : replies[0];
			const { messages } = await loadKeys(doubleOfN8n().caller);
			const proof = proofFor(messages, headers?.[MESSAGE_HEADER] ?? '');
			return { status, body, headers: isProven ? { [MESSAGE_HEADER]: proof } : {} };
		};
	const noted = [200, 'OK'] as const;

	test('is sent to four of the processes, as a copy', async () => {
		const { take, messages } = await waiting({ ...awaitingReport, others: processes([...noted]) });
		expect(await take({ item: 0, event: report, run: 0 })).toBe('taken');
		const url = 'https://n8n.example/webhook-waiting/77/node-1?signature=s';
		expect(messages.map(({ url, body }) => [url, JSON.parse(String(body))])).toMatchObject(
			Array.from({ length: 4 }, () => [url, { item: 0, event: report, run: 0, isCopy: true }]),
		);
	});

	test.each<[string, Parameters<typeof processes>, unknown]>([
		['one of them has resumed the execution', [[...noted], [...noted], [200, {}], [...noted]], [200, 'OK']],
		['none has', [[...noted]], 'taken'],
		['who answers is none of them', [[200, {}, false]], 'taken'],
		['the execution is gone', [[409, {}]], 'taken'],
		['there was a redirect', [[300, {}]], 'taken'],
	])('needs nothing more if %s: %j', async (_what, replies, expected) => {
		const { take } = await waiting({ ...awaitingReport, others: processes(...replies) });
		expect(await take({ item: 0, event: report })).toEqual(expected);
	});

	test.each<[string, Given, IDataObject]>([
		['it completes the wait', { ...awaitingReport, over: { 0: 'completed' } }, report],
		['this process receives every event', { ...awaitingReport, receivesAll: true }, report],
		['it is none', awaitingReport, ended],
		['it is that of a machine', awaitingReport, detected],
	])('is not sent if %s', async (_what, given, event) => {
		const { take, messages } = await waiting({ ...given, others: processes([200, {}]) });
		expect([await take({ item: 0, event }), messages]).toEqual(['taken', []]);
	});
});
