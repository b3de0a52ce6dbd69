import { randomUUID } from 'node:crypto';

import type { Instance, WorkflowNode } from './instance.mts';

/** The action node as a tool. @param name as the model sees it, with underscores for spaces */
export function toolNode(n8n: Instance, name: string, parameters: Record<string, unknown>): WorkflowNode {
	return n8n.node(name, 'n8n-nodes-voice-agent-calling.voiceAgentCallingTool', 1, parameters);
}

/** Publishes a workflow whose MCP Server Trigger has these tools. @returns its address, and the ID of the workflow */
export async function publishMcpServer(n8n: Instance, tools: WorkflowNode[]): Promise<{ url: string; id: string }> {
	const path = randomUUID();
	const trigger = n8n.node('MCP', '@n8n/n8n-nodes-langchain.mcpTrigger', 2, { path });
	const connection = { ai_tool: [[{ node: 'MCP', type: 'ai_tool', index: 0 }]] };
	const { id } = await n8n.editor.request<{ id: string }>('POST', '/rest/workflows', {
		name: 'MCP',
		// Older versions of n8n need it.
		active: false,
		nodes: [{ ...trigger, webhookId: path }, ...tools],
		settings: { executionOrder: 'v1' },
		connections: Object.fromEntries(tools.map(({ name }) => [name, connection])),
	});
	await n8n.editor.publish(id);
	return { url: `${n8n.n8n.url}/mcp/${path}`, id };
}
