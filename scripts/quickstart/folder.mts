import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { keptFolder, userFolders } from '../lib/places.mts';

const heartbeatMs = 2_000;
/** A mark that is older is left over from a crash. */
const staleMs = 15_000;
/** The same if no process has the ID in it: in another container, the process may run all the same. */
const staleWithoutProcessMs = 5_000;

/**
 * Returns an empty folder for one quick start: `quickstart` in the folder for temporary files, with a number if others
 * run at the same time. It removes what an earlier run left there.
 */
export function claimFolder(): string {
	for (let number = 1; ; number++) {
		const name = number === 1 ? 'quickstart' : `quickstart-${number}`;
		if (!claim(join(userFolders, `${name}.running`))) {
			continue;
		}
		const folder = join(userFolders, name);
		emptyFolder(folder);
		return folder;
	}
}

/**
 * Claims a folder that is kept, for this process alone. After a crash it waits until the claim of the crashed process
 * is stale.
 *
 * @param folder by default that of `npm start -- --keep`
 * @returns whether the folder is this process's; false if another process uses it
 */
export async function claimKeptFolder(folder: string = keptFolder): Promise<boolean> {
	const mark = `${folder}.running`;
	const first = lastTouched(mark);
	while (!claim(mark)) {
		if (lastTouched(mark) !== first) {
			return false;
		}
		await sleep(200);
	}
	return true;
}

/** Returns the paths in the folder of a quick start. */
export function placesIn(folder: string): {
	userFolder: string;
	stateFile: string;
	logs: string;
	log(name: string): string;
} {
	const logs = join(folder, 'logs');
	return {
		userFolder: join(folder, 'user'),
		stateFile: join(folder, 'sandbox.state'),
		logs,
		log: (name) => join(logs, `${name}.log`),
	};
}

/** Creates a folder that only its owner can read; deletes what was in it. */
export function emptyFolder(folder: string): void {
	rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
	mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Tries to create the lock file. The owner touches it regularly, so an untouched file is left over from a crash. */
function claim(mark: string): boolean {
	const touched = lastTouched(mark);
	if (touched !== undefined) {
		const limit = isOwnerAlive(mark) ? staleMs : staleWithoutProcessMs;
		if (Date.now() - touched < limit || !removeStale(mark, touched)) {
			return false;
		}
	}
	// The disk may have another clock, as a folder in a network has: the mark has the owner's when it appears.
	const made = `${mark}.${process.pid}`;
	try {
		mkdirSync(dirname(mark), { recursive: true });
		writeFileSync(made, `${process.pid}\n`);
		touch(made);
		linkSync(made, mark);
	} catch (error) {
		if (hasCode(error, 'EEXIST')) {
			return false;
		}
		throw error;
	} finally {
		rmSync(made, { force: true });
	}
	setInterval(() => touch(mark), heartbeatMs).unref();
	process.on('exit', () => rmSync(mark, { force: true }));
	return true;
}

function isOwnerAlive(mark: string): boolean {
	try {
		return process.kill(Number.parseInt(readFileSync(mark, 'utf8'), 10), 0);
	} catch {
		return false;
	}
}

/** Removes a stale lock file. @returns false if another process has done so, and has a new one */
function removeStale(mark: string, touched: number): boolean {
	const renamed = `${mark}.${process.pid}`;
	try {
		renameSync(mark, renamed);
		if (lastTouched(renamed) === touched) {
			return true;
		}
		linkSync(renamed, mark);
		return false;
	} catch (error) {
		if (hasCode(error, 'ENOENT') || hasCode(error, 'EEXIST')) {
			return false;
		}
		throw error;
	} finally {
		rmSync(renamed, { force: true });
	}
}

function lastTouched(mark: string): number | undefined {
	return statSync(mark, { throwIfNoEntry: false })?.mtimeMs;
}

function touch(mark: string): void {
	try {
		const seconds = Date.now() / 1000;
		utimesSync(mark, seconds, seconds);
	} catch (error) {
		if (!hasCode(error, 'ENOENT')) {
			throw error;
		}
	}
}

function hasCode(error: unknown, code: string): boolean {
	return error instanceof Error && 'code' in error && error.code === code;
}
