import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { loadKeys } from '../../../../nodes/shared/nodeLink/keys.ts';
import { MESSAGE_HEADER, proofFor } from '../../../../nodes/shared/nodeLink/messages.ts';
import { handleCommand } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/commands.ts';
import { type Answer, type Answers, cut } from '../../n8n.mts';
import { registrationOf, storedWebhook, triggerOf } from '../trigger.mts';

const done: Answer = { body: { success: true } };
let count = 0;

interface Sent {
	token?: string;
	service?: Answers;
	staticData?: IDataObject;
	parameters?: IDataObject;
	mode?: string;
	at?: number;
	nodeId?: string;
}

/** Sends a message of an action node to a trigger. */
async function commanded(message: IDataObject, sent: Sent = {}) {
	const { token = 'TOKEN', service = [done], at = Date.now(), nodeId = `node-${(count += 1)}`, ...more } = sent;
	const keys = await loadKeys(triggerOf({ token }).caller);
	const rawBody = Buffer.from(JSON.stringify({ ...message, at }));
	const signature = createHmac('sha256', keys.messages).update(rawBody).digest('hex');
	const trigger = triggerOf({
		service,
		nodeId,
		incoming: { rawBody, headers: { [MESSAGE_HEADER]: signature } },
		...more,
	});
	const result = await handleCommand(trigger.caller, rawBody);
	const isProven = trigger.response.headers[MESSAGE_HEADER] === proofFor(keys.messages, signature);
	return { ...trigger, result, isProven };
}

test('A request without a message is none', async () => {
	for (const headers of [{}, { [MESSAGE_HEADER]: ['a', 'b'] }]) {
		const { caller, response } = triggerOf({ incoming: { headers } });
		expect(await handleCommand(caller, Buffer.from('{}'))).toBeUndefined();
		expect(response.body).toBeUndefined();
	}
});

test.each([
	['of another credential', { token: 'OTHER' }],
	['that is older than five minutes', { at: Date.now() - 301_000 }],
])('A message %s is refused with 401, without a proof', async (_what, sent) => {
	const { result, response, logs, isProven, requests } = await commanded({ command: 'rotateSecret' }, sent);
	expect(result).toEqual({ noWebhookResponse: true });
	expect([response.statusCode, response.headers, isProven]).toEqual([401, {}, false]);
	expect(logs).toMatchObject([{ level: 'warn' }]);
	expect(requests).toEqual([]);
});

test.each([{ command: 'restart' }, {}])('An unknown command is answered with 400 and a proof: %j', async (message) => {
	const { result, response, isProven } = await commanded(message);
	expect(result).toEqual({ noWebhookResponse: true });
	expect([response.statusCode, response.body, isProven]).toEqual([400, { message: 'Unknown command' }, true]);
});

test('A check is answered with what the trigger has registered, and a proof', async () => {
	const { result, isProven } = await commanded(
		{ command: 'check' },
		{ parameters: { options: { includeCallEvents: true } } },
	);
	const events = ['campaign_call.completed', 'campaign_call.failed'];
	const rest = { events, oldSecret: false };
	expect([result, isProven]).toEqual([{ webhookResponse: { registered: {}, includeCallEvents: true, ...rest } }, true]);
	const agent = await commanded(
		{ command: 'check' },
		{
			parameters: { source: 'agent' },
			staticData: registrationOf({ webhooks: [storedWebhook({ source: 'agent', ownerId: 'a-1' })] }),
		},
	);
	const registered = { source: 'agent', ownerId: 'a-1', webhookId: 'w-1' };
	expect(agent.result?.webhookResponse).toEqual({ registered, includeCallEvents: false, ...rest });
});

describe('The command to rotate the secret', () => {
	const rotateSecret = { command: 'rotateSecret', webhookId: 'w-1' };
	const staticData = () => registrationOf();

	test('is answered with the time until which the old secret is accepted', async () => {
		const { result, isProven, requests } = await commanded(rotateSecret, { staticData: staticData() });
		expect(isProven).toBe(true);
		expect(requests).toHaveLength(1);
		const { rotated, oldSecretAcceptedUntil } = result?.webhookResponse as IDataObject;
		expect(rotated).toBe(true);
		expect((Date.parse(String(oldSecretAcceptedUntil)) - Date.now()) / 60_000).toBeCloseTo(60, 0);
	});

	test('rotates once, however often the same message comes', async () => {
		const at = Date.now();
		const [nodeId, data] = ['replayed', staticData()];
		const first = await commanded(rotateSecret, { staticData: data, nodeId, at });
		const second = await commanded(rotateSecret, { staticData: data, nodeId, at });
		expect([first.requests.length, second.requests.length]).toEqual([1, 0]);
		expect(second.result).toEqual(first.result);
		const later = await commanded(rotateSecret, { staticData: data, nodeId, at: at + 1 });
		expect(later.requests).toHaveLength(1);
	});

	test.each(['w-2', undefined])(
		'is refused with what is registered, if the message names another webhook (%s)',
		async (webhookId) => {
			const { result, response, requests } = await commanded(
				{ ...rotateSecret, webhookId },
				{ staticData: staticData() },
			);
			expect(result).toEqual({ noWebhookResponse: true });
			const registered = { source: 'campaign', ownerId: 'c-1', webhookId: 'w-1' };
			expect([response.statusCode, response.body]).toEqual([409, { rotated: false, registered }]);
			expect(requests).toEqual([]);
		},
	);

	test('of a trigger without a webhook is answered with what to do', async () => {
		const { response } = await commanded(rotateSecret);
		expect([response.statusCode, response.body]).toMatchObject([502, { rotated: false, code: 'NOT_REGISTERED' }]);
	});

	test('is refused in a test run, which keeps its secret', async () => {
		const { result, response, requests } = await commanded(rotateSecret, { staticData: staticData(), mode: 'manual' });
		expect(result).toEqual({ noWebhookResponse: true });
		expect([response.statusCode, response.body]).toEqual([409, { rotated: false, message: expect.any(String) }]);
		expect(requests).toEqual([]);
	});

	test.each([
		['was refused', { status: 403, body: { message: 'No' } }, false, 'FORBIDDEN'],
		['was not answered', cut, 'unknown', 'CONNECTION_LOST'],
	])('is answered with 502 and what is known, if it %s', async (_what, answer, rotated, code) => {
		const { result, response } = await commanded(
			{ ...rotateSecret, test: code },
			{ service: [answer], staticData: staticData() },
		);
		expect(result).toEqual({ noWebhookResponse: true });
		expect(response.statusCode).toBe(502);
		expect(response.body).toEqual({ rotated, code, message: expect.any(String), advice: expect.any(String) });
	});
});
