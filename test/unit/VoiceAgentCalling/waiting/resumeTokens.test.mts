import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../../nodes/shared/client/api.ts';
import type { ServiceRequest } from '../../../../nodes/shared/client/request.ts';
import { toResult } from '../../../../nodes/shared/errors/serviceError.ts';
import { loadKeys } from '../../../../nodes/shared/keys.ts';
import { noReply, type Reply } from '../../../../nodes/shared/triggerClient/messages.ts';
import { findListener } from '../../../../nodes/VoiceAgentCalling/waiting/resumeTokens.ts';
import { assertWaitingReachable } from '../../../../nodes/VoiceAgentCalling/waiting/startWait.ts';
import { type Answer, cut, doubleOfN8n } from '../../n8n.mts';

const url = (id: number, query = 'campaign=owner&g=1764100000000&k=abcdef') =>
	`https://n8n.example/webhook/${`${id}`.repeat(8)}-0000-0000-0000-000000000000/webhook?${query}`;
const kinds = ['campaign_call.completed', 'campaign_call.failed'];
const names = 'Campaign Call Completed, Campaign Call Failed';
const webhook = (id: number, more: IDataObject = {}): IDataObject => ({
	id: `w-${id}`,
	webhook_url: url(id),
	events: kinds,
	...more,
});
const proven: Reply = { status: 200, body: { chosen: [], registered: [], events: [] }, proven: true };

/** Checks for a trigger. @returns the error, the listings that were asked for, and the addresses that got a message */
async function checked(
	webhooks: IDataObject[],
	reply: (to: string) => Reply | undefined = () => proven,
	callerIdField = 'campaignId' as 'agentId' | 'campaignId',
) {
	const listings: ServiceRequest[] = [];
	const asked: string[] = [];
	const api = {
		async pages(request: ServiceRequest, items: (body: IDataObject) => unknown, limit: number) {
			listings.push(request);
			expect(limit).toBe(Number.POSITIVE_INFINITY);
			return items({ data: { webhooks } });
		},
		isOwnAddress: async (to: string) => !to.includes('other.example'),
		addressHere: async (to: string) => to,
		keys: async () => ({ fingerprint: 'abcdef' }),
		async message(to: string, message: IDataObject) {
			expect(message).toEqual({ command: 'check' });
			asked.push(to);
			const value = reply(to);
			return value === undefined ? { error: noReply(undefined) } : { value };
		},
	} as unknown as Api;
	const { value, error } = await toResult(findListener(api, callerIdField, 'owner', kinds));
	return { listener: value, error, listings, asked };
}

describe('A call can be awaited by event', () => {
	test.each([
		['campaignId', 'campaign', 'CAMPAIGN_NOT_FOUND'],
		['agentId', 'agent', 'AGENT_NOT_FOUND'],
	] as const)('if a trigger of this n8n receives the events (%s)', async (callerIdField, source, code) => {
		const webhook_url = url(1, `${source}=owner&g=1764100000000&k=abcdef`);
		expect(await checked([webhook(1, { webhook_url })], undefined, callerIdField)).toEqual({
			listener: { webhook: 'w-1', eventTypes: kinds },
			listings: [{ method: 'GET', path: [`${source}s`, 'owner', 'webhooks'], codes: { 404: code } }],
			asked: [webhook_url],
		});
	});

	test('if one of several webhooks belongs to such a trigger: no more are asked', async () => {
		const others = [webhook(1, { enabled: false }), webhook(2), webhook(3, { events: kinds.slice(1) })];
		const reply = (to: string) => (to === url(2) ? undefined : proven);
		const { error, asked } = await checked([...others, webhook(4), webhook(5)], reply);
		expect([error, asked]).toEqual([undefined, [2, 3, 4].map((id) => url(id))]);
	});
});

describe('A call cannot be awaited by event, and is not placed,', () => {
	const noTrigger = (message: RegExp, advice = /Polling/) => ({
		code: 'NO_TRIGGER',
		accepted: 'no',
		message: expect.stringMatching(message),
		advice: expect.stringMatching(advice),
	});

	test.each<[string, IDataObject[]]>([
		['no webhook', []],
		['a webhook that is disabled', [webhook(1, { enabled: false })]],
		['a webhook that delivers elsewhere', [webhook(1, { webhook_url: 'https://other.example/' })]],
		['a webhook with a test URL', [webhook(1, { webhook_url: url(1).replace('/webhook/', '/webhook-test/') })]],
		['a webhook of another node', [webhook(1, { webhook_url: 'https://n8n.example/webhook/orders' })]],
	])('with %s: add a trigger', async (_what, webhooks) => {
		const { error } = await checked(webhooks);
		const message = /no published .* listens to this campaign$/;
		expect(error).toMatchObject(
			noTrigger(message, new RegExp(`this campaign as its source and the events ${names}, and`)),
		);
		expect(error?.advice).toMatch(/set Wait By to Polling\.$/);
		const ofAgent = (await checked(webhooks, undefined, 'agentId')).error;
		expect(ofAgent).toMatchObject(noTrigger(/listens to this agent$/, /this agent as its source/));
	});

	test.each<[string, IDataObject[]]>([
		['all events', [webhook(1, { events: ['campaign.paused'] }), webhook(2, { events: kinds[0] })]],
		['any', [webhook(1, { events: undefined })]],
	])('if the trigger does not receive %s: add those, each once', async (_what, webhooks) => {
		const message = new RegExp(`the trigger of this campaign does not listen to ${names}$`);
		expect((await checked(webhooks)).error).toMatchObject(
			noTrigger(message, new RegExp(`^Add ${names} to its events`)),
		);
	});

	test.each([
		['without its secret', '', /was made by hand/],
		['for another campaign', 'campaign=another&g=1764100000000', /to a trigger for another agent or campaign/],
	])('if a webhook leads to a trigger %s', async (_what, query, message) => {
		const webhook_url = url(1, query).replace(/\?$/, '');
		expect((await checked([webhook(1, { webhook_url })])).error).toMatchObject(noTrigger(message));
	});

	const notRegistered = { status: 404, body: { message: 'is not registered' }, proven: false };
	test.each<[string, Reply | undefined, RegExp]>([
		[
			'nothing answers there',
			undefined,
			/n8n does not answer at the address of the webhook: the connection was closed/,
		],
		['its workflow is not published', notRegistered, /No published workflow listens/],
		['a proxy answers', { status: 403, body: '<html>', proven: false }, /: something before it answered with HTTP/],
		['its credential is another one', { status: 200, body: {}, proven: false }, /the same credential/],
	])('if %s: that is said, before webhooks that cannot be a trigger', async (_what, reply, message) => {
		const others = [webhook(1, { webhook_url: 'https://other.example/' }), webhook(2, { events: [] })];
		expect((await checked([others[0], webhook(3)], () => reply)).error).toMatchObject(noTrigger(message));
		expect((await checked([...others, webhook(3)], () => reply)).error).toMatchObject(noTrigger(message, /\w/));
	});
});

describe('The address of waiting executions', () => {
	/** @returns the error, and the methods with which the address was asked */
	async function check(answer: (method: string) => Answer) {
		const { caller, messages } = doubleOfN8n({ others: ({ method }) => answer(String(method)) });
		const api = { remember: async (_: string, read: () => Promise<void>) => await read() } as unknown as Api;
		const { error } = await toResult(assertWaitingReachable(api, caller as never, await loadKeys(caller)));
		return { error, methods: messages.map(({ method }) => method) };
	}

	test('can be reached if n8n itself refuses a method that it does not know, which it does not log', async () => {
		const unknownMethod = { code: 0, message: 'The method PROPFIND is not supported.' };
		expect(await check(() => ({ status: 500, body: unknownMethod }))).toEqual({ methods: ['PROPFIND'] });
	});

	test.each([
		[409, { code: 409, message: 'The execution "77" is running already.' }],
		// As n8n 2.41 does before it has stored data of the execution.
		[500, { code: 0, message: "Cannot read properties of undefined (reading 'resumeToken')", stacktrace: '' }],
	])('can be reached if a proxy refuses that method, and n8n answers a message with %i', async (status, body) => {
		const answer = (method: string) => (method === 'POST' ? { status, body } : { status: 405 });
		expect(await check(answer)).toEqual({ methods: ['PROPFIND', 'POST'] });
	});

	test.each<[string, Answer, string]>([
		['nothing answers', cut, 'the connection was closed before an answer came'],
		['a proxy answers with text', { status: 409, body: 'Conflict' }, '409'],
		['a proxy answers without a message', { status: 409, body: {} }, '409'],
		['a proxy answers with another message', { status: 409, body: { message: 7 } }, '409'],
		['a gateway answers with a message', { status: 403, body: { message: 'Forbidden' } }, '403'],
		['a gateway has an error', { status: 500, body: { message: 'An unexpected error occurred' } }, '500'],
		['something answers with success', { status: 200, body: {} }, '200'],
	])('cannot be reached if %s: the error names it without its token and IDs', async (_what, answer, reason) => {
		const { error } = await check(() => answer);
		const message = new RegExp(`n8n does not answer at https://n8n.example/webhook-waiting/ \\(.*${reason}\\)`);
		expect(error).toMatchObject({ code: 'NO_ANSWER', accepted: 'no', message: expect.stringMatching(message) });
	});
});
