import { createAgent } from './agentWorkflow.mts';
import { modelFor } from './example.mts';
import type { Turn } from './fakeModel.mts';
import { postJson } from './handmade.mts';
import { byId, Instance } from './instance.mts';
import { publishMcpServer, toolNode } from './mcpServer.mts';

const COSTS = 'A real phone rings. The call costs money.';
const phones = ['+12025550111', '+12025550122', '+12025550133'];

let n8n: Instance;

beforeAll(async () => {
	n8n = await Instance.share();
});

beforeEach(async () => await n8n.service.post('/_sandbox/reset'));

/** A tool that places two calls in an hour. */
const place = () => ({
	resource: 'call',
	operation: 'place',
	agent: byId(n8n.sandbox.agentId),
	phoneNumber: "={{ $fromAI('phone', '', 'string') }}",
	maxCallsPerHour: 2,
});

/** The numbers that the service was asked to call. */
const numbers = async () => (await n8n.dialed()).map(({ to }) => to);

test('In a published chat, where each message is an execution, an agent is held by Max Calls per Hour', async () => {
	const model = await modelFor(
		n8n,
		phones.flatMap((phone): Turn[] => [{ tool: 'Phone', args: { phone } }, { say: `Done with ${phone}` }]),
	);
	const webhookId = crypto.randomUUID();
	const chat = n8n.node('Chat', '@n8n/n8n-nodes-langchain.chatTrigger', 1.1, { public: true, options: {} });
	const prompt = { promptType: 'auto' };
	await n8n.editor.publish(
		await createAgent(n8n, { Phone: place() }, { model, start: { ...chat, webhookId }, prompt }),
	);
	for (const phone of phones) {
		const message = { action: 'sendMessage', sessionId: 'one', chatInput: `Call ${phone}` };
		const { text } = await postJson(`${n8n.n8n.url}/webhook/${webhookId}/chat`, message);
		expect(JSON.parse(text)).toEqual({ output: `Done with ${phone}` });
	}
	expect(await numbers()).toEqual(phones.slice(0, 2));
	expect(model.toolAnswers.join()).toContain('limit of 2 calls per hour');
});

test('As a tool of the MCP Server Trigger it tells a client of the public MCP SDK its limits, places the call, and is held by Max Calls per Hour', async () => {
	const { url } = await publishMcpServer(n8n, [toolNode(n8n, 'Phone', place())]);
	const client = await harness.connectMcp(url);
	const description = expect.stringContaining(`${COSTS} Limits of calls: 1 in each run of the workflow, 2 per hour.`);
	const inputSchema = { properties: { phone: { type: 'string' } } };
	expect(await client.tools()).toMatchObject([{ name: 'Phone', description, inputSchema }]);
	const answers: string[] = [];
	for (const phone of phones) {
		answers.push(await client.call('Phone', { phone }));
	}
	await client.close();
	const wanted = [...phones.slice(0, 2), 'limit of 2 calls per hour'];
	expect(answers).toEqual(wanted.map((part) => expect.stringContaining(part)));
	expect(await numbers()).toEqual(phones.slice(0, 2));
});
