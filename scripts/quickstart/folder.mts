import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { userFolders } from '../lib/places.mts';

const heartbeatMs = 2_000;
const staleMs = 15_000;

/**
 * An empty folder for one quick start: `quickstart` in the folder for temporary files, or with a number where other
 * quick starts run at the same time. Removes what an earlier one left there.
 */
export function claimFolder(): string {
	for (let number = 1; ; number++) {
		const name = number === 1 ? 'quickstart' : `quickstart-${number}`;
		const mark = join(userFolders, `${name}.running`);
		if (!claim(mark)) {
			continue;
		}
		const folder = join(userFolders, name);
		rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
		mkdirSync(folder, { recursive: true });
		return folder;
	}
}

/** The owner touches its mark all the time; a mark that is not touched was left by a crash. */
function claim(mark: string): boolean {
	const touched = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0;
	if (Date.now() - touched < staleMs) {
		return false;
	}
	rmSync(mark, { force: true });
	try {
		mkdirSync(userFolders, { recursive: true });
		writeFileSync(mark, `${process.pid}\n`, { flag: 'wx' });
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
			return false;
		}
		throw error;
	}
	setInterval(() => utimesSync(mark, new Date(), new Date()), heartbeatMs).unref();
	process.on('exit', () => rmSync(mark, { force: true }));
	return true;
}
