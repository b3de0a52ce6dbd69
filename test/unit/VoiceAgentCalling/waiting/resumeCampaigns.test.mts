import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { loadKeys } from '../../../../nodes/shared/keys.ts';
import { MESSAGE_HEADER, proofFor } from '../../../../nodes/shared/triggerClient/messages.ts';
import { campaignSecret } from '../../../../nodes/VoiceAgentCalling/waiting/campaignRequests.ts';
import { resumeWaiting } from '../../../../nodes/VoiceAgentCalling/waiting/resume.ts';
import { type CampaignWaitState, storeState } from '../../../../nodes/VoiceAgentCalling/waiting/wait.ts';
import { type Answer, doubleOfN8n, type Requested } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from '../../shared/client/modelService.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const stats = { total_calls: 3 };
const error = { result: 'failed' };

/** What is chosen about a delivery; its campaign is that of the URL unless another one signs. */
interface Sent {
	campaign?: string;
	signedFor?: string;
	token?: string;
	event?: string;
	body?: string;
	wait?: Partial<{ execution: string; node: string; run: number }>;
	headers?: (signature: string) => Record<string, string>;
}

let count = 0;
/** An execution that waits for the campaigns `a`, of two items, and `b`, in a node that no other test has. */
function waiting(statuses: Record<string, string | Answer> = {}) {
	const node = `node-${(count += 1)}`;
	const id = { execution: '77', node, run: 0 };
	const wait: CampaignWaitState = {
		run: 0,
		until: Date.now() + 24 * 3_600_000,
		hints: [],
		hintsAtEnd: [],
		campaigns: [
			{ id: 'a', webhookId: 'hook-a', items: [0, 2] },
			{ id: 'b', webhookId: 'hook-b', items: [3] },
		],
	};
	const awaited = (id: string) => ({ id, name: `Old ${id}`, status: 'active', stats: {}, outcome: 'timedOut' });
	const stored = [awaited('a'), { error }, awaited('a'), awaited('b')].map((json, item) => ({
		json,
		pairedItem: { item },
	}));
	const requests: Requested[] = [];
	const service = (request: Requested): Answer => {
		requests.push(request);
		const id = request.url.split('/campaigns/')[1]?.split('/')[0] ?? '';
		const status = statuses[id] ?? 'active';
		return typeof status === 'string' ? { body: { data: { id, name: `New ${id}`, status, stats } } } : status;
	};
	const receive = async (incoming: object, hangsUp = false) => {
		const n8n = doubleOfN8n({ service, nodeId: node, incoming, expressions: { '{{ $input.all() }}': stored } });
		storeState(n8n.caller, wait);
		if (hangsUp) {
			n8n.response.hangUp();
		}
		const [items] = (await inFakeTime(resumeWaiting(n8n.caller))).workflowData ?? [];
		return { ...n8n, items, output: items?.map(({ json }) => json), status: n8n.response.statusCode };
	};
	const sent = (wanted: string) =>
		requests.filter(({ method }) => method === wanted).map(({ url }) => url.split('/').at(-1));
	return {
		statuses,
		/** Delivers an event, signed as the service does. */
		async deliver({ campaign = 'a', signedFor = campaign, event = 'campaign.completed', ...more }: Sent = {}) {
			const keys = await loadKeys(doubleOfN8n({ token: more.token }).caller);
			const rawBody = Buffer.from(more.body ?? JSON.stringify({ event }));
			const secret = campaignSecret(keys, { ...id, ...more.wait }, signedFor);
			const signature = createHmac('sha256', secret).update(rawBody).digest('hex');
			const headers = more.headers?.(signature) ?? { 'x-signature': signature };
			return await receive({ rawBody, headers, query: { campaign } });
		},
		/** Sends the message that the time is up, as this node does. */
		async timeUp(message: IDataObject = {}, { token, hangsUp }: { token?: string; hangsUp?: boolean } = {}) {
			const { messages } = await loadKeys(doubleOfN8n({ token }).caller);
			const rawBody = Buffer.from(JSON.stringify({ ...id, timeUp: true, at: Date.now(), ...message }));
			const signature = createHmac('sha256', messages).update(rawBody).digest('hex');
			const result = await receive({ rawBody, headers: { [MESSAGE_HEADER]: signature } }, hangsUp);
			return { ...result, isProven: result.response.headers[MESSAGE_HEADER] === proofFor(messages, signature) };
		},
		/** The campaigns that were read, in their order. */
		reads: () => sent('GET'),
		async deleted() {
			await jest.advanceTimersByTimeAsync(10);
			return sent('DELETE');
		},
	};
}

const nothing = (status: number) => ({ status, output: undefined });
const bothOver = { a: 'completed', b: 'completed' };

describe('An execution that waits for two campaigns', () => {
	test('goes on when both have ended, with their statistics as the service shows them, and deletes its webhooks', async () => {
		const { deliver, statuses, deleted, reads } = waiting({ a: 'completed' });
		expect(await deliver()).toMatchObject(nothing(200));
		statuses.b = 'cancelled';
		const { items, response } = await deliver({ campaign: 'b', event: 'campaign.updated' });
		const a = { id: 'a', name: 'New a', status: 'completed', stats, outcome: 'completed' };
		const b = { id: 'b', name: 'New b', status: 'cancelled', stats, outcome: 'cancelled' };
		expect(items).toEqual([a, { error }, a, b].map((json, item) => ({ json, pairedItem: { item } })));
		// It asks about no more campaigns than it has to.
		expect(reads()).toEqual(['a', 'b', 'b']);
		expect(await deleted()).toEqual([]);
		response.end();
		expect(await deleted()).toEqual(['hook-a', 'hook-b']);
	});

	test('deletes its webhooks also if the sender has hung up while the campaigns were read', async () => {
		const { timeUp, deleted } = waiting({ a: 'completed', b: 'active' });
		expect((await timeUp({}, { hangsUp: true })).output).toHaveLength(4);
		expect(await deleted()).toEqual(['hook-a', 'hook-b']);
	});

	test('goes on once, with the first event if the other campaign has ended unheard', async () => {
		const { deliver } = waiting(bothOver);
		const { output, response } = await deliver();
		expect(output?.map(({ outcome }) => outcome)).toEqual(['completed', undefined, 'completed', 'completed']);
		expect(await deliver({ campaign: 'b' })).toMatchObject(nothing(200));
		response.end();
		expect(await deliver({ campaign: 'b' })).toMatchObject(nothing(200));
		const same = waiting(bothOver);
		const both = await Promise.all([same.deliver(), same.deliver({ campaign: 'b' })]);
		expect(both.map(({ output }) => output?.length).sort()).toEqual([4, undefined]);
		expect(both.map(({ status }) => status)).toEqual([200, 200]);
	});

	test('can go on again if n8n could not, and keeps its webhooks for that', async () => {
		const { deliver, deleted } = waiting(bothOver);
		(await deliver()).response.end(500);
		expect(await deleted()).toEqual([]);
		expect((await deliver()).output).toHaveLength(4);
	});

	test('lets the service deliver again what it does not show yet, but no change of a campaign that goes on', async () => {
		const { deliver } = waiting();
		expect(await deliver()).toMatchObject(nothing(503));
		expect(await deliver({ event: 'campaign.updated' })).toMatchObject(nothing(200));
		expect(await deliver({ body: '{}' })).toMatchObject(nothing(200));
	});

	test.each<Answer>([
		{ status: 500 },
		{ status: 404, body: '<h1>Not found</h1>' },
		{ status: 404, body: { message: 'no Route matched with those values' } },
		{ body: { data: {} } },
	])('lets the service deliver again if it cannot be asked: %j', async (answer) => {
		expect(await waiting({ a: answer }).deliver()).toMatchObject(nothing(503));
	});

	test('asks about one campaign after a change of one that goes on, and not again about one that has ended', async () => {
		const { deliver, reads, statuses } = waiting();
		await deliver({ event: 'campaign.updated' });
		expect(reads()).toEqual(['a']);
		statuses.a = 'completed';
		await deliver();
		expect(reads()).toEqual(['a', 'a', 'b']);
		await deliver();
		expect(reads()).toEqual(['a', 'a', 'b', 'b']);
	});

	test('lets the service deliver again what it does not show yet, also if a change comes at the same time', async () => {
		const { deliver } = waiting();
		const both = await Promise.all([deliver(), deliver({ event: 'campaign.updated' })]);
		expect(both.map(({ status }) => status)).toEqual([503, 200]);
	});

	test('asks nothing after it went on', async () => {
		const { deliver, timeUp, reads } = waiting(bothOver);
		await deliver();
		const before = reads().length;
		expect([(await deliver()).status, (await timeUp()).status, reads().length]).toEqual([200, 200, before]);
	});

	test('takes a campaign for deleted if the service does not have it any more', async () => {
		const gone = { status: 404, body: { success: false, message: 'Campaign not found' } };
		const { output } = await waiting({ a: gone }).timeUp();
		expect(output?.[0]).toEqual({ id: 'a', name: 'Old a', status: 'active', stats: {}, outcome: 'deleted' });
	});
});

describe('When the time is up', () => {
	test('the service is asked about all campaigns, and what goes on has timed out', async () => {
		const { timeUp, deleted } = waiting({ b: 'cancelled' });
		const { output, isProven, response } = await timeUp();
		const a = { name: 'New a', status: 'active', stats, outcome: 'timedOut' };
		expect([isProven, output]).toMatchObject([true, [a, { error }, a, { outcome: 'cancelled' }]]);
		response.end();
		expect(await deleted()).toEqual(['hook-a', 'hook-b']);
	});

	test('what cannot be read stays as it was stored, and the log says so', async () => {
		const { timeUp } = waiting({ a: { status: 500 }, b: 'completed' });
		// It is read again before.
		expect(await timeUp()).toMatchObject({ output: undefined, status: 503 });
		const { output, logs } = await timeUp({ isLastTime: true });
		const [a, b] = [
			{ name: 'Old a', outcome: 'timedOut' },
			{ name: 'New b', outcome: 'completed' },
		];
		expect(output).toMatchObject([a, {}, a, b]);
		expect(logs).toMatchObject([{ level: 'warn', text: expect.stringMatching(/could not read a campaign.*internal/) }]);
	});

	test.each<[string, number, IDataObject, { token: string }?]>([
		['of a node with another token', 401, {}, { token: 'other' }],
		['that is old', 401, { at: 0 }],
		['for another execution', 409, { execution: '78' }],
		['for another node', 409, { node: 'other' }],
		['for another run', 409, { run: 1 }],
		['of another kind', 409, { timeUp: undefined, event: { event: 'campaign.completed' } }],
	])('a message %s continues nothing', async (_what, status, message, sender = undefined) => {
		const { timeUp, reads } = waiting(bothOver);
		expect(await timeUp(message, sender)).toMatchObject(nothing(status));
		expect(reads()).toEqual([]);
	});
});

describe('Nothing is read or continued by a delivery', () => {
	const late = (text: string) => ({ 'x-signature': `t=${Math.floor(Date.now() / 1000) - 600},v1=${text}` });
	const changed = (text: string) => ({ 'x-signature': text.replace(/^./, (c) => (c === '0' ? '1' : '0')) });

	test.each<[string, Sent]>([
		['without a signature', { headers: () => ({}) }],
		['with a changed signature', { headers: changed }],
		['that is signed for another campaign of the wait', { signedFor: 'b' }],
		['that is signed for another execution', { wait: { execution: '78' } }],
		['that is signed for another node', { wait: { node: 'other' } }],
		['that is signed for another run of the node', { wait: { run: 1 } }],
		['that is signed with another token', { token: 'other' }],
		['for a campaign that is not awaited', { campaign: 'c' }],
		['without a campaign in its URL', { campaign: '', signedFor: 'a' }],
		['whose body is no object', { body: '["campaign.completed"]' }],
		['whose body is no JSON', { body: '1700000000.{}' }],
		['whose timestamp is too old', { headers: late }],
	])('%s', async (_what, sent) => {
		const { deliver, reads } = waiting(bothOver);
		const { status, output, logs, response } = await deliver(sent);
		expect([status, response.body, output, reads(), logs.length]).toEqual([401, 'Unauthorized', undefined, [], 1]);
	});
});
