import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, matchesGlob } from 'node:path';

import { readExample, type WorkflowFile } from '../../scripts/lib/examples.mts';
import { n8nProgram } from '../../scripts/lib/n8n.mts';
import { root } from '../../scripts/lib/places.mts';
import { workflowsIn } from '../docs/pageWorkflows.mts';
import { connectBuilder } from './builderMcp.mts';
import { importExample } from './example.mts';
import { Instance } from './instance.mts';

/** What is used of n8n's workflow SDK, in whose language AI models write workflows. */
interface Sdk {
	generateWorkflowCode(workflow: WorkflowFile): string;
}

const sdk = createRequire(n8nProgram)('@n8n/workflow-sdk') as Sdk;

let n8n: Instance;
let mcp: Awaited<ReturnType<typeof connectBuilder>>;

beforeAll(async () => {
	// The n8n that other test files use has no MCP server.
	n8n = await Instance.start({ env: { N8N_DISABLED_MODULES: '' } });
	mcp = await connectBuilder(n8n);
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

describe('n8n’s own rules for n8n 3', () => {
	const page = readFileSync(join(root, 'docs', 'contributing', 'compatibility.md'), 'utf8');
	const [, section = ''] = page.split('## n8n 3');
	const firstCells = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell);
	const listed = firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, id = '']) => id));

	test('are all in docs/contributing/compatibility.md, and no others', () => {
		const folder = join(dirname(n8nProgram), '..', 'dist', 'modules', 'breaking-changes', 'rules', 'v3');
		const sources = readdirSync(folder).filter((name) => name.endsWith('.rule.js'));
		const ids = sources.flatMap((name) => {
			const source = readFileSync(join(folder, name), 'utf8');
			const own = [...source.matchAll(/this\.id = '([^']+)'/g)].map(([, id = '']) => id);
			return [...own, ...[...source.matchAll(/^ {4}id: '([^']+)'/gm)].map(([, id]) => `${id}-v3`)];
		});
		expect(ids.length).toBeGreaterThanOrEqual(sources.length);
		expect(ids.filter((id) => !listed.some((row) => matchesGlob(id, row)))).toEqual([]);
		expect(listed.filter((row) => !ids.some((id) => matchesGlob(id, row)))).toEqual([]);
	});

	test('report no example, and no workflow of a page', async () => {
		const each = { type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2, position: [0, 0] as [number, number] };
		const parameters = { mode: 'each', workflowId: { __rl: true, mode: 'id', value: '1' } };
		const control = { name: 'Each', nodes: [{ ...each, name: 'Each', parameters }], connections: {}, settings: {} };
		const all = [...readdirSync(join(root, 'examples')), ...workflowsIn('docs/reference/waiting.md'), control];
		for (const one of all) {
			await importExample(n8n, one as WorkflowFile);
		}
		const path = '/rest/breaking-changes/report/refresh?version=v3';
		const { report, totalWorkflows } = await n8n.editor.request<{
			totalWorkflows: number;
			report: { workflowResults: Array<{ ruleId: string; nbAffectedWorkflows: number }> };
		}>('POST', path, {});
		expect(totalWorkflows).toBeGreaterThanOrEqual(all.length);
		expect(report.workflowResults.map(({ ruleId, nbAffectedWorkflows }) => [ruleId, nbAffectedWorkflows])).toEqual([
			['execute-workflow-each-mode-v3', 1],
		]);
	}, 120_000);
});
