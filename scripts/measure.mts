// Prints how much the project offers and contains: npm run measure
import { globSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import ts from 'typescript';

import { packPackage } from './lib/packPackage.mts';
import { cache, root } from './lib/places.mts';
import { n8nProgram } from './n8n/environment.mts';

const load = createRequire(import.meta.url);
const wordsIn = (text = '') => text.split(/\s+/).filter(Boolean).length;
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** The words that a user reads of a property: label, description, hint, and those of its choices and rows. */
function wordsOf({ displayName, description, hint, options = [] }: INodeProperties): number {
	const parts = options.map((option) =>
		'values' in option
			? wordsIn(option.displayName) + sum(option.values.map(wordsOf))
			: 'value' in option
				? wordsIn(`${option.name} ${option.description ?? ''}`)
				: wordsOf(option),
	);
	return wordsIn(`${displayName} ${description ?? ''} ${hint ?? ''}`) + sum(parts);
}

function descriptionOf(node: string): INodeTypeDescription {
	const module = load(join(root, 'dist', 'nodes', node, `${node}.node.js`));
	return new module[node]().description;
}

/** What the panel of each operation shows: its fields, and what a user can add in its collections. */
function panelsOf({ properties }: INodeTypeDescription) {
	const choices = properties.filter(({ name }) => name === 'operation');
	return choices.flatMap(({ displayOptions, options = [] }) => {
		const [resource] = displayOptions?.show?.resource ?? [];
		return (options as INodePropertyOptions[]).map(({ value }) => {
			const shown = properties.filter(({ name, type, displayOptions: { show } = {} }) => {
				const isHere = (show?.resource?.includes(resource!) ?? true) && (show?.operation?.includes(value) ?? true);
				return isHere && !show?.['@tool'] && type !== 'hidden' && name !== 'resource' && name !== 'operation';
			});
			const collections = shown.filter(({ type }) => type === 'collection');
			return {
				resource,
				fields: shown.filter(({ type }) => type !== 'collection'),
				options: collections.flatMap((collection) => collection.options as INodeProperties[]),
				hasSending: collections.some(({ name }) => name === 'sending'),
			};
		});
	});
}

/** What n8n tells an AI that builds workflows about a node. */
function definitionOf(node: string): string {
	const synthesize = join(dirname(dirname(n8nProgram)), 'dist', 'modules', 'mcp-registry', 'synthesize-type-def');
	const description = descriptionOf(node);
	const name = `n8n-nodes-voice-agent-calling.${description.name}`;
	return load(synthesize).synthesizeNodeTypeDef({ ...description, name });
}

/** The lines and statements (without blocks) of the sources in a folder. */
function codeIn(folder: string): { lines: number; statements: number } {
	let lines = 0;
	let statements = 0;
	for (const file of globSync(`${folder}/**/*.{ts,mts,mjs,cjs,js}`, { cwd: root })) {
		if (!file.includes('node_modules')) {
			const text = readFileSync(join(root, file), 'utf8');
			lines += text.split('\n').length - 1;
			const visit = (node: ts.Node): void => {
				statements += ts.isStatement(node) && !ts.isBlock(node) ? 1 : 0;
				ts.forEachChild(node, visit);
			};
			visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
		}
	}
	return { lines, statements };
}

/**
 * Measures how much the project offers and contains. Needs the built package and n8n.
 *
 * @param tarball the packed package
 * @returns the number of each thing, by its name
 */
function measure(tarball: string): Record<string, number> {
	const panels = panelsOf(descriptionOf('VoiceAgentCalling'));
	const counts = panels.map(({ options }) => options.length).sort((one, other) => one - other);
	const trigger = descriptionOf('VoiceAgentCallingTrigger').properties.find(({ name }) => name === 'options');
	/** Each source shows its own. */
	const triggerOptions = ['agent', 'campaign'].map(
		(source) =>
			((trigger?.options ?? []) as INodeProperties[]).filter(
				({ displayOptions }) => displayOptions?.show?.['/source']?.includes(source) ?? true,
			).length,
	);
	const definitions = ['VoiceAgentCalling', 'VoiceAgentCallingTrigger'].map(definitionOf);
	const tokenizer = new Tiktoken(ranks);
	const pages = globSync('{docs/**/*.md,*.md}', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
	const code = ['nodes', 'sandbox', 'scripts', 'test'].flatMap((folder) => {
		const { lines, statements } = codeIn(folder);
		return [
			[`lines of ${folder}/`, lines],
			[`statements of ${folder}/`, statements],
		] as const;
	});
	return {
		resources: new Set(panels.map(({ resource }) => resource)).size,
		operations: panels.length,
		'operations with Sending': panels.filter(({ hasSending }) => hasSending).length,
		'options of an operation (median)': counts[Math.floor(counts.length / 2)] ?? 0,
		'options of an operation (most)': counts.at(-1) ?? 0,
		'options of the trigger': Math.max(...triggerOptions),
		'words in panels': sum(panels.flatMap(({ fields }) => fields.map(wordsOf))),
		'words in options': sum(panels.flatMap(({ options }) => options.map(wordsOf))),
		'characters of the definitions for AI': sum(definitions.map(({ length }) => length)),
		'tokens of the definitions for AI (o200k)': sum(definitions.map((text) => tokenizer.encode(text).length)),
		'bytes of the tarball': statSync(tarball).size,
		...Object.fromEntries(code),
		'words of the pages': sum(pages.map(wordsIn)),
	};
}

const tarball = await packPackage(join(cache, 'pack'), join(cache, 'logs', 'pack.log'));
for (const [name, value] of Object.entries(measure(tarball))) {
	console.log(`${name.padEnd(44)}${value.toLocaleString('en-US').padStart(10)}`);
}
