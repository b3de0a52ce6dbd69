import type { IDataObject } from 'n8n-workflow';

import { ServiceError, toResult } from '../../../../nodes/shared/errors/serviceError.ts';
import type { Reply } from '../../../../nodes/shared/nodeLink/messages.ts';
import { noReply } from '../../../../nodes/shared/nodeLink/noReply.ts';
import type { ServiceRequest } from '../../../../nodes/shared/service/request.ts';
import type { Api } from '../../../../nodes/VoiceAgentCalling/sending/api.ts';
import { assertResumable, assertWaitingReachable } from '../../../../nodes/VoiceAgentCalling/waiting/triggers.ts';

const url = (id: number, source = 'campaign') =>
	`https://n8n.example/webhook/${`${id}`.repeat(8)}-0000-0000-0000-000000000000/webhook?${source}=owner&g=1764100000000`;
const kinds = ['campaign_call.completed', 'campaign_call.failed'];
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
	reply: (to: string) => Reply | undefined,
	calledBy = 'campaignId' as 'agentId' | 'campaignId',
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
		async message(to: string, message: IDataObject) {
			expect(message).toEqual({ command: 'check' });
			asked.push(to);
			const value = reply(to);
			return value === undefined ? { error: noReply(undefined) } : { value };
		},
	} as unknown as Api;
	const { value, error } = await toResult(assertResumable(api, calledBy, 'owner', kinds));
	return { listener: value, error, listings, asked };
}

describe('A call can be awaited by event', () => {
	test.each([
		['campaignId', 'campaigns', 'CAMPAIGN_NOT_FOUND'],
		['agentId', 'agents', 'AGENT_NOT_FOUND'],
	] as const)('if a trigger of this n8n receives the events (%s)', async (calledBy, path, code) => {
		const address = url(1, path.slice(0, -1));
		const { listener, listings, asked } = await checked([webhook(1, { webhook_url: address })], () => proven, calledBy);
		expect(listener).toEqual({ webhook: 'w-1', kinds });
		expect(listings).toEqual([{ method: 'GET', path: [path, 'owner', 'webhooks'], codes: { 404: code } }]);
		expect(asked).toEqual([address]);
	});

	test('if one of several webhooks belongs to such a trigger: no more are asked', async () => {
		const others = [webhook(1, { enabled: false }), webhook(2), webhook(3, { events: kinds.slice(1) })];
		const { error, asked } = await checked([...others, webhook(4), webhook(5)], (to) =>
			to === url(2) ? undefined : proven,
		);
		expect(error).toBeUndefined();
		expect(asked).toEqual([2, 3, 4].map((id) => url(id)));
	});
});

describe('A call cannot be awaited by event, and is not placed,', () => {
	const noTrigger = (message: RegExp, advice: RegExp) => ({
		code: 'NO_TRIGGER',
		accepted: 'no',
		message: expect.stringMatching(message),
		advice: expect.stringMatching(advice),
	});

	test.each([
		['without a webhook', []],
		['with a webhook that is disabled', [webhook(1, { enabled: false })]],
		['with a webhook that delivers elsewhere', [webhook(1, { webhook_url: 'https://other.example/' })]],
		['with a webhook with a test URL', [webhook(1, { webhook_url: url(1).replace('/webhook/', '/webhook-test/') })]],
		['with a webhook of another node', [webhook(1, { webhook_url: 'https://n8n.example/webhook/orders' })]],
	])('%s: add a trigger', async (_what, webhooks) => {
		const { error } = await checked(webhooks, () => proven);
		expect(error).toMatchObject(
			noTrigger(
				/^No published .* listens to this campaign, so the node would never learn the outcome$/,
				/this campaign as its source and the events Campaign Call Completed, Campaign Call Failed, and publish it\./,
			),
		);
		expect((error as ServiceError).advice).toMatch(/which needs no trigger\.$/);
		const ofAgent = (await checked(webhooks, () => proven, 'agentId')).error;
		expect(ofAgent).toMatchObject(noTrigger(/listens to this agent,/, /this agent as its source/));
	});

	test('if the trigger does not receive all events: add those, each once', async () => {
		const webhooks = [webhook(1, { events: ['campaign.paused'] }), webhook(2, { events: kinds[0] })];
		const { error } = await checked(webhooks, () => proven);
		const missing = 'Campaign Call Completed, Campaign Call Failed';
		expect(error).toMatchObject(
			noTrigger(
				new RegExp(`^The trigger of this campaign does not listen to ${missing},`),
				new RegExp(`^Add ${missing} to its events`),
			),
		);
	});

	test.each([
		['without its secret', '', /was made by hand/],
		['for another campaign', 'another', /delivers to a trigger for another agent or campaign/],
	])('if a webhook leads to a trigger %s', async (_what, campaign, message) => {
		const address = url(1).replace(/\?.*/, campaign && `?campaign=${campaign}&g=1764100000000`);
		const { error } = await checked([webhook(1, { webhook_url: address })], () => proven);
		expect(error).toMatchObject(noTrigger(message, /Polling/));
	});

	test('if a webhook has no list of events: all are missing', async () => {
		expect((await checked([webhook(1, { events: undefined })], () => proven)).error).toMatchObject({
			message: expect.stringContaining('Campaign Call Completed, Campaign Call Failed'),
		});
	});

	test.each<[string, Reply | undefined, RegExp]>([
		[
			'nothing answers there',
			undefined,
			/n8n does not answer at the address of the webhook: the connection was closed/,
		],
		[
			'its workflow is not published',
			{ status: 404, body: { message: 'is not registered' }, proven: false },
			/No published workflow listens/,
		],
		[
			'a proxy answers',
			{ status: 403, body: '<html>', proven: false },
			/: something before it answered with HTTP status 403$/,
		],
		['its credential is another one', { status: 200, body: {}, proven: false }, /the same credential/],
	])('if %s: that is said, before webhooks that cannot be a trigger', async (_what, reply, message) => {
		const others = [webhook(1, { webhook_url: 'https://other.example/' }), webhook(2, { events: [] })];
		expect((await checked([others[0], webhook(3)], () => reply)).error).toMatchObject(noTrigger(message, /Polling/));
		expect((await checked([...others, webhook(3)], () => reply)).error).toMatchObject(noTrigger(message, /\w/));
	});
});

describe('The address of waiting executions', () => {
	const address = 'https://n8n.example/webhook-waiting/77/node-1?signature=s';
	const reply = (body: unknown, status = 409) => ({ value: { status, body, proven: false } });

	test.each([
		['that the execution is running', reply({ code: 409, message: 'The execution "77" is running already.' })],
		[
			'as n8n 2.41 does before it has stored data of the execution',
			reply({ code: 0, message: "Cannot read properties of undefined (reading 'resumeToken')", stacktrace: '' }, 500),
		],
	])('can be reached if n8n itself answers there %s', (_what, answer) => {
		expect(() => assertWaitingReachable(address, answer)).not.toThrow();
	});

	test.each([
		[
			'nothing answers',
			{ error: new ServiceError('cut', { code: 'UNEXPECTED', advice: '', accepted: 'no' }) },
			'(cut)',
		],
		['a proxy answers with text', reply('Conflict'), '(something before it answered with HTTP status 409)'],
		['a proxy answers without a message', reply({}), '(something before it answered with HTTP status 409)'],
		[
			'a gateway answers with a message',
			reply({ message: 'Forbidden' }, 403),
			'(something before it answered with HTTP status 403)',
		],
		[
			'a gateway has an error',
			reply({ message: 'An unexpected error occurred' }, 500),
			'(something before it answered with HTTP status 500)',
		],
		['something answers with success', reply({}, 200), '(something before it answered with HTTP status 200)'],
		[
			'a proxy answers with another message',
			reply({ message: 7 }),
			'(something before it answered with HTTP status 409)',
		],
	])('cannot be reached if %s: the error names it without its token and IDs', (_what, result, reason) => {
		const check = () => assertWaitingReachable(address, result);
		expect(check).toThrow(`n8n does not answer at https://n8n.example/webhook-waiting/ ${reason}`);
		expect(check).toThrow(expect.objectContaining({ code: 'NO_TRIGGER', accepted: 'no' }));
	});
});
