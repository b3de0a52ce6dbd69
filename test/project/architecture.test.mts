import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { VoiceAgentCallingApi } from '../../credentials/VoiceAgentCallingApi.credentials.ts';
import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { VoiceAgentCallingTrigger } from '../../nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts';
import { root } from '../../scripts/lib/places.mts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/contributing/architecture.md');

/** The section of the page below a heading. */
function section(heading: string): string {
	return page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))!;
}

/** The cells of each row of a table in a text, without its head. */
function rowsOf(text: string): string[][] {
	const lines = text.split('\n').filter((line) => line.startsWith('|'));
	return lines.slice(2).map((line) => line.split('|').slice(1, -1));
}

/** The links to files and folders of the code in a text: what they say, and where they lead, from the root. */
function linksIn(text: string) {
	return [...text.matchAll(/\[`([^`]+)`\]\(([^)]+)\)/g)].map(([, label = '', target = '']) => ({
		label,
		path: join('docs', 'contributing', target),
	}));
}

const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
const functionsIn = (text: string) => [...text.matchAll(/`(\w+)\(\)`/g)].map(([, name = '']) => name);

test('every file and folder that the page names exists, and is where its link leads', () => {
	const links = linksIn(page);
	expect(links.length).toBeGreaterThan(60);
	const isRight = ({ label, path }: (typeof links)[number]) =>
		existsSync(join(root, path)) &&
		`/${path}`.endsWith(`/${label}`) &&
		statSync(join(root, path)).isDirectory() === label.endsWith('/');
	expect(links.filter((link) => !isRight(link))).toEqual([]);
	// A name without a link would not be checked.
	expect(page.match(/(?<!\[)`[\w.]+\/[\w./]*`/g)).toBeNull();
	const [, picture = ''] = /```mermaid\n([\s\S]*?)```/.exec(page)!;
	const drawn = [...picture.matchAll(/<br>((?:nodes|sandbox)[\w/]*)"/g)].map(([, path = '']) => path);
	expect(drawn.length).toBeGreaterThan(3);
	expect(drawn.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every function that the page names is in a file that the same step names', () => {
	const steps = page.split('\n').filter((line) => functionsIn(line).length > 0);
	expect(steps.length).toBeGreaterThan(10);
	const missing = steps.flatMap((step) => {
		const sources = linksIn(step).flatMap(({ path }) => (/\.m?ts$/.test(path) ? [read(path)] : []));
		const isThere = (name: string) =>
			sources.some((source) => new RegExp(`\\bfunction\\*? ${name}\\b|^\\t+(?:async )?${name}\\(`, 'm').test(source));
		return functionsIn(step).filter((name) => !isThere(name));
	});
	expect(missing).toEqual([]);
});

test('every step of a life names its file', () => {
	const steps = page.split('\n').filter((line) => /^\d+\. /.test(line));
	expect(steps.length).toBeGreaterThan(20);
	expect(steps.filter((step) => linksIn(step).length === 0)).toEqual([]);
});

describe('the list of folders', () => {
	const rows = section('Folders')
		.split('\n')
		.filter((line) => line.startsWith('- '));
	const listed = rows.map((row) => linksIn(row).map(({ path }) => path));

	it('has every folder of the nodes', () => {
		const folders = ['VoiceAgentCalling', 'VoiceAgentCallingTrigger', 'shared'].flatMap((parent) =>
			readdirSync(join(root, 'nodes', parent), { withFileTypes: true })
				// Generated: what the editor shows of the outputs.
				.filter((entry) => entry.isDirectory() && entry.name !== '__schema__')
				.map(({ name }) => `nodes/${parent}/${name}/`),
		);
		expect(listed.flat().toSorted()).toEqual(folders.toSorted());
	});

	it('is in the order of the layers', () => {
		const { stacks } = jest.requireActual<{ stacks: string[][][] }>(join(root, '.dependency-cruiser.cjs'));
		const floorOf = (path: string) => stacks[0]!.findIndex((layer) => layer.includes(path));
		const topDown = listed.flat().map(floorOf);
		expect(topDown).toEqual(topDown.toSorted((one, other) => one - other));
	});
});

/** What n8n can call of a node or credential: its methods, and the groups of functions in its properties. */
function entryPointsOf(Type: new () => object): string[] {
	const methods = Object.getOwnPropertyNames(Type.prototype).filter((name) => name !== 'constructor');
	const groups = Object.entries(new Type()).filter(
		([name, value]) => typeof value === 'function' || ['methods', 'webhookMethods'].includes(name),
	);
	return [...methods, ...groups.map(([name]) => name)];
}

describe('the table of entry points', () => {
	const rows = rowsOf(section('Where n8n enters'));

	it.each([
		['Action node', VoiceAgentCalling, 'nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts'],
		['Trigger', VoiceAgentCallingTrigger, 'nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts'],
		['Credential', VoiceAgentCallingApi, 'credentials/VoiceAgentCallingApi.credentials.ts'],
	] as const)('has those of %s, and what each leads to', (title, Type, file) => {
		const own = rows.filter(([of = '']) => of.trim() === title);
		expect(own.flatMap(([, entry = '']) => namesIn(entry).slice(0, 1)).toSorted()).toEqual(
			entryPointsOf(Type).toSorted(),
		);
		const source = read(file);
		const files = own.flatMap((row) => linksIn(row.join('|'))).map(({ label }) => label.replace('.ts', ''));
		expect(files.filter((name) => !source.includes(`/${name}`))).toEqual([]);
	});

	it('has the hooks of the trigger', () => {
		const [, entry = ''] = rows.find((row) => row[1]!.includes('`webhookMethods`'))!;
		expect(namesIn(entry).slice(1)).toEqual(Object.keys(new VoiceAgentCallingTrigger().webhookMethods.default));
	});
});
