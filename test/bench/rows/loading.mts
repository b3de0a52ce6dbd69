import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../../scripts/lib/places.mts';
import { runProcess } from '../../../scripts/lib/process.mts';
import { childEnvironment, folder, installed, n8nModules, tarball } from '../lab.mts';
import { ratio, show, spread } from '../numbers.mts';
import { atMost, inTurns, type RowResult } from '../result.mts';

const times = 15;
const own = 'This package';
const baseFolder = join(n8nModules, 'n8n-nodes-base');

/** Built-in nodes of n8n with their credentials, as if HubSpot had a package of its own. */
const hubSpot = [
	'nodes/Hubspot/Hubspot.node',
	'nodes/Hubspot/HubspotTrigger.node',
	...['Api', 'AppToken', 'DeveloperApi', 'OAuth2Api'].map((name) => `credentials/Hubspot${name}.credentials`),
];

interface Loaded {
	/** What n8n's start takes. */
	startMilliseconds: number;
	/** What the first use of the first node takes. */
	firstUseMilliseconds: number;
	/** What the first run of the node takes after that, in this package. */
	firstRunMilliseconds: number;
}

/** Measures loading with n8n-core's loader, and the download size. */
export async function loading(): Promise<RowResult> {
	const folders = { [own]: installed, HubSpot: await packageOf('HubSpot', hubSpot) };
	const load = async (packageFolder: string): Promise<Loaded> =>
		JSON.parse(await run(join(root, 'test', 'bench', 'child', 'load.mts'), [packageFolder], root));
	const loads = Object.fromEntries(Object.entries(folders).map(([name, path]) => [name, () => load(path)]));
	await inTurns(loads, 1);
	const runs = await inTurns(loads, times);
	return report(runs, statSync(tarball()).size / 1000);
}

/** Runs a program with n8n's modules. @returns what it wrote to stdout */
async function run(program: string, args: string[], cwd: string): Promise<string> {
	const logFile = join(folder, 'logs', 'load.log');
	return await runProcess({ name: program, args: [program, ...args], cwd, env: childEnvironment, logFile });
}

/**
 * Makes a package with some built-in nodes of n8n, and with the same kind of metadata as this package. The nodes stay in
 * place, so that they find their dependencies.
 */
async function packageOf(name: string, files: string[]): Promise<string> {
	const target = join(folder, 'packages', name);
	rmSync(target, { recursive: true, force: true });
	mkdirSync(join(target, 'dist'), { recursive: true });
	for (const part of ['nodes', 'credentials']) {
		symlinkSync(join(baseFolder, 'dist', part), join(target, 'dist', part));
	}
	const listed = (kind: string) => files.filter((file) => file.startsWith(kind)).map((file) => `dist/${file}.js`);
	const n8n = { n8nNodesApiVersion: 1, nodes: listed('nodes/'), credentials: listed('credentials/') };
	const manifest = { name: `n8n-nodes-${name.toLowerCase()}`, version: '1.0.0', n8n };
	writeFileSync(join(target, 'package.json'), JSON.stringify(manifest));
	await run(join(n8nModules, 'n8n-core', 'bin', 'generate-metadata'), [], target);
	return target;
}

function report(runs: Record<string, Loaded[]>, kilobytes: number): RowResult {
	const all = (name: string, part: 'startMilliseconds' | 'firstUseMilliseconds' | 'firstRunMilliseconds') =>
		runs[name]!.map((loaded) => loaded[part]);
	const start = (name: string) => spread(all(name, 'startMilliseconds'));
	const firstUse = (name: string) => spread(all(name, 'firstUseMilliseconds'));
	const againstHubSpot = ratio(all(own, 'startMilliseconds'), all('HubSpot', 'startMilliseconds'));
	const ours = { start: start(own), firstUse: firstUse(own), firstRun: spread(all(own, 'firstRunMilliseconds')) };
	const both = spread(runs[own]!.map((loaded) => loaded.firstUseMilliseconds + loaded.firstRunMilliseconds));
	const { version } = JSON.parse(readFileSync(join(baseFolder, 'package.json'), 'utf8')) as { version: string };
	return {
		title: '5. Loading, and what is downloaded',
		how: [
			`n8n loads the packages at its start with n8n-core's LazyPackageDirectoryLoader: it reads the metadata and loads the credentials. It loads a node on its first use. Both are measured in a fresh process that has n8n-core in it already; the median of ${times}, in turns.`,
			`*First use* is the time until n8n has the first node of the package. Our node then loads what it runs with: its first run, Call → Place with one item and a service that answers at once, took another ${show(ours.firstRun, 1, ' ms')}; both together took ${show(both, 1, ' ms')}.`,
			`HubSpot is the node and the trigger of n8n-nodes-base ${version} with their credentials, put together as a package of its own with the same kind of metadata. This package has ${kilobytes.toFixed(0)} kB packed.`,
		],
		tables: [
			{
				columns: ['', "n8n's start", 'Ours / theirs', 'First use'],
				rows: Object.keys(runs).map((name) => [
					name,
					show(start(name), 1, ' ms'),
					name === own ? '' : `**${show(ratio(all(own, 'startMilliseconds'), all(name, 'startMilliseconds')))}**`,
					show(firstUse(name), 1, ' ms'),
				]),
			},
		],
		targets: [
			atMost("At n8n's start at most 1.2 times HubSpot", `${show(againstHubSpot)} times`, againstHubSpot.median, 1.2),
			atMost('First use in at most 20 ms', show(ours.firstUse, 1, ' ms'), ours.firstUse.median, 20),
		],
		raw: runs,
	};
}
