import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const heartbeatMs = 2_000;
/** After this time without a heartbeat, a lock counts as left over from a crash, even if a process has its ID again. */
const staleMs = 15_000;

/**
 * Takes a lock file, unless a running process holds it. The file contains the ID of its process.
 *
 * @returns a function that releases the lock, which is also called when this process exits; undefined if another
 * process holds the lock
 */
export function tryLock(file) {
	const own = `${file}.${process.pid}`;
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(own, String(process.pid));
	try {
		if (!removeStale(file, `${own}.stale`)) {
			return undefined;
		}
		// A link is atomic: the lock appears with its content, or not at all.
		linkSync(own, file);
	} catch (error) {
		if (error.code === 'EEXIST' || error.code === 'ENOENT') {
			return undefined;
		}
		throw error;
	} finally {
		rmSync(own, { force: true });
	}
	const touch = () => utimesSync(file, new Date(), new Date());
	const heartbeat = setInterval(touch, heartbeatMs).unref();
	const release = () => {
		clearInterval(heartbeat);
		process.off('exit', release);
		rmSync(file, { force: true });
	};
	process.on('exit', release);
	return release;
}

/** Removes the lock of a process that has crashed. @returns false if the lock is held */
function removeStale(file, aside) {
	const touched = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
	if (touched === undefined) {
		return true;
	}
	const holder = readFileSync(file, 'utf8');
	if (isRunning(Number(holder)) && Date.now() - touched < staleMs) {
		return false;
	}
	renameSync(file, aside);
	const isSame = readFileSync(aside, 'utf8') === holder;
	if (!isSame) {
		// Another process has taken the lock over in the meantime.
		linkSync(aside, file);
	}
	rmSync(aside);
	return isSame;
}

function isRunning(pid) {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return error.code === 'EPERM';
	}
}

/** Runs `work` while holding a lock file. Calls `onWait` once if another process holds it. */
export async function withLock(file, onWait, work) {
	let release = tryLock(file);
	if (!release) {
		onWait();
	}
	while (!release) {
		await sleep(300);
		release = tryLock(file);
	}
	try {
		return await work();
	} finally {
		release();
	}
}
