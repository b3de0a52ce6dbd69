// What people read: the pages, the notes of the examples, and the texts of the nodes.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import type { INodeType } from 'n8n-workflow';

import { root } from '../lib/places.mts';

/** A text in Markdown. */
export interface Page {
	/** Where a person finds it: a file, and a place in it where the file is not Markdown itself. */
	name: string;
	text: string;
}

/** What of an example is read here. */
interface ExampleTexts {
	name: string;
	nodes: Array<{ name: string; parameters: { content?: string } }>;
}

const topPages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', join('sandbox', 'README.md')];

/** Returns all Markdown pages of a folder of the project. */
export function readPages(folder: string): Page[] {
	const docs = readdirSync(join(folder, 'docs'), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
		.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
	return [...topPages, ...docs.sort()].map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

/** Returns what each example says on the canvas: its name, the names of its nodes, and its sticky notes. */
export function readExamples(folder: string): Page[] {
	const files = readdirSync(join(folder, 'examples')).filter((file) => file.endsWith('.json'));
	return files.sort().flatMap((file) => {
		const source = readFileSync(join(folder, 'examples', file), 'utf8');
		const { name, nodes } = JSON.parse(source) as ExampleTexts;
		const names = [name, ...nodes.map((node) => node.name)].join('\n\n');
		const notes = nodes.filter(({ parameters }) => parameters.content !== undefined);
		return [
			{ name: `examples/${file}, names`, text: names },
			...notes.map((note) => ({ name: `examples/${file}, note "${note.name}"`, text: note.parameters.content ?? '' })),
		];
	});
}

const readKeys = ['displayName', 'description', 'action', 'hint', 'placeholder', 'subtitle', 'notice'];

/** Returns the texts of the built nodes and of the credential as one page each, a text in a paragraph. */
export function readNodes(): Page[] {
	const require = createRequire(import.meta.url);
	const files = [
		['nodes/VoiceAgentCalling/VoiceAgentCalling.node.js', 'VoiceAgentCalling'],
		['nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.js', 'VoiceAgentCallingTrigger'],
		['credentials/VoiceAgentCallingApi.credentials.js', 'VoiceAgentCallingApi'],
	] as const;
	return files.map(([file, name]) => {
		const built = require(join(root, 'dist', file)) as Record<string, new () => INodeType>;
		const texts = new Set<string>();
		collect(new built[name](), texts);
		return { name: `dist/${file}`, text: [...texts].join('\n\n') };
	});
}

/** Adds the texts of a description, and of all that it contains. */
function collect(value: unknown, texts: Set<string>): void {
	if (typeof value !== 'object' || value === null) {
		return;
	}
	for (const [key, part] of Object.entries(value)) {
		if (typeof part === 'string' && readKeys.includes(key) && !part.startsWith('=')) {
			texts.add(part);
		}
		collect(part, texts);
	}
}
