// The node as a tool in any version of n8n: agent.test.mts has the rest, with the newest AI Agent.

import { runAgent } from './agentWorkflow.mts';
import type { Turn } from './fakeModel.mts';
import { Instance } from './instance.mts';
import { connectMcp } from './mcpClient.mts';
import { publishMcpServer, toolNode } from './mcpServer.mts';
import { tellsAgents } from './olderN8n.mts';

/** The AI Agent of n8n 1.100, which later versions still run. */
const AGENT = 2;

let n8n: Instance;
let agent: string;

beforeAll(async () => {
	n8n = await Instance.share();
	agent = (await n8n.service.get('/_sandbox/seed')).data.agents.published;
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

const place = () => ({
	resource: 'call',
	operation: 'place',
	agent: { __rl: true, mode: 'id', value: agent },
	phoneNumber: "={{ $fromAI('phone', 'The number to call', 'string') }}",
});

async function dialed(): Promise<unknown[]> {
	const requests = await n8n.requests();
	return requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/call')).map(({ body }) => body?.to);
}

test('An AI agent is warned of a real call, places the one it may place, and is refused the next', async () => {
	const numbers = ['+12025550111', '+12025550122'];
	const turns = numbers.map((number): Turn => ({ tool: 'Phone', args: { phone: number } }));
	const run = await runAgent(n8n, { Phone: place() }, [...turns, { say: 'Done.' }], AGENT);
	expect(run.status).toBe('success');
	expect(run.offered[0]).toMatchObject([
		{ name: 'Phone', description: expect.stringContaining('A real phone rings. The call costs money.') },
	]);
	expect(run.toolAnswers[0]).toContain(numbers[0]);
	expect(run.toolAnswers[1]).toContain(tellsAgents ? 'limit of 1 call per run' : '');
	expect(await dialed()).toEqual(numbers.slice(0, 1));
}, 60_000);

test('A tool of the MCP Server Trigger calls once, although Retry On Fail tries again after an unknown outcome', async () => {
	const before = (await dialed()).length;
	const tries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const server = await publishMcpServer(n8n, [{ ...toolNode(n8n, 'Phone', place()), ...tries }]);
	const client = await connectMcp(server.url);
	await n8n.service.post('/_sandbox/faults', { match: { method: 'POST' }, kind: 'drop-after', times: 1 });
	await client.call('Phone', { phone: '+12025550133' });
	await client.close();
	await n8n.unpublish(server.id);
	expect((await dialed()).slice(before)).toEqual(['+12025550133']);
}, 60_000);

test('An AI agent is refused what deletes, also where the workflow says so', async () => {
	const campaign = (await n8n.service.get('/_sandbox/seed')).data.campaigns.active;
	const before = (await n8n.requests()).length;
	const deletes = {
		resource: 'webhook',
		operation: 'delete',
		campaign: { __rl: true, mode: 'id', value: campaign },
		webhook: { __rl: true, mode: 'id', value: 'x' },
	};
	const run = await runAgent(n8n, { Phone: deletes }, [{ tool: 'Phone', args: {} }], AGENT);
	expect(run.toolAnswers.join()).toContain(tellsAgents ? 'not available to AI agents' : '');
	expect((await n8n.requests()).slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
}, 60_000);
