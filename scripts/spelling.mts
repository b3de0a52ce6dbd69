// Checks the American spelling of all texts for readers, after a build: node scripts/spelling.mts. cspell.json lists
// the allowed words. The texts of the nodes and of the examples are written as pages into .cache/spelling, with their
// places.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

import { cache, root } from './lib/places.mts';
import { runCaptured } from './lib/process.mts';

type Texts = Array<readonly [place: string, text: string]>;

const require = createRequire(import.meta.url);
const readKeys = ['displayName', 'description', 'action', 'hint', 'placeholder', 'subtitle', 'notice'];
const written = join(cache, 'spelling');

/** Returns the texts of an example on the canvas: its name, the names of its nodes, and its sticky notes. */
function textsOfExample(file: string): Texts {
	const { name, nodes } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
		name: string;
		nodes: Array<{ name: string; parameters: { content?: string } }>;
	};
	return [
		['name', name],
		...nodes.flatMap(
			(node, index): Texts => [
				[`nodes[${index}].name`, node.name],
				[`nodes[${index}].parameters.content`, node.parameters.content ?? ''],
			],
		),
	];
}

/** Returns the texts of a description at any depth. */
function textsIn(value: unknown, place = ''): Texts {
	if (typeof value !== 'object' || value === null) {
		return [];
	}
	return Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
		const name = (part as { name?: unknown } | null)?.name;
		const here = `${place}/${typeof name === 'string' ? name : key}`;
		const own = typeof part === 'string' && readKeys.includes(key) && !part.startsWith('=');
		return own ? [[here, part] as const] : textsIn(part, here);
	});
}

/** Returns the texts of a built node or credential, each once. */
function textsOfNode(file: string): Texts {
	const [name = ''] = basename(file).split('.');
	const built = require(join(root, file)) as Record<string, new () => object>;
	const places = new Map(textsIn(new built[name]!()).map(([place, text]) => [text, place]));
	return [...places].map(([text, place]) => [place, text]);
}

function writePage(file: string, texts: Texts): void {
	const page = join(written, `${file}.md`);
	mkdirSync(dirname(page), { recursive: true });
	writeFileSync(page, texts.map(([place, text]) => `<!-- ${file}: ${place} -->\n\n${text}\n`).join('\n'));
}

rmSync(written, { recursive: true, force: true });
const { n8n } = require(join(root, 'package.json')) as { n8n: { nodes: string[]; credentials: string[] } };
for (const file of [...n8n.nodes, ...n8n.credentials]) {
	writePage(file, textsOfNode(file));
}
for (const file of globSync('examples/*.json', { cwd: root })) {
	writePage(file, textsOfExample(file));
}
const pages = ['*.md', 'docs/**/*.md', 'sandbox/*.md', '.cache/spelling/**/*.md'];
const cspell = [join(root, 'node_modules', 'cspell', 'bin.mjs'), 'lint', '--no-progress', '--no-summary', '--no-color'];
const known = ['--cache', '--cache-strategy', 'content', '--cache-location', join(cache, 'cspell')];
const { output, status } = await runCaptured([...cspell, ...known, ...pages], root);
process.stdout.write(output);
process.exitCode = status;
