import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { readExample, type WorkflowFile } from '../../scripts/lib/examples.mts';
import { root } from '../../scripts/lib/places.mts';
import { n8nProgram } from '../../scripts/n8n/environment.mts';
import { connectBuilder } from './builderMcp.mts';
import { Instance } from './instance.mts';

/** What is used of n8n's workflow SDK, in whose language AI models write workflows. */
interface Sdk {
	generateWorkflowCode(workflow: WorkflowFile): string;
}

const sdk = createRequire(n8nProgram)('@n8n/workflow-sdk') as Sdk;

let mcp: Awaited<ReturnType<typeof connectBuilder>>;

beforeAll(async () => {
	// The n8n that other test files use has no MCP server.
	mcp = await connectBuilder(await Instance.start({ env: { N8N_DISABLED_MODULES: '' } }));
});

afterAll(async () => await mcp?.close());

test.each(readdirSync(join(root, 'examples')))('%s is valid for n8n’s AI builder', async (file) => {
	const workflow = readExample(file);
	const code = sdk.generateWorkflowCode(workflow);
	const answer = JSON.parse(await mcp.call('validate_workflow', { code })) as object;
	expect(answer).toEqual({ valid: true, nodeCount: workflow.nodes.length });
});

test('an AI model gets what calls return and how to place them', async () => {
	const nodeId = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';
	const types = await mcp.call('get_node_types', { nodeIds: [{ nodeId }, { nodeId: `${nodeId}Trigger` }] });
	for (const part of ['timedOut', "operation: 'placeAndWait', agent:", 'event_phone_call_ended (answered)']) {
		expect(types).toContain(part);
	}
	// Of the HTML, only the link that n8n's lint demands, word for word.
	const link = '&lt;a href="https://docs.n8n.io/code/expressions/"&gt;expression&lt;/a&gt;';
	expect(types.replaceAll(link, '')).not.toMatch(/&(lt|gt|amp|quot|#)|<(b|i|a|br|code)[ >]/);
});
