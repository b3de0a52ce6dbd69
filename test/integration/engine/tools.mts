import type { IDataObject, INodeType } from 'n8n-workflow';

import { additionalData, type CredentialData, StoredCredentials } from './credentials.mts';
import { core, n8n } from './n8n.mts';
import { KnownNodeTypes } from './nodeTypes.mts';
import { type LoadedPackage, loadPackage } from './package.mts';
import { completeNodes, type NodeSpec } from './workflow.mts';

const { NodeConnectionTypes } = n8n;

/**
 * The package with the tool variant of its action node, which n8n makes of every node that is usable as a tool.
 *
 * @param package_ the package of another process
 */
export async function packageWithTool(package_?: LoadedPackage): Promise<LoadedPackage> {
	const loaded = package_ ?? (await loadPackage());
	const { voiceAgentCalling } = loaded.nodeTypes;
	const description = {
		...voiceAgentCalling.description,
		name: 'voiceAgentCallingTool',
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
	};
	const voiceAgentCallingTool = Object.create(voiceAgentCalling, { description: { value: description } }) as INodeType;
	return { ...loaded, nodeTypes: { ...loaded.nodeTypes, voiceAgentCallingTool } };
}

/** The MCP Server Trigger, as far as n8n-core asks for it. */
const mcpTrigger: INodeType = {
	description: {
		displayName: 'MCP',
		name: 'mcpTrigger',
		group: ['trigger'],
		version: 1,
		description: 'MCP',
		defaults: { name: 'MCP' },
		inputs: [NodeConnectionTypes.AiTool],
		outputs: [],
		properties: [],
	},
};

/** One tool call of an MCP client. @returns what the client is told; an error's message if the tool failed */
export type CallTool = (args: IDataObject) => Promise<string>;

export interface ToolOptions {
	credentials: CredentialData;
	workflowId: string;
}

/** A workflow in which the action node is a tool of the MCP Server Trigger. */
async function mcpWorkflow(node: Omit<NodeSpec, 'name' | 'type'>, { credentials, workflowId }: ToolOptions) {
	const loaded = await packageWithTool();
	const nodeTypes = new KnownNodeTypes({ ...loaded, nodeTypes: { ...loaded.nodeTypes, mcpTrigger } });
	const nodes = completeNodes(
		{
			nodes: [
				{ name: 'MCP', type: `${loaded.name}.mcpTrigger` },
				{ ...node, name: 'Phone', type: `${loaded.name}.voiceAgentCallingTool` },
			],
			credentials,
		},
		nodeTypes,
	);
	const workflow = new n8n.Workflow({
		id: workflowId,
		nodes,
		connections: { Phone: { ai_tool: [[{ node: 'MCP', type: 'ai_tool', index: 0 }]] } },
		active: true,
		nodeTypes,
		settings: { executionOrder: 'v1' },
	});
	return { workflow, data: additionalData(new StoredCredentials(loaded.credentialTypes, credentials)) };
}

/**
 * The action node as a tool of the MCP Server Trigger in n8n's regular mode: n8n-core's own `WebhookContext` makes the
 * tool anew for each request of the client, and runs it outside of an execution.
 */
export async function mcpTool(node: Omit<NodeSpec, 'name' | 'type'>, options: ToolOptions): Promise<CallTool> {
	const { workflow, data } = await mcpWorkflow(node, options);
	return async (args) => {
		const webhook = { webhookDescription: { name: 'default' } } as never;
		const trigger = new core.WebhookContext(workflow, workflow.nodes.MCP!, data, 'webhook', webhook, [], null);
		const tools = (await trigger.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Array<{
			invoke(args: IDataObject): Promise<string>;
		}>;
		return await tools[0]!.invoke(args).catch((error: Error) => error.message);
	};
}

/**
 * The action node as a tool of one agent that works on several items at the same moment, as an Agent node with a Batch Size
 * does: n8n-core makes the tool for each item before one of them is called, so that their runs begin with the same index.
 *
 * @returns the tool of each item
 */
export async function batchTools(
	count: number,
	node: Omit<NodeSpec, 'name' | 'type'>,
	options: ToolOptions,
): Promise<CallTool[]> {
	const { workflow, data } = await mcpWorkflow(node, options);
	const agent = workflow.nodes.MCP!;
	const input = [Array.from({ length: count }, () => ({ json: {} }))];
	const context = new core.ExecuteContext(
		workflow,
		agent,
		{ ...data, executionId: '1', currentNodeExecutionIndex: 0 },
		'webhook',
		n8n.createRunExecutionData(),
		0,
		input[0]!,
		{ main: input },
		{ node: agent, data: { main: input }, source: null },
		[],
	);
	const made = input[0]!.map((_item, itemIndex) =>
		context.getInputConnectionData(NodeConnectionTypes.AiTool, itemIndex),
	);
	return ((await Promise.all(made)) as Array<[{ invoke(args: IDataObject): Promise<string> }]>).map(
		([tool]) =>
			async (args) =>
				await tool.invoke(args).catch((error: Error) => error.message),
	);
}

/**
 * The same in queue mode, where a worker runs the tool after the execution that n8n starts for each tool call: the ID of
 * the execution and its context are new each time.
 */
export async function queuedMcpTool(node: Omit<NodeSpec, 'name' | 'type'>, options: ToolOptions): Promise<CallTool> {
	const { workflow, data } = await mcpWorkflow(node, options);
	const phone = workflow.nodes.Phone!;
	const { execute } = workflow.nodeTypes.getByNameAndVersion(phone.type);
	let executions = 0;
	return async (args) => {
		const input = [[{ json: {} }]];
		const context = new core.SupplyDataContext(
			workflow,
			phone,
			{ ...data, executionId: String(++executions) },
			'webhook',
			n8n.createRunExecutionData(),
			0,
			input[0]!,
			{ main: input },
			NodeConnectionTypes.AiTool,
			{ node: phone, data: { main: input }, source: null },
			[],
			undefined,
			workflow.nodes.MCP,
		);
		context.addInputData(NodeConnectionTypes.AiTool, [[{ json: args }]]);
		const run = execute!.call(context as never) as Promise<Array<Array<{ json: IDataObject }>>>;
		return await run.then(
			([items = []]) => JSON.stringify(items.map(({ json }) => json)),
			(error: Error) => error.message,
		);
	};
}
