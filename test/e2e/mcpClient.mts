import { createRequire } from 'node:module';

import { n8nProgram } from '../../scripts/lib/n8n.mts';

interface Client {
	connect(transport: unknown): Promise<void>;
	listTools(): Promise<{ tools: Array<{ name: string; description?: string; inputSchema: object }> }>;
	callTool(call: { name: string; arguments: object }): Promise<{ content: Array<{ text?: string }> }>;
	close(): Promise<void>;
}

/** The public MCP SDK, which n8n brings. */
interface Sdk {
	Client: new (info: { name: string; version: string }) => Client;
	StreamableHTTPClientTransport: new (
		url: URL,
		options: { requestInit: RequestInit },
	) => { terminateSession(): Promise<void> };
}

/**
 * An MCP client that is connected to a server by streamable HTTP.
 *
 * @param url of the MCP Server Trigger, or of n8n's own MCP server
 * @param token if the server asks for one
 */
export async function connectMcp(url: string, token?: string) {
	const require = createRequire(n8nProgram);
	const { Client } = require('@modelcontextprotocol/sdk/client/index.js') as Sdk;
	const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js') as Sdk;
	const client = new Client({ name: 'test', version: '1.0.0' });
	// n8n closes an idle connection after 5 seconds. A busy process would use it at that moment.
	const requestInit = { headers: { connection: 'close', ...(token && { authorization: `Bearer ${token}` }) } };
	const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit });
	await client.connect(transport);
	return {
		tools: async () => (await client.listTools()).tools,
		/** Calls a tool. @returns what the client is told, also for an error */
		async call(name: string, args: object): Promise<string> {
			const { content } = await client.callTool({ name, arguments: args });
			return content.map(({ text = '' }) => text).join('\n');
		},
		async close() {
			await transport.terminateSession();
			await client.close();
		},
	};
}
