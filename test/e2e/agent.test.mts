import { randomUUID } from 'node:crypto';

import { createAgent, runAgent } from './agentWorkflow.mts';
import { startFakeModel, type Turn } from './fakeModel.mts';
import { Instance } from './instance.mts';
import { publishMcpServer, toolNode } from './mcpServer.mts';

let n8n: Instance;
let seed: {
	agents: { published: string };
	campaigns: { active: string; paused: string };
	calendar: string;
	calendarEvent: string;
};

beforeAll(async () => {
	n8n = await Instance.share();
	seed = (await n8n.service.get('/_sandbox/seed')).data;
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

beforeEach(async () => {
	await n8n.service.post('/_sandbox/reset');
});

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const place = () => ({
	resource: 'call',
	operation: 'place',
	agent: byId(seed.agents.published),
	phoneNumber: "={{ $fromAI('phone', 'The number to call', 'string') }}",
});

/** Runs an agent whose only tool is the node with these parameters; the model does what `turns` says. */
const runWithPhone = async (parameters: Record<string, unknown>, turns: Turn[]) =>
	await runAgent(n8n, { Phone: parameters }, turns);

/** The variables of the calls that the service was asked for. */
async function payloads(): Promise<unknown[]> {
	const { data } =
		await n8n.service.get<Array<{ method: string; path: string; body: { payload?: unknown } }>>('/_sandbox/requests');
	return data.filter(({ method, path }) => method === 'POST' && path.endsWith('/call')).map(({ body }) => body.payload);
}

/** The numbers that the service was asked to call. */
async function dialed(): Promise<string[]> {
	const { data } =
		await n8n.service.get<Array<{ method: string; path: string; body: { to: string } }>>('/_sandbox/requests');
	return data.filter(({ method, path }) => method === 'POST' && path.endsWith('/call')).map(({ body }) => body.to);
}

describe('An AI agent with the node as a tool, in a real n8n', () => {
	test('gets a description that warns of a real call, and places the call that the model requests', async () => {
		const { status, offered, toolAnswers } = await runWithPhone(place(), [
			{ tool: 'Phone', args: { phone: '+12025550111' } },
			{ say: 'The call is placed.' },
		]);
		expect(status).toBe('success');
		expect(offered[0]).toMatchObject([
			{ name: 'Phone', description: expect.stringContaining('A real phone rings. The call costs money.') },
		]);
		expect(await dialed()).toEqual(['+12025550111']);
		expect(toolAnswers[0]).toContain('+12025550111');
	}, 60_000);

	test('lets the model fill each variable of the agent, and tells it which one has no value', async () => {
		await n8n.givePrompt(seed.agents.published, 'Greet {{first_name}} of {{company}}.');
		const value = {
			first_name: "={{ $fromAI('first_name', 'First name of the person', 'string') }}",
			company: "={{ $fromAI('company', 'Where the person works', 'string', '') }}",
		};
		const column = (id: string) => ({ id, displayName: id, type: 'string', required: false, display: true });
		const agentVariables = { mappingMode: 'defineBelow', value, schema: Object.keys(value).map(column) };
		const { status, offered, toolAnswers } = await runWithPhone({ ...place(), maxCalls: 2, agentVariables }, [
			{ tool: 'Phone', args: { phone: '+12025550111', first_name: 'Ada', company: 'ACME' } },
			{ tool: 'Phone', args: { phone: '+12025550122', first_name: 'Grace', company: '' } },
			{ say: 'Ada is called.' },
		]);
		expect(status).toBe('success');
		expect(Object.keys(offered[0][0].parameters.properties ?? {}).sort()).toEqual(['company', 'first_name', 'phone']);
		expect(await payloads()).toEqual([{ first_name: 'Ada', company: 'ACME' }]);
		expect(toolAnswers[0]).toContain('+12025550111');
		expect(toolAnswers[1]).toContain('variables of the agent have no value: company');
	}, 60_000);

	test('maps automatically only what the model gives under the name of a variable', async () => {
		await n8n.givePrompt(seed.agents.published, 'Call {{phone}} for {{first_name}}.');
		const agentVariables = { mappingMode: 'autoMapInputData', value: null };
		const { toolAnswers } = await runWithPhone({ ...place(), agentVariables }, [
			{ tool: 'Phone', args: { phone: '+12025550111', first_name: 'Ada', other: 'secret' } },
			{ say: 'Called.' },
		]);
		expect(await payloads()).toEqual([{ phone: '+12025550111', first_name: 'Ada' }]);
		expect(toolAnswers[0]).toContain('+12025550111');
	}, 60_000);

	test('is told of each operation that can make a phone ring that this costs money, and of the limits', async () => {
		const campaign = byId(seed.campaigns.active);
		const phoneNumber = "={{ $fromAI('phone', 'The number to call', 'string') }}";
		const { offered } = await runAgent(
			n8n,
			{
				Place: { ...place(), maxCalls: 3, maxCallsPerHour: 7, allowedPrefixes: '+1 202, +49' },
				Queue: { resource: 'campaign', operation: 'queueCall', campaign, phoneNumber },
				Status: { resource: 'campaign', operation: 'setStatus', campaign, status: 'active' },
				Import: { resource: 'campaignSftp', operation: 'triggerImport', campaign },
				Request: { resource: 'service', operation: 'makeApiRequest', method: 'POST', path: 'calls' },
				Test: { ...place(), testCall: 'always' },
				Own: { ...place(), toolDescription: 'Calls the customer of this chat.' },
				List: { resource: 'agent', operation: 'getAll' },
			},
			[{ say: 'Nothing to do.' }],
		);
		const told = Object.fromEntries(offered[0]?.map(({ name, description }) => [name, description]) ?? []);
		expect(told).toEqual({
			Place:
				'Place a phone call with a voice agent. A real phone rings. The call costs money. Limits of calls: 3 in each run of the workflow, 7 per hour, only to numbers that start with +1 202, +49.',
			Queue:
				'Queue a phone call in a campaign. A real phone rings. The call costs money. Limits of calls: 1 in each run of the workflow, 10 per hour.',
			Test: expect.stringContaining('A real phone rings. Test calls cost nothing. Limits of calls: 1 in'),
			Status: expect.stringMatching(/^Set the status of a campaign\..* real phones ring, and the calls cost money\.$/),
			Import: expect.stringMatching(/^Import the contact files.* real phones ring, and the calls cost money\.$/),
			Request: expect.stringMatching(/^Send a request.* makes a real phone ring, and the call costs money\.$/),
			Own: 'Calls the customer of this chat.',
			List: 'Get many agents in Voice Agent Calling',
		});
	}, 60_000);

	test('gets only the fields that it selects', async () => {
		const { toolAnswers } = await runWithPhone(
			{
				resource: 'agent',
				operation: 'getAll',
				output: 'selectedFields',
				outputFields: "={{ $fromAI('fields', 'The fields, separated by commas', 'string') }}",
			},
			[
				{ tool: 'Phone', args: { fields: 'label, current_status' } },
				{ tool: 'Phone', args: { fields: 'label, phone' } },
			],
		);
		const agents = JSON.parse(toolAnswers[0] ?? '') as object[];
		expect(agents.length).toBeGreaterThan(1);
		expect(new Set(agents.flatMap(Object.keys))).toEqual(new Set(['id', 'label', 'current_status']));
		expect(toolAnswers[1]).toContain('phone_numbers');
	}, 60_000);

	test('places one call per run unless the node allows more', async () => {
		const numbers = ['+12025550111', '+12025550122', '+12025550133'];
		const turns = (): Turn[] => numbers.map((phone) => ({ tool: 'Phone', args: { phone } }));
		const { toolAnswers } = await runWithPhone(place(), turns());
		expect(await dialed()).toEqual(numbers.slice(0, 1));
		expect(toolAnswers.slice(1).join()).toContain('limit of 1 call per run');

		await n8n.service.post('/_sandbox/reset');
		await runWithPhone({ ...place(), maxCalls: 2 }, turns());
		expect(await dialed()).toEqual(numbers.slice(0, 2));
	}, 90_000);

	test('calls only numbers with an allowed prefix', async () => {
		const { toolAnswers } = await runWithPhone({ ...place(), maxCalls: 5, allowedPrefixes: '+1 202, +49' }, [
			{ tool: 'Phone', args: { phone: '+33123456789' } },
			{ tool: 'Phone', args: { phone: '0049 30 1234567' } },
		]);
		expect(toolAnswers[0]).toContain('This tool may not call +33123456789');
		expect(toolAnswers[0]).toContain('start with +1202 or +49');
		expect(await dialed()).toEqual(['+49301234567']);
	}, 60_000);

	test('cannot delete anything or cancel a campaign, even where the workflow says so', async () => {
		const deletes = {
			resource: 'webhook',
			operation: 'delete',
			campaign: byId(seed.campaigns.active),
			webhook: byId('x'),
		};
		const first = await runWithPhone(deletes, [{ tool: 'Phone', args: {} }]);
		expect(first.toolAnswers.join()).toContain('not available to AI agents');
		const cancels = {
			resource: 'campaign',
			operation: 'setStatus',
			campaign: byId(seed.campaigns.active),
			status: "={{ $fromAI('status', 'The status', 'string') }}",
		};
		const second = await runWithPhone(cancels, [{ tool: 'Phone', args: { status: 'cancelled' } }]);
		expect(second.toolAnswers.join()).toContain('not available to AI agents');
		const { data } = await n8n.service.get<Array<{ method: string }>>('/_sandbox/requests');
		expect(data.filter(({ method }) => method !== 'GET')).toEqual([]);
	}, 90_000);
});

describe('In a published chat, where each message is an execution of its own', () => {
	let model: Awaited<ReturnType<typeof startFakeModel>>;
	let workflowId: string;
	const phones = ['+12025550111', '+12025550122', '+12025550133'];

	beforeAll(async () => {
		model = await startFakeModel(
			phones.flatMap((phone): Turn[] => [{ tool: 'Phone', args: { phone } }, { say: `Done with ${phone}` }]),
		);
	});

	afterAll(async () => {
		await model.close();
		await n8n.unpublish(workflowId);
	});

	test('an agent is held by Max Calls per Hour', async () => {
		const parameters = { public: true, options: {} };
		const start = {
			...n8n.node('Chat', '@n8n/n8n-nodes-langchain.chatTrigger', 1.1, parameters),
			webhookId: randomUUID(),
		};
		workflowId = await createAgent(n8n, { Phone: { ...place(), maxCallsPerHour: 2 } }, model.url, start, {
			promptType: 'auto',
		});
		await n8n.editor.publish(workflowId);
		const url = `${n8n.n8n.url}/webhook/${start.webhookId}/chat`;
		const send = async (text: string) =>
			await fetch(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ action: 'sendMessage', sessionId: 'one', chatInput: text }),
			});
		const told: string[] = [];
		for (const phone of phones) {
			const response = await send(`Call ${phone}`);
			expect(await response.json()).toEqual({ output: `Done with ${phone}` });
			told.push(model.toolAnswers.join());
		}
		expect(await n8n.editor.executions(workflowId)).toHaveLength(phones.length);
		expect(await dialed()).toEqual(phones.slice(0, 2));
		expect(told[2]).toContain('limit of 2 calls per hour');
	}, 90_000);
});

describe('As tools of the MCP Server Trigger, asked by a client of the public MCP SDK', () => {
	let client: Awaited<ReturnType<typeof harness.connectMcp>>;
	let workflowId: string;

	beforeAll(async () => {
		const fromAi = (type: string) => `={{ $fromAI('it', '', '${type}') }}`;
		const event = { calendar: byId(seed.calendar), calendarEvent: byId(seed.calendarEvent) };
		const tools = [
			toolNode(n8n, 'Phone', {
				...place(),
				maxCallsPerHour: 2,
			}),
			toolNode(n8n, 'Max_Calls', { ...place(), maxCalls: fromAi('number') }),
			toolNode(n8n, 'Max_Calls_per_Hour', { ...place(), maxCallsPerHour: fromAi('number') }),
			toolNode(n8n, 'Prefixes', { ...place(), allowedPrefixes: fromAi('string') }),
			toolNode(n8n, 'Event', {
				...{ resource: 'calendarEvent', operation: 'update', ...event },
				updateFields: { status: fromAi('string') },
			}),
			toolNode(n8n, 'Do_Not_Call', {
				...{ resource: 'campaign', operation: 'update', campaign: byId(seed.campaigns.paused) },
				updateFields: { doNotCall: fromAi('boolean') },
			}),
			toolNode(n8n, 'Unpublish', { resource: 'agent', operation: 'unpublish', agent: byId(seed.agents.published) }),
			toolNode(n8n, 'Rename', {
				...{ resource: 'campaign', operation: 'update', campaign: byId(seed.campaigns.paused) },
				updateFields: { name: fromAi('string'), doNotCall: true },
			}),
		];
		const server = await publishMcpServer(n8n, tools);
		workflowId = server.id;
		client = await harness.connectMcp(server.url);
	}, 60_000);

	afterAll(async () => {
		await client?.close();
		await n8n.unpublish(workflowId);
	});

	test('it tells the client its limit, places the call, and is held by Max Calls per Hour', async () => {
		expect((await client.tools()).find(({ name }) => name === 'Phone')).toMatchObject({
			description: expect.stringContaining(
				'A real phone rings. The call costs money. Limits of calls: 1 in each run of the workflow, 2 per hour.',
			),
			inputSchema: { properties: { phone: { type: 'string' } } },
		});
		const phones = ['+12025550111', '+12025550122', '+12025550133'];
		const answers: string[] = [];
		for (const phone of phones) {
			answers.push(await client.call('Phone', { phone }));
		}
		expect(answers.slice(0, 2)).toEqual(phones.slice(0, 2).map((phone) => expect.stringContaining(phone)));
		expect(answers[2]).toContain('limit of 2 calls per hour');
		expect(await dialed()).toEqual(phones.slice(0, 2));
	});

	test.each([
		['Max_Calls', 100, "'Max Calls per Run' must be a fixed value"],
		['Max_Calls_per_Hour', 100, "'Max Calls per Hour' must be a fixed value"],
		['Prefixes', '+1', "'Allowed Number Prefixes' must be a fixed value"],
		['Event', 'cancelled', '\'Status\' "cancelled" is not available to AI agents'],
		['Do_Not_Call', false, "'Skip Do-Not-Call Numbers' is not available to AI agents"],
		['Unpublish', undefined, "'Unpublish' is not available to AI agents"],
	])('nothing is sent for %s with %j from the client', async (name, it, refusal) => {
		expect(await client.call(name, { phone: '+12025550111', it })).toContain(refusal);
		expect((await n8n.requests()).filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	test('the same setting is sent where a person has set it', async () => {
		await client.call('Rename', { it: 'Renamed' });
		const changes = (await n8n.requests()).filter(({ method }) => method !== 'GET');
		expect(changes).toMatchObject([{ status: 200, body: { name: 'Renamed', do_not_call_enabled: true } }]);
	});
});
