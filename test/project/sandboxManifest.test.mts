import { helpText } from '../../sandbox/commandLine.mts';
import { pinned } from '../../scripts/lib/oldVersions.mts';
import { read } from './sources.mts';

const manifest = JSON.parse(read('sandbox/package.json')) as { private: boolean; engines: { node: string } };

/** The names of the options in a text, sorted. */
const optionsIn = (text: string) =>
	[...new Set([...text.matchAll(/(?<=^| |`)--([a-z][\w-]*)/gm)].map(([, name]) => name!))].sort();

/** The first column of the table of options that has the port: others are about `npm start`. */
function tableIn(path: string): string {
	const blocks = read(path).split('\n\n');
	const table = blocks.find((block) => block.includes('| `--port')) ?? '';
	return [...table.matchAll(/^\|( `--[^|]*)\|/gm)].map(([, cell]) => cell).join('\n');
}

describe("the sandbox's package", () => {
	it('has the same options in --help, in its README and in docs/contributing/sandbox.md', () => {
		const options = optionsIn(helpText());
		expect(options.length).toBeGreaterThan(10);
		for (const path of ['sandbox/README.md', 'docs/contributing/sandbox.md']) {
			expect([path, optionsIn(tableIn(path))]).toEqual([path, options]);
		}
	});

	it('needs the same Node.js by its manifest, its program, its README and its test', () => {
		const [, oldest] = /const OLDEST = '([\d.]+)'/.exec(read('sandbox/main.mts')) ?? [];
		expect(manifest.engines.node).toBe(`>=${oldest}`);
		expect(read('sandbox/README.md')).toContain(`Node.js](https://nodejs.org) ${oldest?.replace(/\.0$/, '')} or newer`);
		expect(pinned.node20).toBe(oldest);
	});

	it('cannot be published by mistake from its sources', () => {
		expect(manifest.private).toBe(true);
	});
});
