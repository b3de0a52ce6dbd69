import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { cache, npmProgram, root } from '../lib/places.mts';
import { runProcess } from '../lib/process.mts';

const tools = join(root, 'tools');
const prefix = 'n8n-';

/** The version that all other commands run. */
export const ownVersion = (
	JSON.parse(readFileSync(join(tools, 'n8n', 'package.json'), 'utf8')) as { dependencies: { n8n: string } }
).dependencies.n8n;

/** The versions of n8n that can be installed beside the project's own: those with a lock file in `tools`. */
export function lockedVersions(): string[] {
	return readdirSync(tools)
		.filter((name) => name.startsWith(prefix) && existsSync(join(tools, name, 'package-lock.json')))
		.map((name) => name.slice(prefix.length));
}

/**
 * Installs a version of n8n from its lock file, unless that has been done already.
 *
 * @returns the name of its folder in `.cache`
 */
export async function installN8n(version: string): Promise<string> {
	// The project's own n8n is installed by the set-up, as for every command.
	if (version === ownVersion) {
		return 'n8n';
	}
	const name = prefix + version;
	const [manifests, folder] = [join(tools, name), join(cache, name)];
	const mark = join(folder, 'installed-from');
	const lock = readFileSync(join(manifests, 'package-lock.json'));
	const wanted = `${createHash('sha256').update(lock).digest('hex')} node-${process.versions.modules}\n`;
	if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) {
		return name;
	}

	rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
	mkdirSync(folder, { recursive: true });
	for (const file of ['package.json', 'package-lock.json']) {
		copyFileSync(join(manifests, file), join(folder, file));
	}
	const here = { cwd: folder, env: process.env, logFile: join(folder, 'install.log') };
	const npm = async (...args: string[]) =>
		await runProcess({ ...here, name: `npm ${args[0]}`, args: [npmProgram(), ...args, '--no-audit', '--no-fund'] });
	console.log(`Installing n8n ${version} into ${folder} (2 to 5 minutes, 2 GB) …`);
	await npm('install', '--no-save', '--ignore-scripts', '--legacy-peer-deps');
	// The only part that n8n cannot start without and that npm has to bring or compile for this machine.
	await npm('rebuild', 'sqlite3');
	await runProcess({ ...here, name: 'Loading sqlite3', args: ['-e', "require('sqlite3')"] });
	// Written last: an interrupted installation is done again.
	writeFileSync(mark, wanted);
	return name;
}
