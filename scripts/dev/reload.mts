import { existsSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

import { waitFor } from '../lib/waiting.mts';

/** n8n begins to watch packages some seconds after it responds, and says nothing about it. */
const SECONDS = 60;
const TOUCH_EVERY_MS = 2000;

/** How often n8n has loaded a package again, by its log. */
function reloads(logFile: string, name: string): number {
	const log = existsSync(logFile) ? readFileSync(logFile, 'utf8') : '';
	return log.split(`Hot reload triggered for ${name}\n`).length - 1;
}

/**
 * Changes an installed package and waits until n8n has loaded it again. What n8n has missed is shown to it once more.
 *
 * @param folder of the installed package
 * @param name of the package
 * @param logFile of an n8n that runs with N8N_DEV_RELOAD
 * @returns whether n8n has loaded it within a minute
 */
export async function reloadAfter(
	change: () => void,
	{ folder, name, logFile }: { folder: string; name: string; logFile: string },
): Promise<boolean> {
	const before = reloads(logFile, name);
	change();
	let touched = Date.now();
	const ask = async () => {
		if (reloads(logFile, name) > before) {
			return true;
		}
		if (Date.now() - touched > TOUCH_EVERY_MS) {
			touched = Date.now();
			// Of the files in dist, this one is there in any case.
			utimesSync(join(folder, 'dist', 'icons', 'voiceAgentCalling.svg'), new Date(), new Date());
		}
		return undefined;
	};
	return (await waitFor(ask, { seconds: SECONDS })) ?? false;
}
