// Spelling, prose and links of what people read: node scripts/prose.mts [folder], after a build
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';

import { root } from './lib/places.mts';
import { runCaptured } from './lib/process.mts';

/** What of an example is read here. */
interface ExampleTexts {
	name: string;
	nodes: Array<{ name: string; parameters: { content?: string } }>;
}

type Texts = Array<readonly [place: string, text: string]>;

const folder = resolve(process.argv[2] ?? root);
const require = createRequire(join(folder, 'package.json'));
const pages = ['*.md', 'docs/**/*.md', 'sandbox/*.md', '.cache/prose/**/*.md'];

/** What an example says on the canvas: its name, the names of its nodes, and its sticky notes. */
function textsOfExample(file: string): Texts {
	const { name, nodes } = require(`./${file}`) as ExampleTexts;
	return [
		['name', name],
		...nodes.map((node, index) => [`nodes[${index}].name`, node.name] as const),
		...nodes.map((node, index) => [`nodes[${index}].parameters.content`, node.parameters.content ?? ''] as const),
	];
}

const readKeys = ['displayName', 'description', 'action', 'hint', 'placeholder', 'subtitle', 'notice'];

/** The texts of a description, and of all that it contains. */
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

/** The texts of a built node or credential, each once. */
function textsOfNode(file: string): Texts {
	const [name = ''] = basename(file).split('.');
	const built = require(`./${file}`) as Record<string, new () => object>;
	const places = new Map(textsIn(new built[name]()).map(([place, text]) => [text, place]));
	return [...places].map(([text, place]) => [place, text]);
}

/** Writes texts as a page that says of each where it comes from. */
function writePage(file: string, texts: Texts): void {
	const page = join(folder, '.cache', 'prose', `${file}.md`);
	mkdirSync(dirname(page), { recursive: true });
	writeFileSync(page, texts.map(([place, text]) => `<!-- ${file}: ${place} -->\n\n${text}\n`).join('\n'));
}

/** Runs a command of a package. */
async function run(program: string, ...args: string[]): Promise<void> {
	const { output, status } = await runCaptured([join(root, 'node_modules', program), ...args], folder);
	process.stdout.write(output);
	process.exitCode ||= status;
}

rmSync(join(folder, '.cache', 'prose'), { recursive: true, force: true });
const { n8n } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
	n8n: { nodes: string[]; credentials: string[] };
};
for (const file of [...n8n.nodes, ...n8n.credentials]) {
	writePage(file, textsOfNode(file));
}
for (const file of globSync('examples/*.json', { cwd: folder })) {
	writePage(file, textsOfExample(file));
}
const cache = ['--cache', '--cache-strategy', 'content', '--cache-location', join(folder, '.cache', 'spelling')];
const quiet = ['--no-progress', '--no-summary', '--no-color'];
await Promise.all([
	run('cspell/bin.mjs', 'lint', ...cache, ...quiet, ...pages),
	run('textlint/bin/textlint.js', '--config', join(root, '.textlintrc.js'), '--format', 'unix', ...pages),
]);
