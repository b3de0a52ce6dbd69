import { loadKeys } from '../../../../nodes/shared/keys.ts';
import { MESSAGE_HEADER, proofFor, readMessage } from '../../../../nodes/shared/triggerClient/messages.ts';
import { watchDeadline } from '../../../../nodes/VoiceAgentCalling/waiting/deadline.ts';
import { memoryOf } from '../../../../nodes/VoiceAgentCalling/waiting/memory.ts';
import { doubleOfN8n } from '../../n8n.mts';
import { useFakeClock } from '../../shared/client/modelService.mts';

beforeEach(useFakeClock);
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

const MINUTE = 60_000;

/** What answers at n8n's own address; undefined if nothing does. */
type Answer = { status: number; body?: unknown; isNode?: boolean } | undefined;

let count = 0;

/** A wait of an hour, and what its node sends to itself. */
async function waiting(answer: Answer, { campaigns = [] as object[], watches = 1 } = {}) {
	const nodeId = `deadline-${(count += 1)}`;
	const { caller, logs } = doubleOfN8n({ nodeId });
	const { messages: key } = await loadKeys(caller);
	const sent: Array<{ url: string; message: unknown }> = [];
	jest.spyOn(globalThis, 'fetch').mockImplementation(async (url, { body, headers } = {}) => {
		const signature = (headers as Record<string, string>)[MESSAGE_HEADER];
		sent.push({ url: String(url), message: readMessage(key, Buffer.from(String(body)), signature) });
		if (answer === undefined) {
			throw new TypeError('fetch failed', { cause: new Error('other side closed') });
		}
		const proof: Record<string, string> = answer.isNode ? { [MESSAGE_HEADER]: proofFor(key, signature) } : {};
		const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
		return new Response(text, { status: answer.status, headers: proof });
	});
	const state = {
		run: 0,
		until: Date.now() + 60 * MINUTE + 7000,
		hints: [],
		hintsAtEnd: [],
		campaigns: campaigns as never,
	};
	for (let watch = 0; watch < watches; watch++) {
		watchDeadline(caller, key, state);
	}
	return { sent, logs, nodeId, memory: memoryOf({ execution: '77', node: nodeId, run: 0 }) };
}

const nothingWaits = { status: 404, body: { message: 'The execution "77" does not exist.' } };

test('When its time is up, to the second, the node sends one message to itself', async () => {
	const { sent, nodeId } = await waiting(nothingWaits, { watches: 3 });
	expect(jest.getTimerCount()).toBe(1);
	await jest.advanceTimersByTimeAsync(60 * MINUTE + 6999);
	expect(sent).toEqual([]);
	await jest.advanceTimersByTimeAsync(MINUTE);
	const url = `https://n8n.example/webhook-waiting/77/${nodeId}?signature=s`;
	expect(sent).toMatchObject([{ url, message: { execution: '77', node: nodeId, run: 0, timeUp: true } }]);
});

test('After the execution went on, it sends nothing, and has no timer for more than half a minute', async () => {
	const { sent, memory } = await waiting(nothingWaits);
	memory.end();
	await jest.advanceTimersByTimeAsync(30_000);
	expect(jest.getTimerCount()).toBe(0);
	expect(sent).toEqual([]);
});

const says = (status: number, message: string): Answer => ({ status, body: { message } });
const elsewhere = 'The workflow for execution "77" does not contain a waiting webhook with a matching path/method.';

test.each<[Answer, boolean]>([
	[nothingWaits, true],
	[says(404, elsewhere), true],
	[says(409, 'The execution "77 has finished already.'), true],
	[says(409, 'The execution "77" has finished with error.'), true],
	[{ status: 200, isNode: true }, true],
	[{ status: 499, isNode: true }, true],
	[{ status: 500, isNode: true }, false],
	[{ status: 502 }, false],
	[{ status: 404, body: '<h1>Not found</h1>' }, false],
	[says(404, 'no Route matched with those values'), false],
	[{ status: 200 }, false],
	[undefined, false],
])(
	'After the answer %j the wait has ended: %s. Otherwise the node asks again every ten seconds',
	async (answer, isOver) => {
		const { sent, memory, logs } = await waiting(answer);
		await jest.advanceTimersByTimeAsync(60 * MINUTE + 7000 + 19_999);
		expect(sent).toHaveLength(isOver ? 1 : 2);
		await jest.advanceTimersByTimeAsync(2 * MINUTE);
		const isNode = answer?.isNode === true;
		expect([sent.length, memory.resumed]).toEqual([isOver ? 1 : isNode ? 10 : 13, isOver]);
		// Whatever the service does, the last of them ends the wait.
		const last = sent.map(({ message }) => (message as { isLastTime: boolean }).isLastTime);
		expect(last).toEqual(isOver ? [false] : [...Array(9).fill(false), ...Array(isNode ? 1 : 4).fill(true)]);
		// An event that comes later may watch again.
		expect(memory.watched).toBe(isOver);
		const why =
			answer === undefined ? '"Calls" could not end its wait: the connection was closed' : `status ${answer.status}`;
		const log = { level: 'warn', text: expect.stringContaining(why) };
		// The node itself has written why it could not.
		expect(logs).toEqual(isOver || isNode ? [] : Array(13).fill(log));
	},
);

test('It stops trying when the execution goes on meanwhile', async () => {
	const { sent, memory } = await waiting({ status: 502 });
	await jest.advanceTimersByTimeAsync(60 * MINUTE + 7000);
	memory.end();
	await jest.advanceTimersByTimeAsync(MINUTE);
	expect(sent).toHaveLength(1);
});

test('If nothing waits any more, the log names the webhooks that are left at the service', async () => {
	const campaigns = [
		{ id: 'c-1', webhookId: 'w-1', items: [0] },
		{ id: 'c-2', webhookId: 'w-2', items: [1] },
	];
	const { logs } = await waiting(nothingWaits, { campaigns });
	await jest.advanceTimersByTimeAsync(61 * MINUTE);
	const text = expect.stringMatching(/Execution 77.*w-1 of campaign c-1, w-2 of campaign c-2/);
	expect(logs).toEqual([{ level: 'info', text }]);
	const ended = await waiting({ status: 200, isNode: true }, { campaigns });
	await jest.advanceTimersByTimeAsync(61 * MINUTE);
	expect(ended.logs).toEqual([]);
});
