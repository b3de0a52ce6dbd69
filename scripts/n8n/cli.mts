import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runProcess } from '../lib/process.mts';
import { n8nEnvironment, n8nProgram } from './environment.mts';

/**
 * Runs an n8n command, for example `import:workflow`.
 *
 * @param env additional settings, as for `startN8n`
 * @returns its stdout
 */
async function n8nCommand(
	userFolder: string,
	args: string[],
	logFile: string,
	env: NodeJS.ProcessEnv = {},
): Promise<string> {
	return await runProcess({
		name: `n8n ${args[0]}`,
		args: [n8nProgram, ...args],
		cwd: userFolder,
		env: n8nEnvironment(userFolder, env),
		logFile,
	});
}

/**
 * Puts credentials or workflows into an n8n, which may be stopped. Those with the same ID are replaced.
 *
 * @param content as n8n exports them
 */
export async function importInto(
	userFolder: string,
	what: 'credentials' | 'workflow',
	content: object[],
	logFile: string,
): Promise<void> {
	const file = join(userFolder, `import-${what}.json`);
	writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
	try {
		await n8nCommand(userFolder, [`import:${what}`, `--input=${file}`], logFile);
	} finally {
		rmSync(file);
	}
}
