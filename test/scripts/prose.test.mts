import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { runCaptured } from '../../scripts/lib/process.mts';
import { readPages } from '../../scripts/prose/texts.mts';

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'pages '));
	for (const name of ['README', 'CHANGELOG', 'CONTRIBUTING', 'SECURITY', 'sandbox/README', 'docs/first']) {
		write(`${name}.md`, '# A page\n\nIt says *something* short.\n');
	}
	mkdirSync(join(folder, 'examples'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
	mkdirSync(dirname(join(folder, path)), { recursive: true });
	writeFileSync(join(folder, path), text);
}

/** The lines that the check prints, and whether it passes. */
async function check(): Promise<{ findings: string[]; status: number }> {
	const { output, status } = await runCaptured([join('scripts', 'prose.mts'), folder], root);
	return { findings: output.split('\n').filter(Boolean), status };
}

test('every broken link is found, and no other: files, anchors, images, HTML, references, not code', async () => {
	write('docs/images/here.png', '');
	write(
		'README.md',
		[
			'# Read me `first()`',
			'## Twice, *really*',
			'## Twice, really',
			'[file](docs/first.md) [heading](docs/first.md#a-page) [own](#twice-really) [second](#twice-really-1)',
			'![image](docs/images/here.png) [folder](docs/) [code](#read-me-first) [web](https://example.com/#x)',
			'`[in code](gone.md)`',
			'```md',
			'[in a block](gone.md)',
			'```',
			'[no file](gone.md)',
			'[no heading](docs/first.md#gone) [no own heading](#twice-really-2)',
			'![no image](docs/images/gone.png)',
			'<picture><source srcset="docs/images/gone-dark.png"><img src="docs/images/here.png"></picture>',
			'[reference][there]',
			'',
			'[there]: docs/gone.md',
		].join('\n'),
	);
	write('docs/first.md', '# A page\n\n[up](../README.md#twice-really) [out](../../etc/passwd)\n');
	const { findings, status } = await check();
	expect(findings).toEqual([
		'README.md:10: gone.md: there is no such file',
		'README.md:11: docs/first.md#gone: there is no such heading',
		'README.md:11: #twice-really-2: there is no such heading',
		'README.md:12: docs/images/gone.png: there is no such file',
		'README.md:13: docs/images/gone-dark.png: there is no such file',
		'README.md:16: docs/gone.md: there is no such file',
		'docs/first.md:3: ../../etc/passwd: leads out of the project',
	]);
	expect(status).toBe(1);
});

test('each mistake is found on a page and in the note of an example', async () => {
	const mistakes = [
		['a misspelled word', 'The campain waits.', 'unknown word: campain'],
		['British spelling', 'The color of a colour.', 'unknown word: colour'],
		['a doubled word', 'It waits for the the call.', 'doubled word: the the'],
		['a term that n8n writes in another way', 'A web hook starts it.', 'use “webhook” instead'],
		['another one', 'The work flow starts.', 'use “workflow” instead'],
		['a wrong name', 'Written in Javascript.', 'use “JavaScript” instead'],
		['what is not done yet', 'TODO: say more.', 'TODO'],
		['a sentence without an end', `It is ${'very big, '.repeat(40)}long.`, 'exceeds the maximum sentence length'],
	] as const;
	write('docs/first.md', ['# A page', ...mistakes.map(([, text]) => text)].join('\n\n'));
	const nodes = mistakes.map(([name, text]) => ({ name, parameters: { content: `### Step\n${text}` } }));
	write('examples/one.json', JSON.stringify({ name: 'One', nodes }));
	const { findings, status } = await check();
	const expected = mistakes.flatMap(([name, , finding], index) => [
		`docs/first.md:${3 + 2 * index}: ${finding}`,
		`examples/one.json, note "${name}":2: ${finding}`,
	]);
	const found = expected.filter((finding) => {
		const [place, ...message] = finding.split(/(?<=:\d+): /);
		return findings.some((line) => line.startsWith(`${place}: `) && line.includes(message.join()));
	});
	expect(found).toEqual(expected);
	expect(findings).toHaveLength(expected.length);
	expect(status).toBe(1);
});

test('a misspelled name of a node in an example is found', async () => {
	const nodes = [{ name: 'Wiat for the Call', parameters: {} }];
	write('examples/one.json', JSON.stringify({ name: 'One', nodes }));
	expect((await check()).findings).toEqual(['examples/one.json, names:3: unknown word: Wiat']);
});

test('code, identifiers and addresses are not prose', async () => {
	write('docs/first.md', '# A page\n\nSet `wiat` or campain_id, see https://example.com/campain and main.mts.\n');
	expect(await check()).toEqual({ findings: [], status: 0 });
});

test("the project's words are sorted, and a page or a text of the nodes has each of them", () => {
	const words = readFileSync(join(root, 'tools', 'prose', 'words.txt'), 'utf8')
		.trimEnd()
		.split('\n');
	expect(words).toEqual([...new Set(words)].sort());
	const text = readPages(root)
		.map((page) => page.text.toLowerCase())
		.join('\n');
	expect(words.filter((word) => !text.includes(word.toLowerCase()))).toEqual([]);
});
