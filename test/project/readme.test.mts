import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { versions } from '../../scripts/compat/install.mts';
import { root } from '../../scripts/lib/places.mts';
import { slug } from '../docs/markdown.mts';

const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The text below a heading, up to the next heading. */
function section(heading: string): string {
	return readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
}

/** The rows of the first table of a section, as cells. */
function rowsOf(heading: string): string[][] {
	const rows = section(heading)
		.split('\n')
		.filter((line) => line.startsWith('|'))
		.map((line) => line.split('|').map((cell) => cell.trim()));
	return rows.slice(2);
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
			'Credential',
			'First test call',
			'Safety',
			'Operations',
			'Trigger',
			'Common problems',
			'Examples',
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
		expect(pictures.length).toBeGreaterThanOrEqual(3);
		for (const html of pictures) {
			const [, dark] = /prefers-color-scheme: dark\)" srcset="([^"]+)-dark\.png"/.exec(html) ?? [];
			expect(html).toContain(`<img src="${dark}-light.png" alt="`);
		}
	});

	it('has five bullets on safety and five common problems', () => {
		expect(section('Safety').match(/^- /gm)).toHaveLength(5);
		expect(rowsOf('Common problems')).toHaveLength(5);
	});

	it('lets a newcomer try everything in two commands', () => {
		expect(commandsIn('Try everything without an account')).toEqual(['npm start', 'npm test']);
	});

	it('names every operation of every resource, and no other', () => {
		const named = rowsOf('Operations').flatMap(([, names = '', list = '']) =>
			names.split(', ').flatMap((name) => list.split(', ').map((one) => `${name} → ${one.replaceAll('*', '')}`)),
		);
		const all = resources.flatMap(({ name, operations }) => operations.map((one) => `${name} → ${one.name}`));
		expect(named.sort()).toEqual(all.sort());
	});

	it('marks the operations that can make phones ring, as their descriptions do', () => {
		const bold = rowsOf('Operations').flatMap(([, names = '', list = '']) =>
			[...list.matchAll(/\*\*(.+?)\*\*/g)].map(([, one]) => `${names} → ${one}`),
		);
		const ringing = resources.flatMap(({ name, operations }) =>
			operations
				.filter(({ toolDescription = '' }) => /real phones? rings?/.test(toolDescription))
				.map((one) => `${name} → ${one.name}`),
		);
		expect(ringing.length).toBeGreaterThan(4);
		expect(bold.sort()).toEqual(ringing.sort());
	});

	it('names the versions of n8n that the compatibility tests run', () => {
		for (const version of versions) {
			expect(section('Install')).toContain(version);
		}
	});

	it('has the heading to which the nodes and the credential link', () => {
		const files = ['nodes', 'credentials'].flatMap((folder) =>
			readdirSync(join(root, folder), { recursive: true })
				.map((name) => join(folder, String(name)))
				.filter((name) => /\.(ts|json)$/.test(name)),
		);
		const anchors = files.flatMap((file) =>
			[...readFileSync(join(root, file), 'utf8').matchAll(/https:\/\/github\.com\/[^\s"'#)]+#([\w-]+)/g)].map(
				([, anchor = '']) => anchor,
			),
		);
		expect([...new Set(anchors)].sort()).toEqual(['credential']);
		const headings = [...readme.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slug(heading));
		expect(headings).toEqual(expect.arrayContaining(anchors));
	});

	it('names no npm script that is not there', () => {
		const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
		const named = [...readme.matchAll(/npm (?:run )?(start|test|sandbox|bench|build|pack|run \w+)\b/g)];
		expect(named.map(([, script]) => script).filter((script = '') => !(script in scripts))).toEqual([]);
	});
});
