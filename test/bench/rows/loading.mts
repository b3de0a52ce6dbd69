import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { root } from '../../../scripts/lib/places.mts';
import { runProcess } from '../../../scripts/lib/process.mts';
import { childEnvironment, folder, installed, n8nModules, tarball } from '../lab.mts';
import { show, spread } from '../numbers.mts';
import { atMost, type RowResult } from '../result.mts';
import { inTurns } from '../rounds.mts';

const times = 15;
const baseFolder = join(n8nModules, 'n8n-nodes-base');

/** Built-in nodes of n8n with their credentials, as if each service had its own package. */
const services = {
	Twilio: ['nodes/Twilio/Twilio.node', 'nodes/Twilio/TwilioTrigger.node', 'credentials/TwilioApi.credentials'],
	HubSpot: [
		'nodes/Hubspot/Hubspot.node',
		'nodes/Hubspot/HubspotTrigger.node',
		...['Api', 'AppToken', 'DeveloperApi', 'OAuth2Api'].map((name) => `credentials/Hubspot${name}.credentials`),
	],
};

interface Loaded {
	milliseconds: number;
	files: string[];
}

/** Measures loading with n8n-core's loader, and the download size. */
export async function loading(): Promise<RowResult> {
	const folders: Record<string, string> = { 'This package': installed };
	for (const [name, files] of Object.entries(services)) {
		folders[name] = packageOf(name, files);
	}
	const load = async (packageFolder: string): Promise<Loaded> =>
		JSON.parse(
			await runProcess({
				name: `Loading ${packageFolder}`,
				args: [join(root, 'test', 'bench', 'child', 'load.mts'), packageFolder],
				cwd: root,
				env: childEnvironment,
				logFile: join(folder, 'logs', 'load.log'),
			}),
		);
	const loads = Object.fromEntries(Object.entries(folders).map(([name, path]) => [name, () => load(path)]));
	await inTurns(loads, 1);
	const runs = await inTurns(loads, times);
	const sizes: Record<string, number> = { 'This package': statSync(tarball()).size };
	for (const [name, files] of Object.entries(services)) {
		sizes[name] = packedSize(name, files, runs[name]![0]!.files);
	}
	return report(runs, sizes);
}

/** Makes a package with some built-in nodes of n8n. The nodes stay in place, so that they find their dependencies. */
function packageOf(name: string, files: string[]): string {
	const target = join(folder, 'packages', name);
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	symlinkSync(join(baseFolder, 'dist'), join(target, 'dist'));
	const listed = (kind: string) => files.filter((file) => file.startsWith(kind)).map((file) => `dist/${file}.js`);
	const n8n = { n8nNodesApiVersion: 1, nodes: listed('nodes/'), credentials: listed('credentials/') };
	writeFileSync(
		join(target, 'package.json'),
		JSON.stringify({ name: `n8n-nodes-${name.toLowerCase()}`, version: '1.0.0', n8n }),
	);
	return target;
}

/** Returns the packed size of a service's nodes: the loaded files of n8n's nodes, with texts and icons. */
function packedSize(name: string, entries: string[], loaded: string[]): number {
	const target = join(folder, 'packed', name);
	rmSync(target, { recursive: true, force: true });
	const folders = new Set(
		entries.filter((file) => file.startsWith('nodes/')).map((file) => join(baseFolder, 'dist', dirname(file))),
	);
	const copy = (from: string) =>
		cpSync(from, join(target, relative(baseFolder, from)), { recursive: true, filter: isPublished });
	for (const from of [...folders, ...loaded.filter((file) => existsSync(file))]) {
		copy(from);
	}
	const archive = `${target}.tgz`;
	execFileSync('tar', ['-czf', archive, '-C', dirname(target), name]);
	return statSync(archive).size;
}

/** Whether a file would be published: like our package, without source maps and type declarations. */
function isPublished(file: string): boolean {
	return !/\.(map|d\.ts)$/.test(file);
}

function report(runs: Record<string, Loaded[]>, sizes: Record<string, number>): RowResult {
	const time = (name: string) => spread(runs[name]!.map(({ milliseconds }) => milliseconds));
	const own = 'This package';
	const kilobytes = (name: string) => sizes[name]! / 1000;
	const { version } = JSON.parse(readFileSync(join(baseFolder, 'package.json'), 'utf8')) as { version: string };
	return {
		title: '5. Loading, and what is downloaded',
		how: [
			`Loaded by n8n-core's PackageDirectoryLoader with all their nodes and credentials, each time in a fresh process that has n8n-core in it already; the median of ${times}, in turns.`,
			`Twilio and HubSpot are the nodes of n8n-nodes-base ${version}, each put together as a package of its own: two nodes, their credentials and all that they load of n8n-nodes-base. Packed: a .tgz of those files.`,
		],
		tables: [
			{
				columns: ['', 'Time to load', 'Ours / theirs', 'Packed', 'Ours / theirs'],
				rows: Object.keys(runs).map((name) => [
					name,
					show(time(name), 1, ' ms'),
					name === own ? '' : `**${(time(own).median / time(name).median).toFixed(2)}**`,
					`${kilobytes(name).toFixed(0)} kB`,
					name === own ? '' : `**${(kilobytes(own) / kilobytes(name)).toFixed(2)}**`,
				]),
			},
		],
		targets: [
			atMost('Loads in at most 30 ms', show(time(own), 1, ' ms'), time(own).median, 30),
			atMost('At most 150 kB packed', `${kilobytes(own).toFixed(0)} kB`, kilobytes(own), 150),
		],
		raw: { runs, sizes },
	};
}
