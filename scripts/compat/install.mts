import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { cache, npmProgram, root } from '../lib/places.mts';
import { runProcess } from '../lib/process.mts';

const tools = join(root, 'tools');
const prefix = 'n8n-';
/** Where the lock file of the newest n8n is made. */
const newestManifests = join(cache, 'newest-n8n');
/** How many of the newest versions are tried. */
const MOST_TRIES = 10;

/** The n8n version that all other commands use. */
export const ownVersion = (
	JSON.parse(readFileSync(join(tools, 'n8n', 'package.json'), 'utf8')) as { dependencies: { n8n: string } }
).dependencies.n8n;

/** Stands for the newest n8n that npm can install, whichever that is. */
export const NEWEST = 'newest';

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
 * Installs a version of n8n from its lock file, unless it is installed already.
 *
 * @returns the name of its folder in `.cache`
 */
export async function installN8n(version: string): Promise<string> {
	// The setup has already installed the project's own n8n.
	if (version === ownVersion) {
		return 'n8n';
	}
	return await installFrom(join(tools, prefix + version), version);
}

/**
 * Installs the newest n8n that npm can install, unless it is installed already, and says which that is.
 *
 * @returns its version, and the name of its folder in `.cache`
 */
export async function installNewest(): Promise<{ version: string; name: string }> {
	const version = await lockNewest(newestManifests);
	return { version, name: await installFrom(newestManifests, NEWEST) };
}

/**
 * Makes a lock file of the newest n8n of which npm has all packages, with the replaced libraries of the project's own n8n.
 *
 * @returns the version
 */
export async function lockNewest(folder: string): Promise<string> {
	rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
	mkdirSync(folder, { recursive: true });
	const npm = async (logFile: string, ...args: string[]) =>
		await runProcess({ name: `npm ${args[0]}`, args: [npmProgram(), ...args], cwd: folder, env: process.env, logFile });
	const manifest = JSON.parse(readFileSync(join(tools, 'n8n', 'package.json'), 'utf8')) as { dependencies: object };
	const listed = await npm(join(folder, 'view.log'), 'view', 'n8n', 'version', 'versions', '--json');
	const { version: latest, versions: all } = JSON.parse(listed) as { version: string; versions: string[] };
	const tried = all.filter((one) => !one.includes('-') && byNumber.compare(one, latest) <= 0);
	tried.sort((one, other) => byNumber.compare(other, one));
	for (const version of tried.slice(0, MOST_TRIES)) {
		const content = { ...manifest, dependencies: { ...manifest.dependencies, n8n: version } };
		writeFileSync(join(folder, 'package.json'), JSON.stringify(content));
		console.log(`n8n ${version}${version === latest ? ', the latest' : ''}: looking for its packages …`);
		try {
			await npm(
				join(folder, `${version}.log`),
				'install',
				'--package-lock-only',
				'--ignore-scripts',
				'--legacy-peer-deps',
			);
			return version;
		} catch (error) {
			const text = error instanceof Error ? error.message : String(error);
			// Any other failure, such as no network, says nothing about this version.
			if (!/npm error code (ETARGET|E404)$/m.test(text)) {
				throw error;
			}
			const missing = /npm error (?:notarget|404) (.+)/.exec(text)?.[1];
			console.log(`n8n ${version} cannot be installed from npm: ${missing}`);
		}
	}
	throw new Error(`npm can install none of the ${MOST_TRIES} newest versions of n8n. The logs are in ${folder}`);
}

/** Installs from a lock file, unless the same is installed already. @returns the name of the folder in `.cache` */
async function installFrom(manifests: string, version: string): Promise<string> {
	const name = prefix + version;
	const folder = join(cache, name);
	const stampFile = join(folder, 'installed-from');
	const lock = readFileSync(join(manifests, 'package-lock.json'));
	const stamp = `${createHash('sha256').update(lock).digest('hex')} node-${process.versions.modules}\n`;
	if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) {
		return name;
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
	return name;
}

/** Deletes an installed version, 2 GB, from `.cache`. The project's own n8n stays. */
export function removeN8n(version: string): void {
	if (version !== ownVersion) {
		rmSync(join(cache, prefix + version), { recursive: true, force: true, maxRetries: 3 });
	}
}
