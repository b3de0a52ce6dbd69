import { cpSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Calls `work` with the folder and the environment for an installation. Compilers split paths at spaces: if the path
 * contains one, `work` gets a temporary folder without spaces, and the result is moved afterwards.
 */
export async function withCompilerSafePath(folder, env, work) {
	if (!/\s/.test(`${folder}${env.npm_config_nodedir ?? ''}`)) {
		return await work(folder, env);
	}
	const tempFolder = mkdtempSync(join(tmpdir(), 'voice-agent-calling-'));
	try {
		await work(tempFolder, { ...env, ...headersWithoutSpaces(env, tempFolder) });
		move(join(tempFolder, 'node_modules'), join(folder, 'node_modules'));
	} finally {
		rmSync(tempFolder, { recursive: true, force: true, maxRetries: 3 });
	}
}

function headersWithoutSpaces(env, tempFolder) {
	if (!env.npm_config_nodedir) {
		return {};
	}
	const link = join(tempFolder, 'node-headers');
	symlinkSync(env.npm_config_nodedir, link, 'junction');
	return { npm_config_nodedir: link };
}

function move(from, to) {
	try {
		renameSync(from, to);
	} catch (error) {
		if (error.code !== 'EXDEV') {
			throw error;
		}
		cpSync(from, to, { recursive: true, verbatimSymlinks: true });
	}
}
