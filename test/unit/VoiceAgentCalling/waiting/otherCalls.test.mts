import { createHmac } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { IWebhookFunctions } from 'n8n-workflow';

import { MESSAGE_HEADER } from '../../../../nodes/shared/nodeLink/messages.ts';
import { resumeWaiting } from '../../../../nodes/VoiceAgentCalling/waiting/resume.ts';
import type { CallWaitState } from '../../../../nodes/VoiceAgentCalling/waiting/state.ts';
import { messageKey } from '../../../message.mts';

const credential = { environmentToken: 'TOKEN', baseUrl: 'https://service.example.com' };
let executions = 0;

/** What the service lists, or the HTTP status of its refusal; also by the agent or campaign that is asked for. */
type Listed = string[] | number;

/**
 * Hands an event over to an execution that waits for the calls `call-a` (item 0) and `call-b` (item 1).
 *
 * @returns the status of the response, undefined if the execution is resumed; and how often the service was asked
 */
async function handOver(
	event: object,
	{
		callerIdField = 'agentId',
		listed: listedAnywhere = [] as Listed,
		listedBy = {} as Record<string, Listed>,
		calls = 2,
	} = {},
) {
	executions += 1;
	const execution = `${executions}`;
	const state: CallWaitState = {
		run: 0,
		since: Date.now(),
		until: Date.now(),
		callerIdField: callerIdField as CallWaitState['callerIdField'],
		calls: ['call-a', 'call-b'].slice(0, calls).map((id, item) => ({ item, id, owner: 'owner' })),
	};
	const rawBody = Buffer.from(JSON.stringify({ execution, node: 'node', run: 0, item: 0, event, at: Date.now() }));
	const signature = createHmac('sha256', await messageKey('TOKEN'))
		.update(rawBody)
		.digest('hex');
	let status: number | undefined;
	const response = Object.assign(new EventEmitter(), {
		statusCode: 200,
		setHeader: () => response,
		status: (code: number) => {
			status = code;
			return response;
		},
		send: () => response,
		end: () => response,
	});
	let asked = 0;
	const request = async (_type: string, { url }: { url: string }) => {
		asked += 1;
		const owner = /\/(?:agents|campaigns)\/([^/?]+)/.exec(url)?.[1] ?? '';
		const listed = listedBy[owner] ?? listedAnywhere;
		const data = Array.isArray(listed) ? listed.map((id) => ({ id, status: 'ringing' })) : undefined;
		const body = { success: listed !== 404, data: callerIdField === 'agentId' ? data : { calls: data } };
		return { statusCode: Array.isArray(listed) ? 200 : listed, headers: {}, body };
	};
	const caller = {
		getCredentials: async () => credential,
		getExecutionId: () => execution,
		getNode: () => ({ id: 'node', name: 'Call' }),
		getRequestObject: () => ({ headers: { [MESSAGE_HEADER]: signature }, rawBody }),
		getResponseObject: () => response,
		runExecutionData: { executionData: { contextData: { 'node:Call': { waiting: state } } } },
		evaluateExpression: (expression: string) =>
			expression.includes('resumeUrl') ? 'https://n8n.example.com/webhook-waiting/1' : [{ json: { id: 'call-a' } }],
		helpers: { httpRequestWithAuthentication: request, httpRequest: async () => ({ statusCode: 404, headers: {} }) },
		logger: { warn: () => undefined, info: () => undefined },
	} as unknown as IWebhookFunctions;
	const { workflowData } = await resumeWaiting(caller);
	return { resumed: workflowData?.[0]?.[0]?.json, status, asked };
}

const ended = { event: 'event_phone_call_ended', status: 'completed' };
const endedBy = (callerIdField: string) => ({
	...ended,
	...(callerIdField === 'campaignId' && { event: 'campaign_call.completed' }),
});
const one = { calls: 1 };

test('the event of the awaited call resumes the execution, and the service is not asked', async () => {
	expect(await handOver({ ...ended, call_id: 'call-a' }, one)).toEqual({
		resumed: expect.objectContaining({ id: 'call-a', outcome: 'completed' }),
		status: undefined,
		asked: 0,
	});
});

test('an event without the ID of a call resumes it: the service does not publish what its events have', async () => {
	expect(await handOver(ended, one)).toMatchObject({ resumed: { outcome: 'completed' }, asked: 0 });
});

test("the event of another item's call is not taken for this one, and the service is not asked", async () => {
	expect(await handOver({ ...ended, call_id: 'call-b' })).toEqual({ resumed: undefined, status: 409, asked: 0 });
});

test.each(['agentId', 'campaignId'])(
	'the event of another call that the service lists resumes nothing (%s)',
	async (callerIdField) => {
		const listed = ['call-a', 'call-x'];
		expect(
			await handOver({ ...endedBy(callerIdField), call_id: 'call-x' }, { ...one, callerIdField, listed }),
		).toMatchObject({
			resumed: undefined,
			status: 409,
			asked: 1,
		});
	},
);

test.each([
	['agentId', 'agent_id'],
	['campaignId', 'campaign_id'],
])('nor does the event of a call of another agent or campaign (%s)', async (callerIdField, field) => {
	const event = { ...endedBy(callerIdField), call_id: 'call-x', [field]: 'other' };
	const listedBy = { owner: ['call-a'], other: ['call-x'] };
	expect(await handOver(event, { ...one, callerIdField, listedBy })).toMatchObject({ resumed: undefined, status: 409 });
	expect(await handOver(event, { ...one, callerIdField, listedBy: { ...listedBy, other: 404 } })).toMatchObject({
		resumed: { outcome: 'completed' },
	});
	expect(await handOver(event, { ...one, callerIdField, listedBy: { ...listedBy, other: 500 } })).toMatchObject({
		status: 503,
	});
});

test.each(['agentId', 'campaignId'])(
	'an ID that the service lists nowhere is that of something else, and the event counts (%s)',
	async (callerIdField) => {
		const listed = ['call-a'];
		expect(
			await handOver({ ...endedBy(callerIdField), call_id: 'line-7' }, { ...one, callerIdField, listed }),
		).toMatchObject({
			resumed: { outcome: 'completed' },
			asked: 1,
		});
	},
);

test('while the service cannot be asked, the event has to come again', async () => {
	expect(await handOver({ ...ended, call_id: 'call-x' }, { ...one, listed: 500 })).toMatchObject({
		resumed: undefined,
		status: 503,
	});
});
