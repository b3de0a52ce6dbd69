import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { cache, npmProgram, root } from '../lib/places.mts';
import { runProcess } from '../lib/process.mts';

const tools = join(root, 'tools');
const prefix = 'n8n-';

/** The n8n version that all other commands use. */
export const ownVersion = (
	JSON.parse(readFileSync(join(tools, 'n8n', 'package.json'), 'utf8')) as { dependencies: { n8n: string } }
).dependencies.n8n;

/** Compares the numbers in versions such as 2.0.0 and 2.41.1. */
export const byNumber = new Intl.Collator('en', { numeric: true });

/** The n8n versions that can be run, the newest first: the own one, and those with a lock file in `tools`. */
export const versions: readonly string[] = [
	ownVersion,
	...readdirSync(tools)
		.filter((name) => name.startsWith(prefix) && existsSync(join(tools, name, 'package-lock.json')))
		.map((name) => name.slice(prefix.length)),
].sort((one, other) => byNumber.compare(other, one));

/**
 * Installs a version of n8n from its lock file, unless it is installed already. The setup has installed the own one.
 *
 * @returns the name of its folder in `.cache`
 */
export async function installN8n(version: string): Promise<string> {
	if (version === ownVersion) {
		return 'n8n';
	}
	const manifests = join(tools, prefix + version);
	const folder = join(cache, prefix + version);
	const stampFile = join(folder, 'installed-from');
	const lock = readFileSync(join(manifests, 'package-lock.json'));
	const stamp = `${createHash('sha256').update(lock).digest('hex')} node-${process.versions.modules}\n`;
	if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) {
		return prefix + version;
	}

	rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
	mkdirSync(folder, { recursive: true });
	for (const file of ['package.json', 'package-lock.json']) {
		copyFileSync(join(manifests, file), join(folder, file));
	}
	const options = { cwd: folder, env: process.env, logFile: join(folder, 'install.log') };
	const npm = async (...args: string[]) =>
		await runProcess({ ...options, name: `npm ${args[0]}`, args: [npmProgram(), ...args, '--no-audit', '--no-fund'] });
	console.log(`Installing n8n ${version} into ${folder} (2 to 5 minutes, 2 GB) …`);
	await npm('install', '--no-save', '--ignore-scripts', '--legacy-peer-deps');
	// The only native module that n8n cannot start without.
	await npm('rebuild', 'sqlite3');
	await runProcess({ ...options, name: 'Loading sqlite3', args: ['-e', "require('sqlite3')"] });
	// Written last, so that an interrupted installation is repeated.
	writeFileSync(stampFile, stamp);
	return prefix + version;
}

/** Deletes an installed version, 2 GB, from `.cache`. The project's own n8n stays. */
export function removeN8n(version: string): void {
	if (version !== ownVersion) {
		rmSync(join(cache, prefix + version), { recursive: true, force: true, maxRetries: 3 });
	}
}
