import { modelFor } from './example.mts';
import type { Turn } from './fakeModel.mts';
import type { Instance, WorkflowNode } from './instance.mts';
import { toolNode } from './mcpServer.mts';

/** The version of the AI Agent node in new workflows of n8n 2.41. */
export const NEWEST_AGENT = 3;

/** That of n8n 1.123, which later versions still run. */
export const OLDER_AGENT = 2;

/** What an agent is made of: its model, the node that starts it, what it is asked, and its version. */
interface Parts {
	model: { use: (node: WorkflowNode) => void };
	start: WorkflowNode;
	prompt: Record<string, unknown>;
	version?: number;
	/** How many items the agent works on at the same moment, if not one. */
	batchSize?: number;
	/** The nodes between the start and the agent. */
	before?: WorkflowNode[];
	/** The output of the last of them that leads to the agent. */
	output?: number;
	/** Whether the agent leads back to the last of them. */
	isLoop?: boolean;
}

/** The parameters of the node as a tool, or another node, by the name of the tool. */
type Tools = Record<string, Record<string, unknown> | WorkflowNode>;

const isNode = (tool: Tools[string]): tool is WorkflowNode => 'typeVersion' in tool;

/** Creates a workflow with an agent; gives its ID. */
export async function createAgent(n8n: Instance, tools: Tools, parts: Parts): Promise<string> {
	const { model, start, version = NEWEST_AGENT, prompt, batchSize, before = [], output = 0, isLoop } = parts;
	const fake = { model: { __rl: true, mode: 'id', value: 'fake' } };
	const chat = n8n.node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, fake);
	model.use(chat);
	const options = { enableStreaming: false, ...(batchSize && { batching: { batchSize } }) };
	const nodes = [
		start,
		...before,
		n8n.node('Agent', '@n8n/n8n-nodes-langchain.agent', version, { ...prompt, options }),
		chat,
		...Object.entries(tools).map(([name, tool]) => (isNode(tool) ? tool : toolNode(n8n, name, tool))),
	];
	const to = (node: string, type = 'main', from = 0) => ({
		[type]: [...Array<[]>(from).fill([]), [{ node, type, index: 0 }]],
	});
	const toAgent = (type: string) => to('Agent', type);
	const chain = [start, ...before].map(({ name }, index) => {
		const next = before[index]?.name;
		return [name, next === undefined ? to('Agent', 'main', output) : to(next)] as const;
	});
	const connections = {
		...Object.fromEntries(chain),
		...(isLoop && { Agent: to(before.at(-1)!.name) }),
		Model: toAgent('ai_languageModel'),
		...Object.fromEntries(Object.keys(tools).map((name) => [name, toAgent('ai_tool')])),
	};
	// Older versions of n8n need `active`. The settings are those with which the editor creates workflows.
	const body = { name: 'Agent', active: false, nodes, settings: { executionOrder: 'v1' }, connections };
	return (await n8n.editor.request<{ id: string }>('POST', '/rest/workflows', body)).id;
}

/**
 * Runs an agent with these tools once; the model does what `turns` says.
 *
 * @returns the status of the execution, the tools that the model was offered, and what they answered
 */
export async function runAgent(n8n: Instance, tools: Tools, turns: Turn[], version = NEWEST_AGENT) {
	const model = await modelFor(n8n, turns);
	const prompt = { promptType: 'define', text: 'Call the customer.' };
	const id = await createAgent(n8n, tools, { model, start: n8n.manualStart(), prompt, version });
	const { status } = await n8n.run(id, 'Start');
	return { status, ...model };
}
