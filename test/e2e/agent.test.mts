import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { until, waitFor } from '../../scripts/lib/waiting.mts';
import { startFakeModel, type Turn } from './fakeModel.mts';
import { Instance, type WorkflowNode } from './instance.mts';
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

/**
 * Creates a workflow with an agent whose only tool is the node with these parameters.
 *
 * @param modelUrl of a fake model
 * @param start what starts the agent
 * @returns the ID of the workflow
 */
async function createAgent(
	parameters: Record<string, unknown>,
	modelUrl: string,
	start: WorkflowNode,
	prompt: Record<string, unknown>,
): Promise<string> {
	const credentialId = await n8n.createCredential('Fake model', 'openAiApi', { apiKey: 'none', url: modelUrl });
	const chat: WorkflowNode = {
		...n8n.node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, {
			model: { __rl: true, mode: 'id', value: 'fake' },
		}),
		credentials: { openAiApi: { id: credentialId, name: 'Fake model' } },
	};
	const nodes = [
		start,
		n8n.node('Agent', '@n8n/n8n-nodes-langchain.agent', 3, { ...prompt, options: { enableStreaming: false } }),
		chat,
		toolNode(n8n, 'Phone', parameters),
	];
	const { id } = await n8n.editor.request<{ id: string }>('POST', '/rest/workflows', {
		name: 'Agent',
		nodes,
		// As the editor creates workflows.
		settings: { executionOrder: 'v1' },
		connections: {
			[start.name]: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
			Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
			Phone: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
		},
	});
	return id;
}

/** Runs an agent whose only tool is the node with these parameters; the model does what `turns` says. */
async function runAgent(parameters: Record<string, unknown>, turns: Turn[]) {
	const model = await startFakeModel(turns);
	const start = n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {});
	const id = await createAgent(parameters, model.url, start, { promptType: 'define', text: 'Call the customer.' });
	const executionId = await n8n.editor.run(id, 'Start');
	const isOver = async () => {
		const { status } = await n8n.editor.execution(executionId);
		return ['success', 'error', 'crashed', 'canceled'].includes(status) ? status : undefined;
	};
	const status = await waitFor(isOver, { seconds: 30 });
	await model.close();
	if (status !== 'success') {
		writeFileSync(join(n8n.folder, 'agent-execution.json'), (await n8n.editor.execution(executionId)).data);
	}
	return { status, ...model };
}

/** The numbers that the service was asked to call. */
async function dialed(): Promise<string[]> {
	const { data } =
		await n8n.service.get<Array<{ method: string; path: string; body: { to: string } }>>('/_sandbox/requests');
	return data.filter(({ method, path }) => method === 'POST' && path.endsWith('/call')).map(({ body }) => body.to);
}

describe('An AI agent with the node as a tool, in a real n8n', () => {
	test('gets a description that warns of a real call, and places the call that the model requests', async () => {
		const { status, offered, toolAnswers } = await runAgent(place(), [
			{ tool: 'Phone', args: { phone: '+12025550111' } },
			{ say: 'The call is placed.' },
		]);
		expect(status).toBe('success');
		expect(offered[0]).toMatchObject([
			{ name: 'Phone', description: expect.stringContaining('makes a real phone ring') },
		]);
		expect(await dialed()).toEqual(['+12025550111']);
		expect(toolAnswers[0]).toContain('+12025550111');
	}, 60_000);

	test('places one call per run unless the node allows more', async () => {
		const numbers = ['+12025550111', '+12025550122', '+12025550133'];
		const turns = (): Turn[] => numbers.map((phone) => ({ tool: 'Phone', args: { phone } }));
		const { toolAnswers } = await runAgent(place(), turns());
		expect(await dialed()).toEqual(numbers.slice(0, 1));
		expect(toolAnswers.slice(1).join()).toContain('all the calls that it may place in one run: 1');

		await n8n.service.post('/_sandbox/reset');
		await runAgent({ ...place(), maxCalls: 2 }, turns());
		expect(await dialed()).toEqual(numbers.slice(0, 2));
	}, 90_000);

	test('calls only numbers with an allowed prefix', async () => {
		const { toolAnswers } = await runAgent({ ...place(), maxCalls: 5, allowedPrefixes: '+1 202, +49' }, [
			{ tool: 'Phone', args: { phone: '+33123456789' } },
			{ tool: 'Phone', args: { phone: '0049 30 1234567' } },
		]);
		expect(toolAnswers[0]).toContain('+33123456789 is not a number that this tool may call');
		expect(toolAnswers[0]).toContain('begin with +1202 or +49');
		expect(await dialed()).toEqual(['+49301234567']);
	}, 60_000);

	test('cannot delete anything or cancel a campaign, even where the workflow says so', async () => {
		const deletes = {
			resource: 'campaignWebhook',
			operation: 'delete',
			campaign: byId(seed.campaigns.active),
			campaignWebhook: byId('x'),
		};
		const first = await runAgent(deletes, [{ tool: 'Phone', args: {} }]);
		expect(first.toolAnswers.join()).toContain('not available to AI agents');
		const cancels = {
			resource: 'campaign',
			operation: 'setStatus',
			campaign: byId(seed.campaigns.active),
			status: "={{ $fromAI('status', 'The status', 'string') }}",
		};
		const second = await runAgent(cancels, [{ tool: 'Phone', args: { status: 'cancelled' } }]);
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
		workflowId = await createAgent({ ...place(), maxCallsPerHour: 2 }, model.url, start, { promptType: 'auto' });
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
			// n8n registers the chat a moment after it has published the workflow.
			const response = await until(
				async () => {
					const answer = await send(`Call ${phone}`);
					return answer.status === 404 ? undefined : answer;
				},
				{ seconds: 20, otherwise: () => new Error('n8n did not register the chat') },
			);
			expect(await response.json()).toEqual({ output: `Done with ${phone}` });
			told.push(model.toolAnswers.join());
		}
		expect(await n8n.editor.executions(workflowId)).toHaveLength(phones.length);
		expect(await dialed()).toEqual(phones.slice(0, 2));
		expect(told[2]).toContain('all the calls that it may place in an hour: 2');
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
				descriptionType: 'manual',
				toolDescription: '=A real phone rings. At most {{ $parameter.maxCallsPerHour }} calls in an hour.',
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
			description: 'A real phone rings. At most 2 calls in an hour.',
			inputSchema: { properties: { phone: { type: 'string' } } },
		});
		const phones = ['+12025550111', '+12025550122', '+12025550133'];
		const answers: string[] = [];
		for (const phone of phones) {
			answers.push(await client.call('Phone', { phone }));
		}
		expect(answers.slice(0, 2)).toEqual(phones.slice(0, 2).map((phone) => expect.stringContaining(phone)));
		expect(answers[2]).toContain('all the calls that it may place in an hour: 2');
		expect(await dialed()).toEqual(phones.slice(0, 2));
	});

	test.each([
		['Max_Calls', 100, "'Max Calls per Run' is an expression"],
		['Max_Calls_per_Hour', 100, "'Max Calls per Hour' is an expression"],
		['Prefixes', '+1', "'Allowed Number Prefixes' is an expression"],
		['Event', 'cancelled', '\'Status\' "cancelled" is not available to AI agents'],
		['Do_Not_Call', false, "'Do Not Call' is not available to AI agents"],
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
