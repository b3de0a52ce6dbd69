import { cpSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives `work` the folder and the environment to install with. Compilers split a path at its blanks: for
 * a folder that has some, that is a temporary one without, and what was installed is moved afterwards.
 */
export async function withCompilerSafePath(folder, env, work) {
	if (!/\s/.test(`${folder}${env.npm_config_nodedir ?? ''}`)) {
		return await work(folder, env);
	}
	const workshop = mkdtempSync(join(tmpdir(), 'voice-agent-calling-'));
	try {
		await work(workshop, { ...env, ...headersWithoutBlanks(env, workshop) });
		move(join(workshop, 'node_modules'), join(folder, 'node_modules'));
	} finally {
		rmSync(workshop, { recursive: true, force: true, maxRetries: 3 });
	}
}

function headersWithoutBlanks(env, workshop) {
	if (!env.npm_config_nodedir) {
		return {};
	}
	const link = join(workshop, 'node-headers');
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
