import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { keptFolder, userFolders } from '../lib/places.mts';
import { tryLock } from '../setup/lock.mjs';

/**
 * Returns an empty folder for one quick start: `quickstart` in the folder for temporary files, with a number if others
 * run at the same time. It removes what an earlier run left there.
 */
export function claimFolder(): string {
	for (let number = 1; ; number++) {
		const folder = join(userFolders, number === 1 ? 'quickstart' : `quickstart-${number}`);
		if (tryLock(`${folder}.running`)) {
			emptyFolder(folder);
			return folder;
		}
	}
}

/**
 * Claims a folder for this process alone, until it ends. After a crash it waits until the lock of the crashed process is
 * stale.
 *
 * @param folder by default that of `npm start -- --keep`
 * @returns false if another process uses it
 */
export async function claimKeptFolder(folder: string = keptFolder): Promise<boolean> {
	const mark = `${folder}.running`;
	const touched = () => statSync(mark, { throwIfNoEntry: false })?.mtimeMs;
	const first = touched();
	while (tryLock(mark) === undefined) {
		const now = touched();
		if (now !== undefined && now !== first) {
			return false;
		}
		await sleep(200);
	}
	return true;
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
