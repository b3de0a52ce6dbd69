import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { runCaptured } from '../../scripts/lib/process.mts';

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'pages '));
	copyFileSync(join(root, 'cspell.json'), join(folder, 'cspell.json'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, ...lines: string[]): void {
	mkdirSync(dirname(join(folder, path)), { recursive: true });
	writeFileSync(join(folder, path), lines.join('\n'));
}

/** The check's findings, and the paths that they start with relative to the folder. */
async function check(): Promise<{ findings: string[]; status: number }> {
	const { output, status } = await runCaptured([join('scripts', 'prose.mts'), folder], root);
	const findings = output.replaceAll(`${folder}/`, '').split('\n');
	return { findings: findings.filter((line) => /^\S+:\d+:\d+/.test(line)), status };
}

test('each kind of mistake is found with its place: in pages, texts of nodes, and notes of examples', async () => {
	write('package.json', JSON.stringify({ n8n: { nodes: ['dist/Caller.node.js'], credentials: [] } }));
	const properties = [{ displayName: 'Campain', name: 'campaign' }];
	const described = JSON.stringify({ displayName: 'Caller', properties });
	write('dist/Caller.node.js', `exports.Caller = class { description = ${described}; };`);
	const note = { name: 'Note', parameters: { content: '### Step\nIt waits for the the call.' } };
	write('examples/one.json', JSON.stringify({ name: 'One', nodes: [note, { name: 'Wiat', parameters: {} }] }));
	write('docs/images/here.png');
	write(
		'docs/first.md',
		...['# A *page* of `code()`', '## Twice', '## Twice'],
		'Fine: [up](../README.md) [own](#a-page-of-code) [second](#twice-1) ![](images/here.png) `[code](gone.md)`',
		'',
		'A colour. Set `wiat` or campain_id, see https://example.com/campain and main.mts.',
		'',
		...['A web hook starts it.', '', 'TODO: say more.', ''],
		`It is ${'very big, '.repeat(40)}long.`,
	);
	write(
		'README.md',
		...['[no file](gone.md)', '[no heading](docs/first.md#gone)', '[no own heading](#gone)', '![no image](gone.png)'],
		...['<img src="gone.svg">', '[out](../etc/passwd)', '[reference][there]', '', '[there]: docs/gone.md'],
	);
	const { findings, status } = await check();
	const expected = [
		['.cache/prose/dist/Caller.node.js.md:7:', 'Unknown word (Campain)'],
		['.cache/prose/examples/one.json.md:11:', 'Unknown word (Wiat)'],
		['.cache/prose/examples/one.json.md:16:', 'doubled word: the the'],
		['README.md:1:', 'gone.md: there is no such file'],
		['README.md:2:', 'docs/first.md#gone: there is no such heading'],
		['README.md:3:', '#gone: there is no such heading'],
		['README.md:4:', 'gone.png: there is no such file'],
		['README.md:5:', 'gone.svg: there is no such file'],
		['README.md:6:', '../etc/passwd: leads out of the project'],
		['README.md:9:', 'docs/gone.md: there is no such file'],
		['docs/first.md:6:', 'Unknown word (colour)'],
		['docs/first.md:8:', 'use “webhook” instead'],
		['docs/first.md:10:', 'TODO'],
		['docs/first.md:12:', 'exceeds the maximum sentence length'],
	] as const;
	const isFound = (place: string, text: string) =>
		findings.some((line) => line.startsWith(place) && line.includes(text));
	expect(expected.filter(([place, text]) => !isFound(place, text))).toEqual([]);
	expect(findings).toHaveLength(expected.length);
	expect(status).toBe(1);
	const lines = readFileSync(join(folder, '.cache/prose/dist/Caller.node.js.md'), 'utf8').split('\n');
	expect(lines[4]).toBe('<!-- dist/Caller.node.js: /description/properties/campaign/displayName -->');
});
