import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { keptFolder, userFolders } from '../lib/places.mts';
import { tryLock } from '../setup/lock.mjs';

/**
 * Returns an empty folder for one quick start: `quickstart` in the folder for temporary files, with a number if others
 * run at the same time. It removes what an earlier run left there.
 */
export function claimFolder(): string {
	for (let number = 1; ; number++) {
		const folder = join(userFolders, number === 1 ? 'quickstart' : `quickstart-${number}`);
		if (claimKeptFolder(folder)) {
			emptyFolder(folder);
			return folder;
		}
	}
}

/**
 * Claims a folder for this process alone, until it ends.
 *
 * @param folder by default that of `npm start -- --keep`
 * @returns false if another process uses it
 */
export function claimKeptFolder(folder: string = keptFolder): boolean {
	return tryLock(`${folder}.running`) !== undefined;
}

/** Returns the paths in the folder of a quick start. */
export function placesIn(folder: string) {
	const logs = join(folder, 'logs');
	return {
		userFolder: join(folder, 'user'),
		stateFile: join(folder, 'sandbox.state'),
		logs,
		log: (name: string) => join(logs, `${name}.log`),
	};
}

/** Creates a folder that only its owner can read; deletes what was in it. */
export function emptyFolder(folder: string): void {
	rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
	mkdirSync(folder, { recursive: true, mode: 0o700 });
}
