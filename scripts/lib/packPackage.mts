import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildIfChanged } from '../setup/dist.mjs';
import { npmProgram, root } from './places.mts';
import { runProcess } from './process.mts';

/**
 * Packs the package for publishing: dist/, built if it is out of date, and package.json without its workspaces.
 *
 * @param destination the folder for the tarball
 * @returns the path of the tarball
 */
export async function packPackage(destination: string, logFile: string): Promise<string> {
	await buildIfChanged();
	await mkdir(destination, { recursive: true });
	const folder = await mkdtemp(join(tmpdir(), 'voice-agent-calling-pack-'));
	try {
		for (const path of ['dist', 'README.md', 'LICENSE']) {
			await cp(join(root, path), join(folder, path), { recursive: true });
		}
		const { workspaces, ...manifest } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
		await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
		return await packFolder(folder, destination, logFile);
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 3 });
	}
}

/** Runs `npm pack` in a folder. @returns the path of the tarball */
export async function packFolder(folder: string, destination: string, logFile: string): Promise<string> {
	const args = [npmProgram(), 'pack', '--ignore-scripts', '--json', '--pack-destination', destination];
	const packed = await runProcess({ name: 'npm pack', args, cwd: folder, env: process.env, logFile });
	const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
	return join(destination, filename);
}
