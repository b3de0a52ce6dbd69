import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { waitFor } from '../../scripts/lib/waiting.mts';
import { startFakeModel, type Turn } from './fakeModel.mts';
import type { Instance, WorkflowNode } from './instance.mts';
import { toolNode } from './mcpServer.mts';

/** The version of the AI Agent node in new workflows of n8n 2.41. */
const NEWEST_AGENT = 3;

type Tools = Record<string, Record<string, unknown> | WorkflowNode>;

const isNode = (tool: Tools[string]): tool is WorkflowNode => 'typeVersion' in tool;

/**
 * Creates a workflow with an agent.
 *
 * @param tools the parameters of the node as a tool, or another node, by the name of the tool
 * @param modelUrl of a fake model
 * @param start what starts the agent
 * @param agentVersion of the AI Agent node
 * @returns the ID of the workflow
 */
export async function createAgent(
	n8n: Instance,
	tools: Tools,
	modelUrl: string,
	start: WorkflowNode,
	prompt: Record<string, unknown>,
	agentVersion = NEWEST_AGENT,
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
		n8n.node('Agent', '@n8n/n8n-nodes-langchain.agent', agentVersion, {
			...prompt,
			options: { enableStreaming: false },
		}),
		chat,
		...Object.entries(tools).map(([name, tool]) => (isNode(tool) ? tool : toolNode(n8n, name, tool))),
	];
	const toAgent = { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] };
	const { id } = await n8n.editor.request<{ id: string }>('POST', '/rest/workflows', {
		name: 'Agent',
		// Older versions of n8n need `active`.
		active: false,
		nodes,
		// As the editor creates workflows.
		settings: { executionOrder: 'v1' },
		connections: {
			[start.name]: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
			Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
			...Object.fromEntries(Object.keys(tools).map((name) => [name, toAgent])),
		},
	});
	return id;
}

/**
 * Runs an agent with these tools once; the model does what `turns` says.
 *
 * @returns the status of the execution, the tools that the model was offered, and what they answered
 */
export async function runAgent(n8n: Instance, tools: Tools, turns: Turn[], agentVersion?: number) {
	const model = await startFakeModel(turns);
	const start = n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {});
	const prompt = { promptType: 'define', text: 'Call the customer.' };
	const id = await createAgent(n8n, tools, model.url, start, prompt, agentVersion);
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
