// Runs the README's two commands on a machine without anything else:
// node scripts/with.mjs project -- node scripts/bare.mts [machine ...]
// Each runs in a fresh clone, with an empty home, an empty npm cache and a PATH of two folders. CI runs this, too.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { installOldVersions, oldNode, oldNpm } from './lib/oldVersions.mts';
import { root } from './lib/places.mts';

await installOldVersions();

/** The programs of each machine, by its name. */
const machines: Record<string, { node: string; npm: string }> = {
	'node20-npm10': { node: oldNode(20), npm: oldNpm(10) },
	'node20-npm11': { node: oldNode(20), npm: oldNpm(11) },
	'node24-npm11': { node: process.execPath, npm: oldNpm(11) },
};

const commands = [['start', '--', '--keep', '--once'], ['test']];

/** Matches the variables with which this machine reaches npm's registry. All other variables are left out. */
const network =
	/^(npm_config_registry|npm_config_globalconfig|https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_\w+)$/i;

/** Runs the commands on a machine, and prints how long each took. @returns how many failed */
function runOn(name: string): number {
	const folder = mkdtempSync(join(tmpdir(), `${name}-`));
	const [bin, home, clone] = ['bin', 'home', 'project'].map((part) => join(folder, part)) as [string, string, string];
	mkdirSync(bin);
	mkdirSync(home);
	symlinkSync(realpathSync(machines[name]!.node), join(bin, 'node'));
	symlinkSync(machines[name]!.npm, join(bin, 'npm'));
	const kept = Object.entries(process.env).filter(([variable]) => network.test(variable));
	const env = { ...Object.fromEntries(kept), HOME: home, PATH: [bin, '/usr/bin'].join(delimiter), CI: 'true' };
	let failed = 0;
	try {
		spawnSync('git', ['clone', '--quiet', root, clone], { stdio: 'inherit' });
		for (const args of commands) {
			const started = Date.now();
			const { status } = spawnSync(join(bin, 'npm'), args, { cwd: clone, env, stdio: 'inherit' });
			failed += status === 0 ? 0 : 1;
			const took = `${Math.round((Date.now() - started) / 1000)} s`;
			console.log(`── ${name}: npm ${args.join(' ')} ended with status ${status} after ${took} ──`);
		}
	} finally {
		rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
	}
	return failed;
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(machines, name));
if (unknown.length > 0) {
	throw new Error(`There is no machine ${unknown.join(', ')}. Machines: ${Object.keys(machines).join(', ')}.`);
}
const names = chosen.length > 0 ? chosen : Object.keys(machines);
const failed = names.map(runOn).reduce((sum, count) => sum + count, 0);
console.log(`${names.length * commands.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
