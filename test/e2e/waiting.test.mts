import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { loadKeys } from '../../nodes/shared/nodeLink/keys.ts';
import { MESSAGE_HEADER } from '../../nodes/shared/nodeLink/messages.ts';
import { seal, TICKET_FIELD, type Ticket, unseal } from '../../nodes/shared/nodeLink/ticket.ts';
import { until, waitFor } from '../../scripts/lib/waiting.mts';
import { nodesRun, outputOf } from './executionData.mts';
import { Instance, type WorkflowNode } from './instance.mts';

const AGENT_END = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
const CAMPAIGN_END = ['campaign_call.completed', 'campaign_call.failed'];
const NODE = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';

let n8n: Instance;
let seed: { agents: { published: string }; campaigns: { active: string } };
let agentTrigger: string;
let campaignTrigger: string;

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

beforeAll(async () => {
	// Slow enough that a call rings for hours; what happens is brought about by moving the clock.
	n8n = await Instance.start({ speed: 0.001, options: ['--rate-limit', '100000'] });
	seed = (await n8n.service.get('/_sandbox/seed')).data;
	const onAgent = n8n.trigger(seed.campaigns.active, {
		source: 'agent',
		agent: byId(seed.agents.published),
		events: [...AGENT_END, 'event_phone_call_started'],
		options: { deliveryRetries: 10 },
	});
	agentTrigger = await n8n.createWorkflow('Events of the agent', [onAgent]);
	const onCampaign = n8n.trigger(seed.campaigns.active, {
		events: [...CAMPAIGN_END, 'event_call_report', 'campaign_call.started'],
		options: { deliveryRetries: 10 },
	});
	campaignTrigger = await n8n.createWorkflow('Events of the campaign', [onCampaign]);
	await n8n.editor.publish(agentTrigger);
	await n8n.editor.publish(campaignTrigger);
	await n8n.webhooksWhen(seed.campaigns.active, ({ length }) => length === 1);
	await waitFor(async () => (await agentWebhooks()).length === 1 || undefined, { seconds: 20 });
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** Publishes a workflow that places calls and waits for them, and starts it; gives the IDs of workflow and execution. */
async function start(name: string, numbers: string[], parameters: Record<string, unknown>) {
	const nodes: WorkflowNode[] = [
		n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		n8n.node('Numbers', 'n8n-nodes-base.code', 2, {
			jsCode: `return ${JSON.stringify(numbers.map((to) => ({ json: { to } })))};`,
		}),
		n8n.node('Call', NODE, 1, {
			resource: 'call',
			operation: 'placeAndWait',
			agent: byId(seed.agents.published),
			phoneNumber: '={{ $json.to }}',
			specifyContext: 'json',
			contextJson: '{"contact":"7"}',
			...parameters,
		}),
		n8n.node('After', 'n8n-nodes-base.noOp', 1, {}),
	];
	const workflowId = await n8n.createWorkflow(name, nodes, ['Start', 'Numbers', 'Call', 'After']);
	const executionId = await n8n.editor.run(workflowId, 'Start');
	return { workflowId, executionId };
}

async function status(executionId: string): Promise<string> {
	return (await n8n.editor.execution(executionId)).status;
}

async function statusBecomes(executionId: string, wanted: string, seconds = 30): Promise<void> {
	let last = '';
	await until(async () => ((last = await status(executionId)) === wanted ? true : undefined), {
		seconds,
		otherwise: () => new Error(`Execution ${executionId} is ${last}, not ${wanted}`),
	});
}

/** Lets time go by in the sandbox; its answer comes when what was due has happened and is delivered. */
async function advance(seconds: number): Promise<void> {
	// In steps, since a call stays 200 ms of real time in each status.
	for (let left = seconds; left > 0; left -= 5) {
		await n8n.service.post('/_sandbox/advance', { seconds: Math.min(5, left) });
		await sleep(210);
	}
}

/** The webhooks of the agent. */
async function agentWebhooks(): Promise<Array<{ id: string; webhook_url: string }>> {
	const { data } = await n8n.service.get(`/api/v1/agents/${seed.agents.published}/webhooks`);
	return data.data.webhooks;
}

/** The requests that placed or queued calls. */
async function sentCalls(): Promise<Array<{ to: string; context: Record<string, unknown> }>> {
	const requests = await n8n.requests();
	return requests
		.filter(({ method, path }) => method === 'POST' && path.endsWith('/call'))
		.map(({ body }) => body as { to: string; context: Record<string, unknown> });
}

async function ticketOf(to: string): Promise<Ticket> {
	const keys = await keysOf();
	const call = (await sentCalls()).findLast((sent) => sent.to === to);
	return unseal(keys.tickets, call?.context[TICKET_FIELD])!;
}

/** What n8n answers to a message to a waiting node that is signed as a trigger with the same credential signs it. */
async function answerTo(ticket: Ticket, message: object, token = n8n.sandbox.token): Promise<number> {
	const { messages } = await keysOf(token);
	const body = JSON.stringify(message);
	const signature = createHmac('sha256', messages).update(body).digest('hex');
	const headers = { 'content-type': 'application/json', [MESSAGE_HEADER]: signature };
	return (await fetch(ticket.url, { method: 'POST', body, headers })).status;
}

function keysOf(token = n8n.sandbox.token) {
	return loadKeys({ getCredentials: async () => ({ environmentToken: token }) as never });
}

test('An execution sleeps while the phone rings, over a restart of n8n, and goes on with the outcome', async () => {
	const before = (await n8n.editor.executions(agentTrigger)).length;
	const { executionId } = await start('Restarted', ['+12025550001'], {});
	await statusBecomes(executionId, 'waiting');
	// The event that the phone rings has started the trigger's workflow, and resumed nothing.
	await waitFor(async () => (await n8n.editor.executions(agentTrigger)).length === before + 1 || undefined, {
		seconds: 20,
	});
	expect(await status(executionId)).toBe('waiting');

	await n8n.restartN8n();
	expect(await status(executionId)).toBe('waiting');
	await advance(45);
	await statusBecomes(executionId, 'success');
	const [item] = await outputOf(n8n.editor, executionId, 'After');
	expect(item).toMatchObject({
		to: '+12025550001',
		outcome: 'completed',
		status: 'completed',
		duration: 30,
		context: { contact: '7' },
		event: { event: 'event_phone_call_ended', context: { contact: '7' } },
	});
	expect(await nodesRun(n8n.editor, executionId)).toEqual(['Start', 'Numbers', 'Call', 'After']);
	// The final event has not started the trigger's workflow, and the ticket shows in no output.
	const executions = await n8n.editor.executions(agentTrigger);
	expect(executions).toHaveLength(before + 1);
	for (const { id } of [...executions, { id: executionId }]) {
		expect((await n8n.editor.execution(id)).data).not.toContain(`"${TICKET_FIELD}"`);
	}
	// The same message a second time: the execution is over.
	const ticket = await ticketOf('+12025550001');
	expect(await answerTo(ticket, { ...ticket, event: { status: 'failed' }, at: Date.now() })).toBe(409);
	expect(await outputOf(n8n.editor, executionId, 'After')).toMatchObject([{ outcome: 'completed' }]);
}, 120_000);

test('An event that comes before the execution sleeps is delivered again until it does', async () => {
	// The second call goes out ten seconds after the first, which is over by then.
	const numbers = ['+12025550002', '+12025560001'];
	const { executionId } = await start('Early', numbers, { sending: { maxRequestsPerMinute: 10 } });
	await waitFor(async () => (await sentCalls()).some(({ to }) => to === numbers[0]) || undefined, { seconds: 20 });
	await advance(10);
	await statusBecomes(executionId, 'waiting');
	await advance(60);
	await statusBecomes(executionId, 'success');
	const items = await outputOf(n8n.editor, executionId, 'After');
	expect(items.map(({ to, outcome }) => [to, outcome])).toEqual([
		[numbers[0], 'busy'],
		[numbers[1], 'completed'],
	]);
}, 120_000);

test('Five outcomes arrive in another order than the calls, one never: each is with its item when the time is up', async () => {
	const numbers = ['+12025570001', '+12025570003', '+12025570009', '+12025570004', '+12025570002'];
	const { executionId } = await start('Five', numbers, {
		timeLimit: 0.4,
		options: { delay: '={{ $json.to.endsWith("0009") ? 3600 : 0 }}' },
	});
	await statusBecomes(executionId, 'waiting');
	await advance(50);
	expect(await status(executionId)).toBe('waiting');
	await statusBecomes(executionId, 'success', 60);
	const items = await outputOf(n8n.editor, executionId, 'After');
	expect(items.map(({ to, outcome }) => [to, outcome])).toEqual([
		[numbers[0], 'completed'],
		[numbers[1], 'noAnswer'],
		[numbers[2], undefined],
		[numbers[3], 'failed'],
		[numbers[4], 'busy'],
	]);
	expect(items[2]).toMatchObject({ id: expect.any(String), status: expect.any(String) });
}, 120_000);

test('Five outcomes are all there although n8n was restarted between them', async () => {
	const numbers = ['+12025580001', '+12025580003', '+12025580005', '+12025580004', '+12025580002'];
	const { executionId } = await start('Five, restarted', numbers, {});
	await statusBecomes(executionId, 'waiting');
	await advance(10);
	await n8n.restartN8n('SIGKILL');
	await advance(50);
	await statusBecomes(executionId, 'success', 60);
	const items = await outputOf(n8n.editor, executionId, 'After');
	expect(items.map(({ to, outcome }) => [to, outcome])).toEqual([
		[numbers[0], 'completed'],
		[numbers[1], 'noAnswer'],
		[numbers[2], 'completed'],
		[numbers[3], 'failed'],
		[numbers[4], 'busy'],
	]);
}, 120_000);

test('When the time is up, the workflow goes on with the call and without an outcome; the outcome that comes later is harmless', async () => {
	const { executionId } = await start('Late', ['+12025590001'], { timeLimit: 0.1 });
	await statusBecomes(executionId, 'waiting');
	// n8n looks once a minute whether a wait is over.
	await statusBecomes(executionId, 'success', 90);
	const [item] = await outputOf(n8n.editor, executionId, 'After');
	expect(item).toMatchObject({ id: expect.any(String), to: '+12025590001', context: { contact: '7' } });
	expect(item).not.toHaveProperty('outcome');
	const before = (await n8n.editor.executions(agentTrigger)).length;
	await advance(45);
	expect((await outputOf(n8n.editor, executionId, 'After'))[0]).not.toHaveProperty('outcome');
	expect(await n8n.editor.executions(agentTrigger)).toHaveLength(before);
}, 150_000);

test("A campaign's call is over after its last try, or when its report is there", async () => {
	const campaign = { resource: 'campaign', operation: 'queueCallAndWait', campaign: byId(seed.campaigns.active) };
	const end = await start('End', ['+12025600001'], campaign);
	const report = await start('Report', ['+12025610001'], { ...campaign, waitFor: 'report' });
	await statusBecomes(end.executionId, 'waiting');
	await statusBecomes(report.executionId, 'waiting');
	await advance(60);
	await statusBecomes(end.executionId, 'success');
	await statusBecomes(report.executionId, 'success');
	expect(await outputOf(n8n.editor, end.executionId, 'After')).toMatchObject([
		{ outcome: 'completed', duration: 30, event: { event: 'campaign_call.completed' } },
	]);
	expect(await outputOf(n8n.editor, report.executionId, 'After')).toMatchObject([
		{ outcome: 'completed', event: { event: 'event_call_report', summary: expect.any(String) } },
	]);
}, 120_000);

test('Nobody is called where no published trigger could tell what becomes of the call', async () => {
	const before = (await sentCalls()).length;
	await n8n.unpublish(agentTrigger);
	await waitFor(async () => (await agentWebhooks()).length === 0 || undefined, { seconds: 20 });
	const { workflowId } = await start('Nobody', ['+12025620001'], {});
	const [execution] = await n8n.finished(workflowId, 1);
	expect(execution.status).toBe('error');
	expect((await n8n.editor.execution(execution.id)).data).toContain(
		'No published Voice Agent Calling Trigger of this n8n listens to the agent',
	);
	expect(await sentCalls()).toHaveLength(before);
	await n8n.editor.publish(agentTrigger);
	await waitFor(async () => (await agentWebhooks()).length === 1 || undefined, { seconds: 20 });
}, 60_000);

describe('What is forged resumes nothing:', () => {
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
		({ executionId } = await start('Forged', [number], {}));
		await statusBecomes(executionId, 'waiting');
		ticket = await ticketOf(number);
	}, 60_000);

	afterAll(() => elsewhere?.close());
	beforeEach(async () => expect(await status(executionId)).toBe('waiting'));

	const sealed = async (changed: Partial<Ticket>, token = n8n.sandbox.token) => {
		const keys = await keysOf(token);
		return { context: { [TICKET_FIELD]: seal(keys.tickets, { ...ticket, ...changed }) }, call_id: 'forged' };
	};

	test('an event that the service has not signed', async () => {
		const [{ webhook_url }] = await agentWebhooks();
		const body = JSON.stringify({ event: 'event_phone_call_ended', ...(await sealed({})) });
		const response = await fetch(webhook_url, {
			method: 'POST',
			body,
			headers: { 'content-type': 'application/json' },
		});
		expect(response.status).toBe(401);
	});

	test('a ticket that leads to another host, or to another address of this n8n', async () => {
		const [{ id }] = await agentWebhooks();
		const { port } = elsewhere.address() as AddressInfo;
		const away = `http://127.0.0.1:${port}${new URL(ticket.url).pathname}`;
		await n8n.delivered(id, { event: 'event_phone_call_ended', data: await sealed({ url: away }) });
		const login = new URL('/rest/login', ticket.url).href;
		await n8n.delivered(id, { event: 'event_phone_call_ended', data: await sealed({ url: login, item: 1 }) });
		expect(heard).toEqual([]);
	});

	test('a ticket that was sealed with another token', async () => {
		const [{ id }] = await agentWebhooks();
		await n8n.delivered(id, { event: 'event_phone_call_ended', data: await sealed({}, 'another token') });
	});

	test('a ticket of another execution, another node and another run', async () => {
		const [{ id }] = await agentWebhooks();
		for (const changed of [{ execution: '1' }, { node: 'other' }, { run: 1 }]) {
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
		expect(await answerTo(ticket, message, 'another token')).toBe(401);
		expect(await answerTo(ticket, { ...message, at: Date.now() - 600_000 })).toBe(401);
	});

	test('a message to the waiting node that is meant for another execution, another node or another run', async () => {
		const message = { ...ticket, event: { status: 'completed' }, at: Date.now() };
		for (const changed of [{ execution: '1' }, { node: 'other' }, { run: 1 }]) {
			expect(await answerTo(ticket, { ...message, ...changed })).toBe(409);
		}
	});

	test('and the true event still does', async () => {
		await advance(45);
		await statusBecomes(executionId, 'success');
		expect(await outputOf(n8n.editor, executionId, 'After')).toMatchObject([{ outcome: 'completed' }]);
	});
});
