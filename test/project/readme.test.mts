import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { versions } from '../../scripts/compat/install.mts';
import { root } from '../../scripts/lib/places.mts';

const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The text below a heading, up to the next heading. */
function section(heading: string): string {
	return readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
}

/** The code blocks of a section that are commands. */
function commandsIn(heading: string): string[] {
	return [...section(heading).matchAll(/^```sh\n(.*?)\n```/gms)].map(([, block]) => block!);
}

describe('README.md', () => {
	it('has 8 kB at most', () => {
		expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8192);
	});

	it('says things in the order in which a newcomer needs them', () => {
		const headings = [...readme.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
		expect(headings).toEqual([
			'Install',
			'Connect',
			'First call',
			'Stop calls',
			'What it costs',
			'What do you want to do?',
			'Try everything without an account',
			'Not covered',
			'Links',
		]);
	});

	it('begins with one sentence and a picture', () => {
		const [, sentence, picture] = readme.split('\n\n');
		expect(sentence?.match(/[.!?](?= |$)/g)).toHaveLength(1);
		expect(picture).toMatch(/^<picture>/);
	});

	it('has pictures for both themes', () => {
		const pictures = [...readme.matchAll(/<picture>(.*?)<\/picture>/gs)].map(([, html = '']) => html);
		expect(pictures.length).toBeGreaterThanOrEqual(2);
		for (const html of pictures) {
			const [, dark] = /prefers-color-scheme: dark\)" srcset="([^"]+)-dark\.png"/.exec(html) ?? [];
			expect(html).toContain(`<img src="${dark}-light.png" alt="`);
		}
	});

	it('says in three steps how to stop, and in three lines what it costs', () => {
		expect(section('Stop calls').match(/^\d\. /gm)).toHaveLength(3);
		expect(section('What it costs').match(/^- /gm)).toHaveLength(3);
	});

	it('has three ways to install', () => {
		expect(section('Install').match(/^- /gm)).toHaveLength(3);
	});

	it('lets a newcomer try everything in two commands', () => {
		expect(commandsIn('Try everything without an account')).toEqual(['npm start', 'npm test']);
	});

	it('names the versions of n8n that the compatibility tests run', () => {
		for (const version of versions) {
			expect(section('Install')).toContain(version);
		}
	});

	it('is not the only help: the nodes and the credential link to pages that are there', () => {
		const files = ['nodes', 'credentials'].flatMap((folder) =>
			readdirSync(join(root, folder), { recursive: true })
				.map((name) => join(folder, String(name)))
				.filter((name) => /\.(ts|json)$/.test(name)),
		);
		const pages = files.flatMap((file) =>
			[...readFileSync(join(root, file), 'utf8').matchAll(/github\.com\/[^\s"'#)]+\/blob\/main\/([^\s"'#)]+)/g)].map(
				([, page = '']) => page,
			),
		);
		expect(pages).toContain('docs/connect.md');
		expect(pages.filter((page) => !existsSync(join(root, page)))).toEqual([]);
	});

	it('names no npm script that is not there', () => {
		const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
		const named = [...readme.matchAll(/npm (?:run )?(start|test|sandbox|bench|build|pack|run \w+)\b/g)];
		expect(named.map(([, script]) => script).filter((script = '') => !(script in scripts))).toEqual([]);
	});
});
