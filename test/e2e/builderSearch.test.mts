import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { n8nProgram } from '../../scripts/lib/n8n.mts';
import { root } from '../../scripts/lib/places.mts';

interface NodeType {
	name: string;
	hidden?: boolean;
}

// n8n's own code.
const require = createRequire(n8nProgram);
require('reflect-metadata');
const { NodeSearchEngine } = require('@n8n/ai-utilities/node-catalog') as {
	NodeSearchEngine: new (nodes: NodeType[]) => { searchByName(query: string, limit: number): NodeType[] };
};
const { sublimeSearch } = require('@n8n/utils/search/sublime-search') as {
	sublimeSearch(query: string, items: Array<{ properties: NodeType }>): Array<{ item: { properties: NodeType } }>;
};
const { createAiTools } = require(join(dirname(n8nProgram), '..', 'dist', 'tool-generation')) as {
	createAiTools(types: { nodes: NodeType[] }, known: { nodes: object; credentials: object }): void;
};

/** The nodes of a package, with the names that n8n gives them. */
function nodesIn(folder: string, packageName: string): NodeType[] {
	const nodes = JSON.parse(readFileSync(join(folder, 'dist', 'types', 'nodes.json'), 'utf8')) as NodeType[];
	return nodes.map((node) => ({ ...node, name: `${packageName}.${node.name.split('.').at(-1)}` }));
}

const packages = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'];
const nodes = [
	...packages.flatMap((name) => nodesIn(dirname(require.resolve(`${name}/package.json`)), name)),
	...nodesIn(root, 'n8n-nodes-voice-agent-calling'),
].filter(({ hidden }) => !hidden);
createAiTools({ nodes }, { nodes: {}, credentials: {} });

/** The first five nodes that an AI model gets from n8n's MCP server, and those in the editor's panel. */
const engine = new NodeSearchEngine(nodes);
const byModel = (query: string) => engine.searchByName(query, 5).map(({ name }) => name);
const items = nodes.map((properties) => ({ properties }));
const byPerson = (query: string) =>
	sublimeSearch(query, items)
		.slice(0, 5)
		.map(({ item }) => item.properties.name);

/** Collected from public templates, nodes and forums before anybody looked at what the search finds. */
const phrases = readFileSync(join(import.meta.dirname, 'builders', 'phrases.json'), 'utf8');
const { found, notHere } = JSON.parse(phrases) as Record<'found' | 'notHere', string[]>;
const isOurs = (name = '') => name.startsWith('n8n-nodes-voice-agent-calling.');

// In the others, all the first five have the searched word in their names, which counts more than an alias.
test.each([
	['an AI model', 57, byModel],
	['a person in the editor', 63, byPerson],
] as const)(
	'%s finds a node of this package for %i of 65 phrases, and none first for another node',
	(_, count, search) => {
		expect(nodes.length).toBeGreaterThan(600);
		const missed = found.filter((phrase) => !search(phrase).some(isOurs));
		expect({ missed, count: found.length - missed.length }).toEqual({ missed, count });
		expect(notHere.filter((phrase) => isOurs(search(phrase)[0]))).toEqual([]);
	},
);
