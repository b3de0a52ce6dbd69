import type { IDataObject } from 'n8n-workflow';

import { readEvent, type ServiceEvent } from '../../../../nodes/shared/events/event.ts';
import { loadKeys } from '../../../../nodes/shared/keys.ts';
import { BoundedMap } from '../../../../nodes/shared/lib/collections.ts';
import { MESSAGE_HEADER, proofFor, readMessage } from '../../../../nodes/shared/triggerClient/messages.ts';
import { CONTEXT_FIELD, type ResumeToken, seal } from '../../../../nodes/shared/triggerSecrets/resumeToken.ts';
import { identify } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/deliveryOnce.ts';
import { resumeAwaited } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/resumeAwaited.ts';
import { type Answer, cut, doubleOfN8n, type Requested } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from '../../shared/client/modelService.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const n8n = doubleOfN8n();
const { caller } = n8n;
const kind = 'campaign_call.completed';

let count = 0;
/** A sealed resume token of an execution that no other test has. */
async function resumeToken(changes: Partial<ResumeToken> = {}, token?: string): Promise<string> {
	const { resumeTokens } = await loadKeys(doubleOfN8n({ token }).caller);
	const url = `https://n8n.example/webhook-waiting/${(count += 1)}/node`;
	return seal(resumeTokens, { url, execution: '77', node: 'node', run: 2, item: 5, eventTypes: [kind], ...changes });
}

/** An event with a resume token in its context. */
const eventWith = (sealed: unknown, event: string) =>
	readEvent({ event, status: 'completed', context: { [CONTEXT_FIELD]: sealed } } as IDataObject);

/** Hands an event over, as a trigger does. */
async function handOver({ caller: by }: Pick<typeof n8n, 'caller'>, event: ServiceEvent, node = 'trigger') {
	const arrival = { event, bytes: JSON.stringify(event.body), headerIds: [] };
	return await resumeAwaited(by, node, identify(arrival, { ownerType: 'campaign', ownerId: 'c-1' }));
}

/** Hands an event over. @returns the result, the messages that were sent, the milliseconds taken, and the logs */
async function handed(
	sealed: unknown,
	answers: Answer[] | ((request: Requested) => Promise<Answer>),
	event = kind,
	node = 'trigger',
) {
	const other = doubleOfN8n({ others: answers });
	const start = Date.now();
	const result = await inFakeTime(handOver(other, eventWith(sealed, event), node));
	return { result, messages: other.messages, took: Date.now() - start, logs: other.logs };
}

/** The reply of the node that waits. */
const proven = (status: number) => async (request: Requested) => {
	const { messages } = await loadKeys(caller);
	return { status, headers: { [MESSAGE_HEADER]: proofFor(messages, request.headers?.[MESSAGE_HEADER] ?? '') } };
};
/** A reply of n8n itself, or of what is before it. */
const plain = (status: number, body: unknown = {}) => ({ status, body });

describe('The event that ends a wait', () => {
	test('is sent to the address of the resume token, with what identifies the wait', async () => {
		const { result, messages, logs } = await handed(await resumeToken(), proven(200));
		expect(result).toBe('resumed');
		expect(logs).toEqual([]);
		const [{ method, url, body, headers }] = messages;
		expect([method, url]).toEqual(['POST', `https://n8n.example/webhook-waiting/${count}/node`]);
		const keys = await loadKeys(caller);
		const sent = readMessage(keys.messages, Buffer.from(String(body)), headers?.[MESSAGE_HEADER]);
		const event = { event: kind, status: 'completed', context: {} };
		// The service waits 30 seconds for the response.
		expect(sent).toMatchObject({ execution: '77', node: 'node', run: 2, item: 5, event, type: kind });
	});

	test('is sent once, if several triggers receive it; another kind is another event', async () => {
		const sealed = await resumeToken({ eventTypes: [kind, 'campaign_call.failed'] });
		await handed(sealed, proven(200));
		const again = await handed(sealed, proven(200));
		expect([again.result, again.messages.length]).toEqual(['resumed', 0]);
		expect((await handed(sealed, proven(200), 'campaign_call.failed')).messages).toHaveLength(1);
	});

	test('is not kept in memory after that, however large it is and whether or not it has a time', async () => {
		const set = jest.spyOn(BoundedMap.prototype, 'set');
		for (const timestamp of [undefined, '2026-03-02T09:30:00Z']) {
			const context = { [CONTEXT_FIELD]: await resumeToken() };
			const large = { event: kind, timestamp, transcript: 'x'.repeat(1_000_000), context } as IDataObject;
			expect(await inFakeTime(handOver(doubleOfN8n({ others: proven(200) }), readEvent(large)))).toBe('resumed');
		}
		const kept = set.mock.calls.map(([key]) => key.length);
		set.mockRestore();
		expect(kept.length).toBeGreaterThan(0);
		expect(kept.filter((length) => length > 1000)).toEqual([]);
	});

	const elsewhere = 'https://other.example/webhook-waiting/1';
	test.each<[string, () => Promise<unknown>]>([
		['no resume token', async () => undefined],
		['a value that nobody sealed', async () => 'x'.repeat(200)],
		['a resume token of another credential', async () => await resumeToken({}, 'OTHER')],
		['a resume token for other kinds', async () => await resumeToken({ eventTypes: ['event_call_report'] })],
		['a resume token with an address elsewhere', async () => await resumeToken({ url: elsewhere })],
		[
			'a resume token with another address here',
			async () => await resumeToken({ url: 'https://n8n.example/webhook/1' }),
		],
	])('is sent nowhere with %s', async (_what, sealed) => {
		const { result, messages } = await handed(await sealed(), proven(200));
		expect([result, messages.length]).toEqual(['not awaited', 0]);
	});
});

describe('Of the events that an execution waits for,', () => {
	const finished = async () => plain(409, { message: 'The execution "77" has finished already.' });
	/** Hands events over, of which the execution takes the first one only. @returns what became of each */
	async function handedInTurn(events: ReadonlyArray<readonly [node: string, event: IDataObject]>) {
		const context = { [CONTEXT_FIELD]: await resumeToken() };
		const results: string[] = [];
		for (const [node, event] of events) {
			const others = results.includes('resumed') ? finished : proven(200);
			results.push(await handOver(doubleOfN8n({ others }), readEvent({ ...event, context }), node));
		}
		return results;
	}
	const first = { event: kind, id: 'a', call_id: 'call-1', timestamp: '2030-01-01T10:00:00Z', webhook_id: 'w-1' };
	const second = { ...first, id: 'b' };
	const ofOther = (event: typeof first) => ({ ...event, id: `other ${event.id}`, webhook_id: 'w-2' });

	test.each<[string, IDataObject]>([
		['with an ID of its own in the same second', second],
		['of another call with a copy of the context', { ...first, call_id: 'call-2' }],
		['of a later attempt', { ...first, timestamp: '2030-01-01T11:00:00Z' }],
		['without a time', { ...first, timestamp: undefined }],
	])('one that comes again is known, and a second one %s is not', async (_what, other) => {
		const events = [first, first, other].map((event) => ['one', event] as const);
		expect(await handedInTurn(events)).toEqual(['resumed', 'resumed', 'not awaited']);
	});

	test.each<[string, Array<readonly [node: string, event: IDataObject]>, string[]]>([
		[
			'also from another trigger',
			[
				['one', first],
				['other', ofOther(first)],
			],
			['resumed', 'resumed'],
		],
		[
			'also from another trigger again',
			[
				['one', first],
				['other', ofOther(first)],
				['other', ofOther(first)],
			],
			['resumed', 'resumed', 'resumed'],
		],
		[
			'but a second one from another trigger is not, as this trigger has handed over one only',
			[
				['one', first],
				['other', ofOther(first)],
				['other', ofOther(second)],
			],
			['resumed', 'resumed', 'not awaited'],
		],
	])('one is known when it comes again, %s', async (_what, events, results) => {
		expect(await handedInTurn(events)).toEqual(results);
	});
});

describe('The execution no longer waits, and nothing is repeated, if', () => {
	test.each<[string, Answer | ReturnType<typeof proven>]>([
		['the node says so', proven(409)],
		['the node says so with the lowest status', proven(300)],
		['the node says so with the highest status', proven(499)],
		['the execution has ended', plain(409, { message: 'The execution "77" has finished already.' })],
		['the execution was deleted', plain(404, { message: 'The execution "77" does not exist.' })],
		['the token of the address is wrong', plain(401, { error: 'Invalid token' })],
	])('%s', async (_what, answer) => {
		const sealed = await resumeToken();
		const answers = typeof answer === 'function' ? answer : [answer];
		const { result, messages, took, logs } = await handed(sealed, answers);
		expect([result, messages.length, took]).toEqual(['not awaited', 1, 0]);
		expect(logs).toEqual([{ level: 'info', text: expect.stringMatching(/HTTP status [34]\d\d/) }]);
		// It is not known as handed over: a repeated delivery starts the workflow too.
		expect((await handed(sealed, answers)).result).toBe('not awaited');
	});
});

test('An event that another trigger is handing over is handed over once; if that fails, both have to come again', async () => {
	for (const isTaken of [true, false]) {
		const sealed = await resumeToken();
		const one = handed(sealed, isTaken ? proven(200) : [cut], kind, 'one');
		const other = await handed(sealed, proven(200), kind, 'other');
		const result = isTaken ? 'resumed' : 'try again';
		expect([(await one).result, other.result, other.messages]).toEqual([result, result, []]);
		expect((await handed(sealed, proven(200), kind, 'other')).result).toBe('resumed');
	}
});

const isRunning = plain(409, { message: 'The execution "77" is running already.' });

describe('The event has to come again, and n8n has no more requests until then, if', () => {
	test.each<[string, Answer | ReturnType<typeof proven>]>([
		['the node has trouble', proven(500)],
		['nothing answers', cut],
		['a proxy answers 409', plain(409, '<h1>Conflict</h1>')],
		['a gateway answers 409', plain(409, { message: 'Conflict' })],
		['a proxy answers 404', plain(404, { message: 'No route' })],
		['a proxy answers 404 with text', plain(404, 'The execution is not here')],
		['a proxy answers 401', plain(401, { error: 'Login' })],
		['a proxy answers 403', plain(403, { error: 'Invalid token' })],
		['a proxy answers 401 with text', plain(401, 'Invalid token')],
		['a proxy answers 502', plain(502, { message: 'The execution "77" does not exist.' })],
		['a proxy answers 200', plain(200, { message: 'Welcome' })],
	])('%s', async (_what, answer) => {
		const sealed = await resumeToken();
		const { result, messages, took, logs } = await handed(sealed, typeof answer === 'function' ? answer : [answer]);
		expect([result, messages.length, took]).toEqual(['try again', 1, 0]);
		expect(logs).toEqual([{ level: 'warn', text: expect.stringContaining('"Calls" could not resume') }]);
		expect(logs[0].text).toMatch(
			answer === cut ? /the connection was closed before an answer came$/ : /HTTP status \d\d\d$/,
		);
		expect((await handed(sealed, proven(200))).result).toBe('resumed');
	});
});

test.each([
	['and then has to come again', Number.POSITIVE_INFINITY, 'try again'],
	['unless it succeeds meanwhile', 2, 'resumed'],
])('While the execution is still running, the event is sent again for some seconds, %s', async (_what, runs, end) => {
	let tries = 0;
	const { result, messages, took } = await handed(await resumeToken(), async (request) =>
		(tries += 1) <= runs ? isRunning : await proven(200)(request),
	);
	expect([result, messages.length, took]).toEqual([end, 3, 3500]);
});
