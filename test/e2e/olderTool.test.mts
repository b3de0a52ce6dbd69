// The node as a tool in any version of n8n: agent.test.mts has the rest, with the newest AI Agent.

import { OLDER_AGENT, runAgent } from './agentWorkflow.mts';
import type { Turn } from './fakeModel.mts';
import { byId, Instance } from './instance.mts';
import { connectMcp } from './mcpClient.mts';
import { publishMcpServer, toolNode } from './mcpServer.mts';

let n8n: Instance;

beforeAll(async () => {
	n8n = await Instance.share();
});

const place = () => ({
	resource: 'call',
	operation: 'place',
	agent: byId(n8n.sandbox.agentId),
	phoneNumber: "={{ $fromAI('phone', 'The number to call', 'string') }}",
});

const numbers = async () => (await n8n.dialed()).map(({ to }) => to);

test('An AI agent is warned of a real call, places the one it may place, and is refused the next', async () => {
	const phones = ['+12025550111', '+12025550122'];
	const turns = phones.map((phone): Turn => ({ tool: 'Phone', args: { phone } }));
	const run = await runAgent(n8n, { Phone: place() }, turns, OLDER_AGENT);
	expect(run.status).toBe('success');
	const description = expect.stringMatching(/A real phone rings\. .*The call costs money/s);
	expect(run.offered[0]).toMatchObject([{ name: 'Phone', description }]);
	expect(run.toolAnswers[0]).toContain(phones[0]);
	expect(await numbers()).toEqual(phones.slice(0, 1));
});

test('A tool of the MCP Server Trigger calls once, although Retry On Fail tries again after an unknown outcome', async () => {
	const before = (await numbers()).length;
	const tries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const server = await publishMcpServer(n8n, [{ ...toolNode(n8n, 'Phone', place()), ...tries }]);
	const client = await connectMcp(server.url);
	await n8n.fault('POST', `/api/v1/agents/${n8n.sandbox.agentId}/call`, { kind: 'drop-after' });
	await client.call('Phone', { phone: '+12025550133' });
	await client.close();
	expect((await numbers()).slice(before)).toEqual(['+12025550133']);
});
