import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { waitFor } from '../lib/waiting.mts';

/**
 * Copies built files into an installed package and waits until n8n has loaded it again. n8n begins to watch packages some
 * seconds after it responds and does not say so: the files are copied again until it has noticed them.
 *
 * @param built the folder of the build
 * @param installed the folder of the installed package
 * @param logFile of an n8n that runs with N8N_DEV_RELOAD
 * @returns whether n8n has loaded it within a minute
 */
export async function reloadPackage(built: string, installed: string, name: string, logFile: string): Promise<boolean> {
	const reloads = () => {
		const log = existsSync(logFile) ? readFileSync(logFile, 'utf8') : '';
		return log.split(`Hot reload triggered for ${name}\n`).length;
	};
	const before = reloads();
	const ask = async () => {
		if (reloads() > before) {
			return true;
		}
		cpSync(built, join(installed, 'dist'), { recursive: true });
		return undefined;
	};
	return (await waitFor(ask, { seconds: 60, every: 2000 })) ?? false;
}
