import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { npmProgram } from '../lib/places.mts';
import { runProcess } from '../lib/process.mts';

interface Manifest {
	name: string;
	version: string;
	devDependencies?: object;
	peerDependencies?: object;
	optionalDependencies?: object;
}

/**
 * Installs a packed package into n8n's user folder with the steps of n8n's own installer: unpack, remove the
 * dependency lists that n8n does not install, `npm install` without scripts.
 *
 * @param tarball the output of `npm pack`
 * @param node the Node.js that runs npm; by default that of this process
 */
export async function installPackage(
	tarball: string,
	userFolder: string,
	logFile: string,
	node = process.execPath,
): Promise<void> {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const unpacked = join(nodesFolder, 'unpacked');
	await rm(unpacked, { recursive: true, force: true });
	await mkdir(unpacked, { recursive: true });
	await promisify(execFile)('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);

	const manifestFile = join(unpacked, 'package.json');
	const packed = JSON.parse(await readFile(manifestFile, 'utf8')) as Manifest;
	const { devDependencies, peerDependencies, optionalDependencies, ...manifest } = packed;
	await writeFile(manifestFile, JSON.stringify(manifest, null, 2));

	const folder = join(nodesFolder, 'node_modules', manifest.name);
	await rm(folder, { recursive: true, force: true });
	await mkdir(dirname(folder), { recursive: true });
	await rename(unpacked, folder);
	await installDependencies(folder, logFile, node);
	await addDependency(join(nodesFolder, 'package.json'), manifest);
}

/** Packages that the user has installed in n8n stay. */
async function addDependency(file: string, { name, version }: Manifest): Promise<void> {
	const text = await readFile(file, 'utf8').catch(() => '{}');
	const { dependencies } = JSON.parse(text) as { dependencies?: object };
	const installed = { private: true, dependencies: { ...dependencies, [name]: version } };
	await writeFile(file, JSON.stringify(installed, null, 2));
}

async function installDependencies(folder: string, logFile: string, node: string): Promise<void> {
	await runProcess({
		name: 'npm install',
		program: node,
		args: [
			npmProgram(),
			'install',
			'--audit=false',
			'--fund=false',
			'--bin-links=false',
			'--install-strategy=shallow',
			'--ignore-scripts=true',
			'--package-lock=false',
		],
		cwd: folder,
		env: process.env,
		logFile,
	});
}
