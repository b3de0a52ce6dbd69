// Provides older versions of Node.js and npm, to test the published packages, and the commands on a machine without
// anything else. Run as a program, this file installs them.
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { cache, npmProgram } from './places.mts';
import { runProcess } from './process.mts';

/** The oldest Node.js that the sandbox's package supports, and versions in common use. */
export const pinned = { node20: '20.19.0', node22: '22.20.0', npm10: '10.9.9', npm11: '11.19.1' };

const folder = join(cache, 'oldVersions');
const installed = join(folder, 'node_modules');
const system = process.platform === 'win32' ? 'win' : process.platform;

/** Installs the versions into .cache, unless they are there. */
export async function installOldVersions(): Promise<void> {
	const packages = Object.entries(pinned).map(([name, version]) => {
		const source = name.startsWith('npm') ? 'npm' : `node-${system}-${process.arch}`;
		return `${name}@npm:${source}@${version}`;
	});
	const stamp = join(folder, `${packages.join().replaceAll(/\W+/g, '-')}.installed`);
	if (existsSync(stamp)) {
		return;
	}
	mkdirSync(folder, { recursive: true });
	console.log('Installing Node.js 20 and 22, npm 10 and 11, to test with (half a minute, 220 MB) …');
	const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
	await runProcess({
		name: 'npm install',
		args: [npmProgram(), 'install', '--prefix', folder, ...options, ...packages],
		cwd: folder,
		env: process.env,
		logFile: join(cache, 'logs', 'install-oldVersions.log'),
	});
	writeFileSync(stamp, '');
}

/** Returns the program of an older Node.js. @throws Error if it is not installed */
export function oldNode(major: 20 | 22): string {
	const [program] = globSync(join(installed, `node${major}`, 'bin', 'node*'));
	if (program === undefined) {
		throw new Error(`Node.js ${major} is not installed: run node scripts/lib/oldVersions.mts.`);
	}
	return program;
}

/** Returns the program file of an older npm. */
export function oldNpm(major: 10 | 11): string {
	return join(installed, `npm${major}`, 'bin', 'npm-cli.js');
}

if (import.meta.main) {
	void installOldVersions();
}
