import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { loadKeys } from '../../../../nodes/shared/keys.ts';
import { MESSAGE_HEADER, proofFor } from '../../../../nodes/shared/triggerClient/messages.ts';
import { CONTEXT_FIELD, seal } from '../../../../nodes/shared/triggerSecrets/resumeToken.ts';
import { receiveDelivery } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/delivery.ts';
import { cut, type DoubleOptions, doubleOfN8n, type Requested } from '../../n8n.mts';
import { queryOf, secretOf, triggerOf } from '../trigger.mts';

let count = 0;
/** An event that no other test has. */
const newEvent = (more: IDataObject = {}): IDataObject => ({
	event: 'campaign_call.completed',
	id: `event-${(count += 1)}`,
	timestamp: '2030-01-01T10:00:00Z',
	...more,
});

interface Delivery extends DoubleOptions {
	options?: IDataObject;
	/** Whether it has the service's signature. */
	signed?: boolean;
	headers?: Record<string, string>;
	rawBody?: Buffer;
	/** Of the URL that it comes to. */
	query?: IDataObject;
}

/** The event as it starts the workflow. */
const output = (event: IDataObject, id = 'c-1', isTest = false) => ({
	...event,
	isTest,
	webhookOwner: { source: 'campaign', id },
});

/** Delivers an event to the trigger. @returns what the trigger returns, and what it has done */
async function delivered(event: unknown, delivery: Delivery = {}) {
	const { options = {}, signed = true, headers, query = queryOf(), ...more } = delivery;
	const rawBody = delivery.rawBody ?? Buffer.from(JSON.stringify(event));
	const secret = await secretOf('c-1', delivery.mode === 'manual');
	const signature = createHmac('sha256', secret).update(rawBody).digest('hex');
	const n8n = triggerOf({
		parameters: { options },
		incoming: {
			rawBody,
			query,
			headers: { 'user-agent': 'service', ...(signed && { 'x-signature': signature }), ...headers },
		},
		...more,
	});
	const result = await receiveDelivery(n8n.caller);
	return { ...n8n, result, started: result.workflowData?.map((items) => items?.map(({ json }) => json)) };
}

const acknowledged = { webhookResponse: 'OK' };
const answered = { noWebhookResponse: true };

describe('An authentic, new event', () => {
	test('starts the workflow with its body, and n8n responds to it', async () => {
		const event = newEvent({ call_id: 'c', nested: { a: [1] } });
		const { result, started, response, logs } = await delivered(event);
		expect(started).toEqual([[output(event)]]);
		expect(result.webhookResponse).toBeUndefined();
		expect([response.body, logs]).toEqual([undefined, []]);
	});

	test('that comes again while n8n stores it gets 503 after 25 seconds, also if the sender of the first has hung up', async () => {
		jest.useFakeTimers();
		const event = newEvent();
		const first = await delivered(event);
		first.response.hangUp();
		const again = delivered(event);
		await jest.advanceTimersByTimeAsync(25_000);
		const { result, response } = await again;
		expect([result, response.statusCode]).toEqual([answered, 503]);
		first.response.status(200).end();
		expect((await delivered(event)).result).toEqual(acknowledged);
		jest.useRealTimers();
	});

	test('is told from others by its own bytes: of a list, and where JavaScript rounds its ID', async () => {
		const list = [1, 2].map((part) => newEvent({ id: 'c-1', call_id: 'call-1', part }));
		expect((await delivered(list)).started).toEqual([list.map((event) => output(event))]);
		for (const id of ['9007199254740992', '9007199254740993']) {
			const body = `{"event":"campaign_call.completed","id":${id},"timestamp":"2030-01-01T10:00:00Z","call_id":"rounded"}`;
			const { started, response } = await delivered(undefined, { rawBody: Buffer.from(body) });
			expect(started).toHaveLength(1);
			response.status(200).end();
		}
	});

	test('is not stored with the resume token of an execution', async () => {
		const event = newEvent({ context: { contact: '7' } });
		const { started } = await delivered({ ...event, context: { contact: '7', [CONTEXT_FIELD]: 'sealed' } });
		expect(started).toEqual([[output(event)]]);
	});
});

describe('A request that is no authentic event is refused with 401, and starts nothing', () => {
	const text = (body: string) => ({ rawBody: Buffer.from(body) });
	const naming = (query: IDataObject) => ({ query: { ...queryOf(), ...query }, signed: false });
	const [NO_OBJECT, NOBODY] = ['the body is not a JSON object', 'its URL does not name one campaign or agent'];
	test.each<[string, Delivery, string]>([
		['without a signature', { signed: false }, 'no signature'],
		['with that of another body', { signed: false, headers: { 'x-signature': 'b'.repeat(64) } }, 'wrong signature'],
		['with a body that is a list without an event', text('[]'), NO_OBJECT],
		['with a body that is a list of texts', text('[{},"a"]'), NO_OBJECT],
		['with a body that is no JSON', text('event=1'), NO_OBJECT],
		['with an empty body', text(''), NO_OBJECT],
		['with a body of three hundred levels', text(`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`), 'the body is nested'],
		['that names another campaign than it was signed for', { query: queryOf('c-2') }, 'wrong signature'],
		[
			'that names an agent with that ID',
			{ query: { ...queryOf(), agent: 'c-1', campaign: undefined } },
			'wrong signature',
		],
		['that names nobody, by another secret', { query: {}, signed: false }, NOBODY],
		['that names two', naming({ agent: 'a-1' }), NOBODY],
		['that names two campaigns', naming({ campaign: ['c-1', 'c-1'] }), NOBODY],
		['that names an object', naming({ campaign: { id: 'c-1' } }), NOBODY],
		['that names an empty ID', naming({ campaign: '' }), NOBODY],
		['that names an ID of 101 characters', naming({ campaign: 'c'.repeat(101) }), NOBODY],
	])('%s', async (_what, delivery, reason) => {
		const { result, response, logs } = await delivered(newEvent(), delivery);
		expect(result).toEqual(answered);
		expect([response.statusCode, response.body]).toEqual([401, 'Unauthorized']);
		const log = expect.stringMatching(new RegExp(`"Calls".*${reason}`));
		expect(logs.at(-1)).toEqual({ level: 'warn', text: log, more: { workflowId: 'workflow-1' } });
	});
});

test('A message of an action node is answered as one', async () => {
	const { response, started } = await delivered(newEvent(), {
		headers: { 'x-voice-agent-calling-message': 'b'.repeat(64) },
	});
	expect([response.statusCode, started]).toEqual([401, undefined]);
	expect(response.body).toBe('Unauthorized');
});

test('A delivery that cannot be checked has to come again, and the response does not say why', async () => {
	const { result, response, logs } = await delivered(newEvent(), {
		options: {
			get signatureHeader(): string {
				throw new Error('something inside');
			},
		},
	});
	expect(result).toEqual(answered);
	expect([response.statusCode, response.body]).toEqual([503, 'Try again']);
	expect(logs).toEqual([{ level: 'warn', text: expect.stringContaining('something inside') }]);
});

describe('An event that the service made up as a test', () => {
	test.each([{ event: 'webhook.test' }, { test: true }])('starts nothing in a published workflow: %j', async (made) => {
		const { result, started, logs } = await delivered(newEvent(made));
		expect([result, started]).toEqual([acknowledged, undefined]);
		expect(logs).toEqual([{ level: 'info', text: expect.stringContaining("'Test Deliveries'") }]);
	});

	test.each<[string, Delivery]>([
		['in the editor', { mode: 'manual' }],
		['if the node says so', { options: { testDeliveries: 'start' } }],
	])('starts the workflow %s', async (_when, delivery) => {
		const event = newEvent({ test: true });
		expect((await delivered(event, delivery)).started).toEqual([[output(event, 'c-1', true)]]);
	});

	test.each([{ test: 'true' }, { test: false }, { event: 'webhook.tested' }])('is not: %j', async (made) => {
		expect((await delivered(newEvent(made))).started).toHaveLength(1);
	});
});

describe('An event for an execution that waits', () => {
	const resumeTokenFor = async (kinds: string[]) => {
		const { resumeTokens } = await loadKeys(doubleOfN8n().caller);
		const url = `https://n8n.example/webhook-waiting/${(count += 1)}`;
		return {
			[CONTEXT_FIELD]: seal(resumeTokens, { url, execution: '1', node: 'n', run: 0, item: 0, eventTypes: kinds }),
		};
	};
	const taken = async ({ headers }: Requested) => {
		const { messages } = await loadKeys(doubleOfN8n().caller);
		return { headers: { [MESSAGE_HEADER]: proofFor(messages, headers?.[MESSAGE_HEADER] ?? '') } };
	};
	const gone = [{ status: 404, body: { message: 'The execution "1" does not exist.' } }];

	test.each([{}, { test: true }])('is handed over, and starts no other execution, also with %j', async (more) => {
		const event = newEvent({ ...more, context: await resumeTokenFor(['campaign_call.completed']) });
		const { result, messages } = await delivered(event, { others: taken });
		expect(result).toEqual(acknowledged);
		expect(messages).toHaveLength(1);
		expect(String(messages[0].body)).not.toContain(CONTEXT_FIELD);
	});

	test('is shown in the editor, and left to the published workflow to hand over', async () => {
		const event = newEvent();
		const context = await resumeTokenFor(['campaign_call.completed']);
		const { started, messages } = await delivered({ ...event, context }, { mode: 'manual', others: taken });
		expect([started, messages]).toEqual([[[output({ ...event, context: {} })]], []]);
	});

	test.each<[string, Delivery]>([
		['if that execution is gone', { others: gone }],
		['also, if the node says so', { others: taken, options: { startForAwaited: true } }],
		['also, if an expression of the node says so', { others: taken, options: { startForAwaited: 'true' } }],
	])('starts the workflow %s', async (_when, delivery) => {
		const event = newEvent({ context: await resumeTokenFor(['campaign_call.completed']) });
		expect((await delivered(event, delivery)).started).toEqual([[output({ ...event, context: {} })]]);
	});

	test('of another kind only starts the workflow', async () => {
		const event = newEvent({ context: await resumeTokenFor(['event_call_report']) });
		const { started, messages } = await delivered(event, { others: taken });
		expect([started?.length, messages.length]).toEqual([1, 0]);
	});

	test('has to come again if the execution cannot be reached', async () => {
		jest.useFakeTimers();
		const event = newEvent({ context: await resumeTokenFor(['campaign_call.completed']) });
		const pending = delivered(event, { others: [cut] });
		await jest.advanceTimersByTimeAsync(5000);
		jest.useRealTimers();
		const { result, response } = await pending;
		expect([result, response.statusCode]).toEqual([answered, 503]);
	});
});
