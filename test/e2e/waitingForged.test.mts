import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { seal, TICKET_FIELD, type Ticket } from '../../nodes/shared/nodeLink/ticket.ts';
import { waitFor } from '../../scripts/lib/waiting.mts';
import { CallAndWait, stillClock } from './callAndWait.mts';
import { eventOf, outputOf } from './executionData.mts';
import { Instance } from './instance.mts';

let n8n: Instance;
let calls: CallAndWait;

beforeAll(async () => {
	n8n = await Instance.share(stillClock);
	calls = new CallAndWait(n8n);
	await calls.publishTriggers();
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

describe('No execution is resumed by', () => {
	let executionId: string;
	let ticket: Ticket;
	let elsewhere: Server;
	const heard: string[] = [];
	const number = '+12025630001';

	beforeAll(async () => {
		elsewhere = createServer((request, response) => {
			heard.push(request.url ?? '');
			response.end();
		}).listen(0, '127.0.0.1');
		({ executionId } = await calls.start('Forged', [number], {}));
		await calls.statusBecomes(executionId, 'waiting');
		ticket = await calls.ticketOf(number);
	}, 60_000);

	afterAll(() => elsewhere?.close());
	beforeEach(async () => expect(await calls.status(executionId)).toBe('waiting'));

	const sealed = async (changed: Partial<Ticket>, token = n8n.sandbox.token) => {
		const keys = await calls.keys(token);
		return { context: { [TICKET_FIELD]: seal(keys.tickets, { ...ticket, ...changed }) }, call_id: 'forged' };
	};

	test('an event that the service has not signed', async () => {
		const [{ webhook_url }] = await calls.agentWebhooksWhen(1);
		const body = JSON.stringify({ event: 'event_phone_call_ended', ...(await sealed({})) });
		const response = await fetch(webhook_url, {
			method: 'POST',
			body,
			headers: { 'content-type': 'application/json' },
		});
		expect(response.status).toBe(401);
	});

	test('a ticket that leads to another host, or to another address of this n8n', async () => {
		const [{ id }] = await calls.agentWebhooksWhen(1);
		const { port } = elsewhere.address() as AddressInfo;
		const away = `http://127.0.0.1:${port}${new URL(ticket.url).pathname}`;
		await n8n.delivered(id, { event: 'event_phone_call_ended', data: await sealed({ url: away }) });
		const login = new URL('/rest/login', ticket.url).href;
		await n8n.delivered(id, { event: 'event_phone_call_ended', data: await sealed({ url: login, item: 1 }) });
		expect(heard).toEqual([]);
	});

	test('a ticket that was sealed with another token', async () => {
		const [{ id }] = await calls.agentWebhooksWhen(1);
		await n8n.delivered(id, { event: 'event_phone_call_ended', data: await sealed({}, 'another token') });
	});

	test('a ticket of another execution, another node and another run', async () => {
		const [{ id }] = await calls.agentWebhooksWhen(1);
		for (const changed of [{ execution: '0' }, { node: 'other' }, { run: 1 }]) {
			await n8n.delivered(id, { event: 'event_phone_call_ended', data: { ...(await sealed(changed)), changed } });
		}
	});

	test('a message to the waiting node that is not signed, signed with another key, or ten minutes old', async () => {
		const message = { ...ticket, event: { status: 'completed' }, at: Date.now() };
		const unsigned = await fetch(ticket.url, {
			method: 'POST',
			body: JSON.stringify(message),
			headers: { 'content-type': 'application/json' },
		});
		expect(unsigned.status).toBe(401);
		expect(await calls.answerTo(ticket, message, 'another token')).toBe(401);
		expect(await calls.answerTo(ticket, { ...message, at: Date.now() - 600_000 })).toBe(401);
	});

	test('a message to the waiting node that is meant for another execution, another node or another run', async () => {
		const message = { ...ticket, event: { status: 'completed' }, at: Date.now() };
		for (const changed of [{ execution: '0' }, { node: 'other' }, { run: 1 }]) {
			expect(await calls.answerTo(ticket, { ...message, ...changed })).toBe(409);
		}
	});

	/** Places a call with the context of the awaited one. @returns the call's ID, when its events have come */
	const copyContext = async (to: string) => {
		const { context } = (await calls.sentCalls()).find((sent) => sent.to === number)!;
		const before = await calls.startedByAgent();
		const path = `/api/v1/agents/${calls.agentId}/call`;
		const { data } = await n8n.service.post<{ data: { id: string } }>(path, { to, context, is_testing: true });
		await calls.advance(10);
		// The call has started, and the line was busy.
		await waitFor(async () => (await calls.startedByAgent()) === before + 2 || undefined, { seconds: 20 });
		const [{ id }] = await n8n.editor.executions(calls.agentTrigger);
		const event = await eventOf(n8n.editor, id, 'Events');
		expect(event).toMatchObject({ event: 'event_phone_call_did_not_connect', to, call_id: data.data.id });
	};

	test('the event of another call with a copy of the context, which starts the workflow of the trigger', async () => {
		await copyContext('+12025630002');
	});

	test('anything but the real event', async () => {
		await calls.advance(45);
		await calls.statusBecomes(executionId, 'success');
		const outcome = [{ outcome: 'completed', event: { to: number } }];
		expect(await outputOf(n8n.editor, executionId, 'After')).toMatchObject(outcome);
	});
});

test('An event whose ticket belongs to an execution that is over starts the workflow of the trigger', async () => {
	const number = '+12025640002';
	const { executionId } = await calls.start('Over', [number], {});
	await calls.statusBecomes(executionId, 'waiting');
	await calls.advance(10);
	await calls.statusBecomes(executionId, 'success');
	const before = await calls.startedByAgent();
	const { context } = (await calls.sentCalls()).find(({ to }) => to === number)!;
	const path = `/api/v1/agents/${calls.agentId}/call`;
	await n8n.service.post(path, { to: number, context, is_testing: true });
	await calls.advance(10);
	await waitFor(async () => (await calls.startedByAgent()) === before + 2 || undefined, { seconds: 20 });
}, 60_000);
