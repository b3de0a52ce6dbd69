import { runProcess } from '../lib/process.mts';
import { n8nEnvironment, n8nProgram } from './environment.mts';

/**
 * Runs one of n8n's own commands, for example `import:workflow`; returns what it printed.
 *
 * @param env settings as for `startN8n`
 */
export async function n8nCommand(
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
