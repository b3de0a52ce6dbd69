import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../../scripts/lib/places.mts';
import { folder, installed, inTurns, n8nModules, runWithN8n } from '../lab.mts';
import { atMost, ratio, show, spread } from '../numbers.mts';
import type { RowResult } from '../page.mts';

/** Built-in nodes of n8n with their credentials, as if HubSpot had a package of its own. */
const hubSpot = [
	'nodes/Hubspot/Hubspot.node',
	'nodes/Hubspot/HubspotTrigger.node',
	...['Api', 'AppToken', 'DeveloperApi', 'OAuth2Api'].map((name) => `credentials/Hubspot${name}.credentials`),
];

interface Loaded {
	/** What n8n's start takes, in milliseconds. */
	start: number;
	/** What the first use of the first node takes. */
	firstUse: number;
}

/** Row 5: loading with n8n-core's loader. */
export async function loading(rounds: number): Promise<RowResult> {
	const hubSpotFolder = await packageOf('HubSpot', hubSpot);
	const load = async (packageFolder: string): Promise<Loaded> =>
		JSON.parse(await runWithN8n([join(root, 'test', 'bench', 'child', 'load.mts'), packageFolder]));
	const contenders = { ours: () => load(installed), hubSpot: () => load(hubSpotFolder) };
	await inTurns(contenders, 1);
	return report(await inTurns(contenders, 3 * rounds));
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
		symlinkSync(join(n8nModules, 'n8n-nodes-base', 'dist', part), join(target, 'dist', part));
	}
	const listed = (kind: string) => files.filter((file) => file.startsWith(kind)).map((file) => `dist/${file}.js`);
	const n8n = { n8nNodesApiVersion: 1, nodes: listed('nodes/'), credentials: listed('credentials/') };
	const manifest = { name: `n8n-nodes-${name.toLowerCase()}`, version: '1.0.0', n8n };
	writeFileSync(join(target, 'package.json'), JSON.stringify(manifest));
	await runWithN8n([join(n8nModules, 'n8n-core', 'bin', 'generate-metadata')], target);
	return target;
}

function report(runs: Record<'ours' | 'hubSpot', Loaded[]>): RowResult {
	const all = (name: 'ours' | 'hubSpot', part: keyof Loaded) => runs[name].map((loaded) => loaded[part]);
	const time = (name: 'ours' | 'hubSpot', part: keyof Loaded) => show(spread(all(name, part)), 1, ' ms');
	const atMostHubSpot = (what: string, part: keyof Loaded) =>
		atMost(`${what} at most 1.2 times HubSpot`, [[ratio(all('ours', part), all('hubSpot', part)).median, 1.2]]);
	return {
		cells: [
			['This package', time('ours', 'start'), time('ours', 'firstUse')],
			['HubSpot', time('hubSpot', 'start'), time('hubSpot', 'firstUse')],
		],
		targets: [atMostHubSpot('Start', 'start'), atMostHubSpot('First use', 'firstUse')],
		raw: runs,
	};
}
