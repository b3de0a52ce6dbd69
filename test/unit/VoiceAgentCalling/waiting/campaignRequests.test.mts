import type { IDataObject } from 'n8n-workflow';

import { createSharedApi } from '../../../../nodes/shared/client/api.ts';
import type { ServiceRequest } from '../../../../nodes/shared/client/request.ts';
import { type Keys, loadKeys } from '../../../../nodes/shared/keys.ts';
import {
	campaignSecret,
	createCampaignWebhook,
	deleteCampaignWebhooks,
	readCampaign,
} from '../../../../nodes/VoiceAgentCalling/waiting/campaignRequests.ts';
import { type Answer, cut, type Requested } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from '../../shared/client/modelService.mts';
import { runOf } from '../../shared/client/run.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const wait = { execution: '77', node: 'node-1', run: 0 };
const url = 'https://n8n.example/webhook-waiting/77/node-1?signature=s&campaign=c1';
const nameAt = (ms: number) => `n8n waits for this campaign until ${new Date(Date.now() + ms).toISOString()}`;

/** A service with these webhooks, which does what it is asked unless `answers` has something for the method. */
async function create(webhooks: IDataObject[], answers: Partial<Record<string, (request: Requested) => Answer>> = {}) {
	const service = async (request: Requested): Promise<Answer> => {
		const answer = answers[request.method]?.(request);
		return answer ?? { body: { data: request.method === 'GET' ? { webhooks } : { id: 'new' } } };
	};
	const made = runOf({ service });
	const keys = await loadKeys(made.caller);
	const api = createSharedApi(made.run);
	const until = Date.now() + 3_600_000;
	const result = createCampaignWebhook({ caller: made.caller, api, keys, wait, until }, 'c1').catch(
		(error: unknown) => error,
	);
	await jest.advanceTimersByTimeAsync(120_000);
	const sent = () =>
		made.requests.map(({ method, url: to }) => `${method} ${to.split('/campaigns/')[1]?.replace('c1/webhooks', '')}`);
	return { ...made, keys, result: await result, sent };
}

test('the webhook delivers the end and the changes of its campaign to this node of this execution, signed', async () => {
	const { result, requests, keys, sent } = await create([]);
	expect(result).toBe('new');
	expect(sent()).toEqual(['GET ', 'POST ']);
	expect(requests[1]?.body).toEqual({
		name: expect.stringMatching(/^n8n waits for this campaign until \d{4}-.*Z$/),
		webhook_url: url,
		events: ['campaign.completed', 'campaign.updated'],
		webhook_secret: campaignSecret(keys, wait, 'c1'),
		max_retries: 10,
		enabled: true,
	});
});

test('each wait has another secret for each campaign, also with another token', () => {
	const keys = (text: string) => ({ secrets: Buffer.from(text) }) as Keys;
	const waits = [wait, { ...wait, execution: '78' }, { ...wait, node: 'node-2' }, { ...wait, run: 1 }];
	const secrets = [
		...waits.map((one) => campaignSecret(keys('1'), one, 'c1')),
		campaignSecret(keys('2'), wait, 'c1'),
		campaignSecret(keys('1'), wait, 'c2'),
	];
	expect(new Set(secrets).size).toBe(secrets.length);
	expect(secrets.every((secret) => /^[0-9a-f]{64}$/.test(secret))).toBe(true);
	expect(campaignSecret(keys('1'), { ...wait }, 'c1')).toBe(secrets[0]);
});

test('the webhook of an earlier try or run is replaced, not taken over: its deletion may be on its way', async () => {
	const { result, sent } = await create([{ id: 'old', name: nameAt(3_600_000), webhook_url: url }]);
	expect(result).toBe('new');
	expect(sent()).toEqual(['GET ', 'DELETE /old', 'POST ']);
});

test('webhooks of waits that are over are deleted, and no others', async () => {
	const waiting = 'https://n8n.example/webhook-waiting/5/node-1?campaign=c1';
	const { sent } = await create(
		[
			{ id: 'over', name: nameAt(-1), webhook_url: waiting },
			{ id: 'waits', name: nameAt(1000), webhook_url: waiting },
			{ id: 'elsewhere', name: nameAt(-1), webhook_url: 'https://other.example/webhook-waiting/5/node-1' },
			{ id: 'a trigger', name: nameAt(-1), webhook_url: 'https://n8n.example/webhook/1/webhook' },
			{ id: 'renamed', name: 'Mine', webhook_url: waiting },
			{ id: 'no time', name: 'n8n waits for this campaign until tomorrow', webhook_url: waiting },
		],
		// What cannot be deleted is no reason not to wait.
		{ DELETE: () => ({ status: 403 }) },
	);
	expect(sent()).toEqual(['GET ', 'DELETE /over', 'POST ']);
});

const noId = { body: { success: true } };

test.each<[string, Answer, object]>([
	['no response', cut, { code: 'CONNECTION_LOST' }],
	['no ID in the response', noId, { code: 'UNREADABLE_ANSWER' }],
	['a refusal', { status: 422, body: { message: 'No' } }, { httpStatus: 422 }],
])(
	'with %s, the webhook is looked for, and not created twice; if there is none, the item fails',
	async (_what, answer, error) => {
		expect((await create([], { POST: () => answer })).result).toMatchObject(error);
		const webhooks: IDataObject[] = [];
		const POST = () => (webhooks.push({ id: 'there', webhook_url: url }), answer);
		const { result, sent } = await create(webhooks, { POST });
		const isLookedFor = answer === cut || answer === noId;
		expect(result).toEqual(isLookedFor ? 'there' : expect.objectContaining(error));
		expect(sent()).toEqual(isLookedFor ? ['GET ', 'POST ', 'GET '] : ['GET ', 'POST ']);
	},
);

test('a webhook of an earlier try that could not be deleted is not taken for the new one whose answer got lost', async () => {
	const webhooks: IDataObject[] = [{ id: 'old', name: nameAt(3_600_000), webhook_url: url }];
	const POST = () => (webhooks.push({ id: 'new', webhook_url: url }), cut);
	expect((await create(webhooks, { DELETE: () => ({ status: 403 }), POST })).result).toBe('new');
});

test('an unknown campaign is named', async () => {
	const missing = () => ({ status: 404, body: { success: false } });
	expect((await create([], { GET: missing })).result).toMatchObject({ code: 'CAMPAIGN_NOT_FOUND' });
});

test('when a wait ends, all of its webhooks are deleted; what cannot be deleted is logged without its address', async () => {
	const made = runOf({
		service: ({ url: to }) => {
			const status = { one: 404, two: 500 }[to.split('/').at(-1)!] ?? 200;
			return { status, body: { success: status === 200 } };
		},
	});
	const campaigns = ['one', 'two', 'three'].map((webhookId) => ({ id: 'c1', webhookId, items: [0] }));
	await inFakeTime(deleteCampaignWebhooks(made.caller, campaigns));
	const sent = made.requests.map(({ method, url: to }) => `${method} ${to.split('/').at(-1)}`);
	expect(sent.slice(0, 3)).toEqual(['DELETE one', 'DELETE two', 'DELETE three']);
	// That may work later.
	expect(sent.slice(3)).toEqual(Array(8).fill('DELETE two'));
	const text = expect.stringMatching(/could not delete.*c1: The service had an internal error/);
	expect(made.logs).toMatchObject([{ level: 'warn', text }]);
	expect(made.logs[0]?.text).not.toContain('webhook-waiting');
});

const read = async (body: IDataObject) => {
	const requests: ServiceRequest[] = [];
	const send = async (request: ServiceRequest) => (requests.push(request), body);
	return { campaign: await readCampaign(send, 'a'), requests };
};

test.each([
	['active', 'timedOut'],
	['Completed', 'completed'],
	['cancelled', 'cancelled'],
])('A campaign whose status is %s is %s, with what the service says of it', async (status, outcome) => {
	const { campaign, requests } = await read({ data: { id: 'x', name: 'N', status, stats: { total: 1 }, calls: [] } });
	expect(campaign).toEqual({ id: 'a', name: 'N', status, stats: { total: 1 }, outcome });
	expect(requests).toEqual([{ method: 'GET', path: ['campaigns', 'a'], codes: { 404: 'CAMPAIGN_NOT_FOUND' } }]);
});

test.each([{}, { data: {} }, { data: { status: 7 } }])('An answer without a status is an error: %j', async (body) => {
	await expect(read(body)).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER' });
});
