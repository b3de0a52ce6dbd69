import { createAgent, runAgent } from './agentWorkflow.mts';
import { modelFor } from './example.mts';
import type { Turn } from './fakeModel.mts';
import { postJson } from './handmade.mts';
import { byId, Instance } from './instance.mts';
import { publishMcpServer, toolNode } from './mcpServer.mts';

const COSTS = 'A real phone rings. The call costs money.';
const phones = ['+12025550111', '+12025550122', '+12025550133'];

let n8n: Instance;
let agent: string;
let campaigns: { active: string; paused: string };

beforeAll(async () => {
	n8n = await Instance.share();
	agent = n8n.sandbox.agentId;
	({ campaigns } = (await n8n.service.get('/_sandbox/seed')).data);
});

beforeEach(async () => {
	await n8n.service.post('/_sandbox/reset');
});

const fromAi = (name: string, more = "'', 'string'") => `={{ $fromAI('${name}', ${more}) }}`;
const place = (more = {}) => ({
	resource: 'call',
	operation: 'place',
	agent: byId(agent),
	phoneNumber: fromAi('phone'),
	...more,
});
const ask = (args: object): Turn => ({ tool: 'Phone', args: { ...args } });

/** The numbers that the service was asked to call. */
const numbers = async () => (await n8n.dialed()).map(({ to }) => to);

test('An AI agent is warned of a real call, places the one call per run that it may place, and is refused the next', async () => {
	const turns = [...phones.map((phone) => ask({ phone })), { say: 'The call is placed.' }];
	const { status, offered, toolAnswers } = await runAgent(n8n, { Phone: place() }, turns);
	expect(status).toBe('success');
	expect(offered[0]).toMatchObject([{ name: 'Phone', description: expect.stringContaining(COSTS) }]);
	expect(await numbers()).toEqual(phones.slice(0, 1));
	expect(toolAnswers[0]).toContain(phones[0]);
	expect(toolAnswers.slice(1).join()).toContain('limit of 1 call per run');
});

test('In a published chat, where each message is an execution, an agent is held by Max Calls per Hour', async () => {
	const model = await modelFor(
		n8n,
		phones.flatMap((phone): Turn[] => [ask({ phone }), { say: `Done with ${phone}` }]),
	);
	const webhookId = crypto.randomUUID();
	const chat = n8n.node('Chat', '@n8n/n8n-nodes-langchain.chatTrigger', 1.1, { public: true, options: {} });
	const prompt = { promptType: 'auto' };
	const tools = { Phone: place({ maxCallsPerHour: 2 }) };
	await n8n.editor.publish(await createAgent(n8n, tools, { model, start: { ...chat, webhookId }, prompt }));
	for (const phone of phones) {
		const message = { action: 'sendMessage', sessionId: 'one', chatInput: `Call ${phone}` };
		const { text } = await postJson(`${n8n.n8n.url}/webhook/${webhookId}/chat`, message);
		expect(JSON.parse(text)).toEqual({ output: `Done with ${phone}` });
	}
	expect(await numbers()).toEqual(phones.slice(0, 2));
	expect(model.toolAnswers.join()).toContain('limit of 2 calls per hour');
});

describe('As tools of the MCP Server Trigger, asked by a client of the public MCP SDK', () => {
	let client: Awaited<ReturnType<typeof harness.connectMcp>>;

	beforeAll(async () => {
		const change = { resource: 'campaign', operation: 'update', campaign: byId(campaigns.paused) };
		const tools = {
			Phone: place({ maxCallsPerHour: 2 }),
			Max_Calls: place({ maxCalls: fromAi('it', "'', 'number'") }),
			Do_Not_Call: { ...change, updateFields: { doNotCall: fromAi('it', "'', 'boolean'") } },
			Unpublish: { resource: 'agent', operation: 'unpublish', agent: byId(agent) },
			Rename: { ...change, updateFields: { name: fromAi('it'), doNotCall: true } },
		};
		const nodes = Object.entries(tools).map(([name, parameters]) => toolNode(n8n, name, parameters));
		client = await harness.connectMcp((await publishMcpServer(n8n, nodes)).url);
	});

	afterAll(async () => await client?.close());

	test('it tells the client its limit, places the call, and is held by Max Calls per Hour', async () => {
		const description = expect.stringContaining(`${COSTS} Limits of calls: 1 in each run of the workflow, 2 per hour.`);
		const inputSchema = { properties: { phone: { type: 'string' } } };
		expect((await client.tools()).find(({ name }) => name === 'Phone')).toMatchObject({ description, inputSchema });
		const answers: string[] = [];
		for (const phone of phones) {
			answers.push(await client.call('Phone', { phone }));
		}
		const wanted = [...phones.slice(0, 2), 'limit of 2 calls per hour'];
		expect(answers).toEqual(wanted.map((part) => expect.stringContaining(part)));
		expect(await numbers()).toEqual(phones.slice(0, 2));
	});

	const changes = async () => (await n8n.requests()).filter(({ method }) => method !== 'GET');

	test('nothing is sent for a limit, a protection or an operation that the client may not choose', async () => {
		for (const [name, it, refusal] of [
			['Max_Calls', 100, "'Max Calls per Run' must be a fixed value"],
			['Do_Not_Call', false, "'Skip Do-Not-Call Numbers' is not available to AI agents"],
			['Unpublish', undefined, "'Unpublish' is not available to AI agents"],
		] as const) {
			expect(await client.call(name, { phone: phones[0], it })).toContain(refusal);
		}
		expect(await changes()).toEqual([]);
		// The same setting is sent where a person has set it.
		await client.call('Rename', { it: 'Renamed' });
		expect(await changes()).toMatchObject([{ status: 200, body: { name: 'Renamed', do_not_call_enabled: true } }]);
	});
});
