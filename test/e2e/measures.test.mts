import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';
import type { INodeType } from 'n8n-workflow';

import { n8nProgram } from '../../scripts/lib/n8n.mts';
import { root } from '../../scripts/lib/places.mts';

const load = createRequire(import.meta.url);
const { most } = JSON.parse(readFileSync(join(root, '.ci', 'budgets.json'), 'utf8')) as {
	most: Record<string, number>;
};

/** What n8n tells an AI that builds workflows about a node. */
function definitionOf(node: string): string {
	const synthesize = join(dirname(dirname(n8nProgram)), 'dist', 'modules', 'mcp-registry', 'synthesize-type-def');
	const module = load(join(root, 'dist', 'nodes', node, `${node}.node.js`)) as Record<string, new () => INodeType>;
	const { description } = new module[node]!();
	const name = `n8n-nodes-voice-agent-calling.${description.name}`;
	return load(synthesize).synthesizeNodeTypeDef({ ...description, name });
}

test('what n8n gives an AI that builds workflows costs no more tokens than its bound', () => {
	const tokenizer = new Tiktoken(ranks);
	const definitions = ['VoiceAgentCalling', 'VoiceAgentCallingTrigger'].map(definitionOf);
	const tokens = definitions.reduce((sum, text) => sum + tokenizer.encode(text).length, 0);
	expect(tokens).toBeGreaterThan(10_000);
	expect(tokens).toBeLessThanOrEqual(most['tokens of the definitions for AI (o200k)']!);
});
