import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { VoiceAgentCallingApi } from '../../credentials/VoiceAgentCallingApi.credentials.ts';
import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { VoiceAgentCallingTrigger } from '../../nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts';
import { root } from '../../scripts/lib/places.mts';
import { inEditor, inNodes, others } from './labels.mts';
import { read, userPages, withoutCode } from './sources.mts';

/** What a page may leave out of a label. */
const short = (label: string) => label.replace(/ (\([A-Za-z0= ]+\)|Names? or IDs?)$/, '');

/** All labels of this package. */
const own = new Set<string>();
const described = [VoiceAgentCalling, VoiceAgentCallingTrigger].map((Node) => new Node().description);
JSON.stringify([described, new VoiceAgentCallingApi()], (key, value: unknown) => {
	if (typeof value === 'string' && ['displayName', 'name', 'action'].includes(key)) {
		own.add(value).add(short(value));
	}
	return value;
});

const examples = readdirSync(join(root, 'examples')).map((file) => JSON.parse(read(`examples/${file}`)));
const nodesOfExamples = examples.flatMap(({ nodes }: { nodes: Array<{ name: string }> }) =>
	nodes.map(({ name }) => name),
);

const known = new Set([...own, ...nodesOfExamples, ...Object.keys(inEditor), ...Object.keys(inNodes), ...others]);

/** What a page emphasizes inside a sentence and begins with a capital letter: the names of things on a screen. */
function labelsIn(page: string): string[] {
	const text = withoutCode(page).replace(/`[^`\n]*`/g, '');
	return [...text.matchAll(/(?<=[\p{L}\d,;:(.”] )(?:\*\*([^*\n]+)\*\*|\*([^*\n]+)\*)/gu)]
		.flatMap(([, bold, italic]) => (bold ?? italic ?? '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').split(' → '))
		.filter((part) => /^[A-Z]/.test(part) && !/[.:,?!]$/.test(part) && part.split(' ').length <= 6);
}

const pages = userPages.filter((page) => !/^docs\/(reference\/operations|skill)\//.test(page));

test('whatever a page names on a screen is a label of these nodes, of n8n, or listed as something else', () => {
	const named = pages.flatMap((page) => labelsIn(read(page)).map((label) => ({ page, label })));
	expect(named.length).toBeGreaterThan(400);
	expect(named.filter(({ label }) => !known.has(label)).map(({ page, label }) => `${page}: ${label}`)).toEqual([]);
});

test('a label that does not exist is noticed', () => {
	const text =
		'Open the menu **…** and **Fetch JSON**, then set **On Error** to *Continue*, in **Settings → Mistakes**.';
	expect(labelsIn(text).filter((label) => !known.has(label))).toEqual(['Fetch JSON', 'Mistakes']);
});
