import { randomUUID } from 'node:crypto';

import { until } from '../../scripts/lib/waiting.mts';
import type { Instance, WorkflowNode } from './instance.mts';

/** The action node as a tool. @param name as the model sees it, with underscores for spaces */
export function toolNode(n8n: Instance, name: string, parameters: Record<string, unknown>): WorkflowNode {
	return n8n.node(name, 'n8n-nodes-voice-agent-calling.voiceAgentCallingTool', 1, parameters);
}

/** Waits until n8n has registered the server, which it does a moment after it has published the workflow. */
async function published(url: string): Promise<void> {
	const isRegistered = async () => (await fetch(url, { method: 'DELETE' })).status !== 404 || undefined;
	await until(isRegistered, { seconds: 20, otherwise: () => new Error(`n8n did not register ${url}`) });
}

/** Publishes a workflow whose MCP Server Trigger has these tools. @returns its address, and the ID of the workflow */
export async function publishMcpServer(n8n: Instance, tools: WorkflowNode[]): Promise<{ url: string; id: string }> {
	const path = randomUUID();
	const trigger = n8n.node('MCP', '@n8n/n8n-nodes-langchain.mcpTrigger', 2, { path });
	const connection = { ai_tool: [[{ node: 'MCP', type: 'ai_tool', index: 0 }]] };
	const { id } = await n8n.editor.request<{ id: string }>('POST', '/rest/workflows', {
		name: 'MCP',
		nodes: [{ ...trigger, webhookId: path }, ...tools],
		settings: { executionOrder: 'v1' },
		connections: Object.fromEntries(tools.map(({ name }) => [name, connection])),
	});
	await n8n.editor.publish(id);
	const url = `${n8n.n8n.url}/mcp/${path}`;
	await published(url);
	return { url, id };
}
