import type { Instance } from './instance.mts';
import { connectMcp } from './mcpClient.mts';

/** Turns on n8n's own MCP server, with whose tools AI models build workflows. @returns a client of it */
export async function connectBuilder(n8n: Instance) {
	await n8n.editor.request('PATCH', '/rest/mcp/settings', { mcpAccessEnabled: true });
	const { apiKey } = await n8n.editor.request<{ apiKey: string }>('GET', '/rest/mcp/api-key');
	return await connectMcp(`${n8n.n8n.url}/mcp-server/http`, apiKey);
}
