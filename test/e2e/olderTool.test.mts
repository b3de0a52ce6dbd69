// The node as a tool in any version of n8n: agent.test.mts has the rest, with the newest AI Agent.

import { runAgent } from './agentWorkflow.mts';
import type { Turn } from './fakeModel.mts';
import { Instance } from './instance.mts';
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

test('An AI agent is warned of a real call, places the one it may place, and is refused the next', async () => {
	const phone = {
		resource: 'call',
		operation: 'place',
		agent: { __rl: true, mode: 'id', value: agent },
		phoneNumber: "={{ $fromAI('phone', 'The number to call', 'string') }}",
	};
	const numbers = ['+12025550111', '+12025550122'];
	const turns = numbers.map((number): Turn => ({ tool: 'Phone', args: { phone: number } }));
	const run = await runAgent(n8n, { Phone: phone }, [...turns, { say: 'Done.' }], AGENT);
	expect(run.status).toBe('success');
	expect(run.offered[0]).toMatchObject([
		{ name: 'Phone', description: expect.stringContaining('A real phone rings, and the call costs money.') },
	]);
	expect(run.toolAnswers[0]).toContain(numbers[0]);
	expect(run.toolAnswers[1]).toContain(tellsAgents ? 'limit of 1 call per run' : '');
	const placed = (await n8n.requests()).filter(({ method, path }) => method === 'POST' && path.endsWith('/call'));
	expect(placed.map(({ body }) => body?.to)).toEqual(numbers.slice(0, 1));
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
