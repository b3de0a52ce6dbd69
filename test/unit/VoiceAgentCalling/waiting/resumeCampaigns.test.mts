import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { loadKeys } from '../../../../nodes/shared/nodeLink/keys.ts';
import { MESSAGE_HEADER, proofFor } from '../../../../nodes/shared/nodeLink/messages.ts';
import { campaignSecret } from '../../../../nodes/VoiceAgentCalling/waiting/campaignWebhooks.ts';
import { resumeWaiting } from '../../../../nodes/VoiceAgentCalling/waiting/resume.ts';
import { type CampaignWaitState, storeState } from '../../../../nodes/VoiceAgentCalling/waiting/state.ts';
import { type Answer, doubleOfN8n, type Requested } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from '../sending/modelService.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const HOUR = 3_600_000;
const stats = { total_calls: 3 };

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
	const wait: CampaignWaitState = {
		run: 0,
		until: Date.now() + 24 * HOUR,
		campaigns: [
			{ id: 'a', webhookId: 'hook-a', items: [0, 2] },
			{ id: 'b', webhookId: 'hook-b', items: [3] },
		],
	};
	const awaited = (id: string) => ({ id, name: `Old ${id}`, status: 'active', stats: {}, outcome: 'timedOut' });
	const items = [awaited('a'), { error: { result: 'failed' } }, awaited('a'), awaited('b')].map((json, item) => ({
		json,
		pairedItem: { item },
	}));
	const requests: Requested[] = [];
	const service = async (request: Requested): Promise<Answer> => {
		requests.push(request);
		const id = request.url.split('/campaigns/')[1]?.split('/')[0] ?? '';
		const status = statuses[id] ?? 'active';
		return typeof status === 'string' ? { body: { data: { id, name: `New ${id}`, status, stats } } } : status;
	};
	const double = (incoming: NonNullable<Parameters<typeof doubleOfN8n>[0]>['incoming'], token?: string) => {
		const n8n = doubleOfN8n({ service, nodeId: node, token, incoming, expressions: { '{{ $input.all() }}': items } });
		storeState(n8n.caller, wait);
		return n8n;
	};
	const receive = async (n8n: ReturnType<typeof double>) => {
		const { workflowData } = await inFakeTime(resumeWaiting(n8n.caller));
		const output = workflowData?.[0]?.map(({ json }) => json);
		return { ...n8n, output, status: n8n.response.statusCode, items: workflowData?.[0] };
	};

	/** Delivers an event, signed as the service does. */
	async function deliver(sent: Sent = {}) {
		const { campaign = 'a', signedFor = campaign, event = 'campaign.completed' } = sent;
		const keys = await loadKeys(doubleOfN8n({ token: sent.token }).caller);
		const secret = campaignSecret(keys, { execution: '77', node, run: 0, ...sent.wait }, signedFor);
		const rawBody = Buffer.from(sent.body ?? JSON.stringify({ event }));
		const signature = createHmac('sha256', secret).update(rawBody).digest('hex');
		const headers = sent.headers?.(signature) ?? { 'x-signature': signature };
		return await receive(double({ rawBody, headers, query: { campaign } }));
	}

	/** Sends the message that the time is up, as this node does. */
	async function timeUp({
		message = {},
		token,
		hangsUp,
	}: {
		message?: IDataObject;
		token?: string;
		hangsUp?: boolean;
	} = {}) {
		const { messages } = await loadKeys(doubleOfN8n({ token }).caller);
		const text = JSON.stringify({ execution: '77', node, run: 0, timeUp: true, at: Date.now(), ...message });
		const signature = createHmac('sha256', messages).update(text).digest('hex');
		const n8n = double({ rawBody: Buffer.from(text), headers: { [MESSAGE_HEADER]: signature } });
		if (hangsUp) {
			n8n.response.hangUp();
		}
		const result = await receive(n8n);
		return { ...result, isProven: result.response.headers[MESSAGE_HEADER] === proofFor(messages, signature) };
	}

	/** The campaigns that were read, in their order. */
	const reads = () => requests.filter(({ method }) => method === 'GET').map(({ url }) => url.split('/').at(-1));
	const deleted = () => requests.filter(({ method }) => method === 'DELETE').map(({ url }) => url.split('/').at(-1));
	return { deliver, timeUp, statuses, reads, deleted, wait };
}

describe('An execution that waits for two campaigns', () => {
	test('goes on when both have ended, with their statistics as the service shows them', async () => {
		const { deliver, statuses, deleted } = waiting({ a: 'completed' });
		const first = await deliver();
		expect([first.status, first.output]).toEqual([200, undefined]);
		statuses.b = 'cancelled';
		const { output, items, response } = await deliver({ campaign: 'b', event: 'campaign.updated' });
		const a = { id: 'a', name: 'New a', status: 'completed', stats, outcome: 'completed' };
		const b = { id: 'b', name: 'New b', status: 'cancelled', stats, outcome: 'cancelled' };
		expect(output).toEqual([a, { error: { result: 'failed' } }, a, b]);
		expect(items?.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
		expect(deleted()).toEqual([]);
		response.end();
		await jest.advanceTimersByTimeAsync(10);
		expect(deleted()).toEqual(['hook-a', 'hook-b']);
	});

	test('deletes its webhooks also if the sender has hung up while the campaigns were read', async () => {
		const { timeUp, deleted } = waiting({ a: 'completed', b: 'active' });
		const { output } = await timeUp({ hangsUp: true });
		expect(output).toHaveLength(4);
		await jest.advanceTimersByTimeAsync(10);
		expect(deleted()).toEqual(['hook-a', 'hook-b']);
	});

	test('asks about no more campaigns than it has to', async () => {
		const { deliver, statuses, reads } = waiting({ a: 'completed' });
		await deliver();
		expect(reads()).toEqual(['a', 'b']);
		statuses.b = 'completed';
		await deliver({ campaign: 'b' });
		expect(reads()).toEqual(['a', 'b', 'b']);
	});

	test('goes on with the first event if the other campaign has ended unheard', async () => {
		const { deliver } = waiting({ a: 'completed', b: 'cancelled' });
		expect((await deliver()).output?.map(({ outcome }) => outcome)).toEqual([
			'completed',
			undefined,
			'completed',
			'cancelled',
		]);
	});

	test('goes on once: a repeated delivery is answered, and starts nothing', async () => {
		const { deliver } = waiting({ a: 'completed', b: 'completed' });
		const { output, response } = await deliver();
		expect(output).toHaveLength(4);
		expect(await deliver({ campaign: 'b' })).toMatchObject({ status: 200, output: undefined });
		response.end();
		expect(await deliver({ campaign: 'b' })).toMatchObject({ status: 200, output: undefined });
	});

	test('goes on once if both events come at the same time', async () => {
		const { deliver } = waiting({ a: 'completed', b: 'completed' });
		const both = await Promise.all([deliver(), deliver({ campaign: 'b' })]);
		expect(both.map(({ output }) => output?.length).sort()).toEqual([4, undefined]);
		expect(both.map(({ status }) => status)).toEqual([200, 200]);
	});

	test('can go on again if n8n could not, and keeps its webhooks for that', async () => {
		const { deliver, deleted } = waiting({ a: 'completed', b: 'completed' });
		(await deliver()).response.end(500);
		await jest.advanceTimersByTimeAsync(10);
		expect(deleted()).toEqual([]);
		expect((await deliver()).output).toHaveLength(4);
	});

	test('lets the service deliver again what it does not show yet, but no change of a campaign that goes on', async () => {
		const { deliver } = waiting();
		expect(await deliver()).toMatchObject({ status: 503, output: undefined });
		expect(await deliver({ event: 'campaign.updated' })).toMatchObject({ status: 200, output: undefined });
		expect(await deliver({ body: '{}' })).toMatchObject({ status: 200, output: undefined });
	});

	test('lets the service deliver again if it cannot be asked, and after a 404 of something else', async () => {
		const others: Answer[] = ['<h1>Not found</h1>', { message: 'no Route matched with those values' }].map((body) => ({
			status: 404,
			body,
		}));
		for (const answer of [{ status: 500 }, ...others, { body: { data: {} } }]) {
			const { deliver } = waiting({ a: answer });
			expect(await deliver()).toMatchObject({ status: 503, output: undefined });
		}
	});

	test('takes a campaign for deleted if the service does not have it any more', async () => {
		const { timeUp } = waiting({ a: { status: 404, body: { success: false, message: 'Campaign not found' } } });
		const { output } = await timeUp();
		expect(output?.[0]).toEqual({ id: 'a', name: 'Old a', status: 'active', stats: {}, outcome: 'deleted' });
	});
});

describe('When the time is up', () => {
	test('the service is asked about all campaigns, and what goes on has timed out', async () => {
		const { timeUp, deleted } = waiting({ b: 'cancelled' });
		const { output, isProven, response } = await timeUp();
		expect(isProven).toBe(true);
		expect(output).toMatchObject([
			{ name: 'New a', status: 'active', stats, outcome: 'timedOut' },
			{ error: { result: 'failed' } },
			{ outcome: 'timedOut' },
			{ outcome: 'cancelled' },
		]);
		response.end();
		await jest.advanceTimersByTimeAsync(10);
		expect(deleted()).toEqual(['hook-a', 'hook-b']);
	});

	test('what cannot be read stays as it was stored', async () => {
		const { timeUp } = waiting({ a: { status: 500 }, b: 'completed' });
		expect((await timeUp()).output).toMatchObject([
			{ name: 'Old a', outcome: 'timedOut' },
			{},
			{ name: 'Old a', outcome: 'timedOut' },
			{ name: 'New b', outcome: 'completed' },
		]);
	});

	test.each<[string, Parameters<ReturnType<typeof waiting>['timeUp']>[0], number]>([
		['of a node with another token', { token: 'other' }, 401],
		['that is old', { message: { at: 0 } }, 401],
		['for another execution', { message: { execution: '78' } }, 409],
		['for another node', { message: { node: 'other' } }, 409],
		['for another run', { message: { run: 1 } }, 409],
		['of another kind', { message: { timeUp: undefined, event: { event: 'campaign.completed' } } }, 409],
	])('a message %s continues nothing', async (_what, message, status) => {
		const { timeUp, reads } = waiting({ a: 'completed', b: 'completed' });
		expect(await timeUp(message)).toMatchObject({ status, output: undefined });
		expect(reads()).toEqual([]);
	});
});

describe('Nothing is read or continued by a delivery', () => {
	test.each<[string, Sent]>([
		['without a signature', { headers: () => ({}) }],
		[
			'with a changed signature',
			{ headers: (text) => ({ 'x-signature': text.replace(/^./, (c) => (c === '0' ? '1' : '0')) }) },
		],
		['that is signed for another campaign of the wait', { signedFor: 'b' }],
		['that is signed for another execution', { wait: { execution: '78' } }],
		['that is signed for another node', { wait: { node: 'other' } }],
		['that is signed for another run of the node', { wait: { run: 1 } }],
		['that is signed with another token', { token: 'other' }],
		['for a campaign that is not awaited', { campaign: 'c' }],
		['without a campaign in its URL', { campaign: '', signedFor: 'a' }],
		['whose body is no object', { body: '["campaign.completed"]' }],
		['whose body is no JSON', { body: '1700000000.{}' }],
		[
			'whose timestamp is too old',
			{ headers: (text) => ({ 'x-signature': `t=${Math.floor(Date.now() / 1000) - 600},v1=${text}` }) },
		],
	])('%s', async (_what, sent) => {
		const { deliver, reads } = waiting({ a: 'completed', b: 'completed' });
		const { status, output, logs, response } = await deliver(sent);
		expect([status, output, reads()]).toEqual([401, undefined, []]);
		expect(response.body).toBe('Unauthorized');
		expect(logs).toHaveLength(1);
	});

	test('of an execution that waits for no campaign', async () => {
		const n8n = doubleOfN8n();
		await resumeWaiting(n8n.caller);
		expect(n8n.response.statusCode).toBe(409);
	});
});
