import { linkSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const heartbeatMs = 1_500;
const staleMs = 10_000;

/**
 * Runs `work` while holding a lock file. The owner touches the file regularly. If it stays untouched while this process
 * watches it, the owner has crashed. This needs neither process ids nor a comparison of clocks.
 */
export async function withLock(file, onWait, work) {
	mkdirSync(dirname(file), { recursive: true });
	await acquire(file, onWait);
	const release = () => rmSync(file, { force: true });
	const heartbeat = setInterval(() => touch(file), heartbeatMs);
	process.on('exit', release);
	try {
		return await work();
	} finally {
		clearInterval(heartbeat);
		process.off('exit', release);
		release();
	}
}

async function acquire(file, onWait) {
	let lastSeen;
	let since = 0;
	for (let round = 0; ; round++) {
		try {
			writeFileSync(file, '', { flag: 'wx' });
			return;
		} catch (error) {
			if (error.code !== 'EEXIST') {
				throw error;
			}
		}
		if (round === 1) {
			onWait();
		}
		const touched = lastTouched(file);
		if (touched !== lastSeen) {
			lastSeen = touched;
			since = performance.now();
		} else if (performance.now() - since > staleMs) {
			removeStale(file, lastSeen);
		}
		await sleep(300);
	}
}

/** Removes a stale lock. If two processes see it, the second must not remove the new lock of the first. */
function removeStale(file, touched) {
	const renamed = `${file}.${process.pid}`;
	try {
		renameSync(file, renamed);
		if (lastTouched(renamed) !== touched) {
			linkSync(renamed, file);
		}
	} catch (error) {
		if (error.code !== 'ENOENT' && error.code !== 'EEXIST') {
			throw error;
		}
	} finally {
		rmSync(renamed, { force: true });
	}
}

function lastTouched(file) {
	return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

function touch(file) {
	try {
		utimesSync(file, new Date(), new Date());
	} catch (error) {
		if (error.code !== 'ENOENT') {
			throw error;
		}
	}
}
