import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { waitFor } from '../../scripts/lib/waiting.mts';
import { startFakeModel, type Turn } from './fakeModel.mts';
import { Instance, type WorkflowNode } from './instance.mts';

let n8n: Instance;
let seed: { agents: { published: string }; campaigns: { active: string } };

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
async function runAgent(parameters: Record<string, unknown>, turns: Turn[]) {
	const model = await startFakeModel(turns);
	const { id: credentialId } = await n8n.editor.request<{ id: string }>('POST', '/rest/credentials', {
		name: 'Fake model',
		type: 'openAiApi',
		data: { apiKey: 'none', url: model.url },
	});
	const tool: WorkflowNode = n8n.node('Phone', 'n8n-nodes-voice-agent-calling.voiceAgentCallingTool', 1, parameters);
	const chat: WorkflowNode = {
		...n8n.node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, {
			model: { __rl: true, mode: 'id', value: 'fake' },
		}),
		credentials: { openAiApi: { id: credentialId, name: 'Fake model' } },
	};
	const nodes = [
		n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		n8n.node('Agent', '@n8n/n8n-nodes-langchain.agent', 3, {
			promptType: 'define',
			text: 'Call the customer.',
			options: { enableStreaming: false },
		}),
		chat,
		tool,
	];
	const { id } = await n8n.editor.request<{ id: string }>('POST', '/rest/workflows', {
		name: 'Agent',
		nodes,
		// As the editor creates workflows.
		settings: { executionOrder: 'v1' },
		connections: {
			Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
			Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
			Phone: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
		},
	});
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
		expect(first.toolAnswers.join()).toContain('not open to an AI agent');
		const cancels = {
			resource: 'campaign',
			operation: 'setStatus',
			campaign: byId(seed.campaigns.active),
			status: "={{ $fromAI('status', 'The status', 'string') }}",
		};
		const second = await runAgent(cancels, [{ tool: 'Phone', args: { status: 'cancelled' } }]);
		expect(second.toolAnswers.join()).toContain('not open to an AI agent');
		const { data } = await n8n.service.get<Array<{ method: string }>>('/_sandbox/requests');
		expect(data.filter(({ method }) => method !== 'GET')).toEqual([]);
	}, 90_000);
});
