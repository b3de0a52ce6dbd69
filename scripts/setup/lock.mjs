import { linkSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const heartbeatMs = 1_500;
const staleMs = 10_000;

/**
 * Runs `work` while no other process runs work under the same file.
 * The owner touches the file all the time. A file that stays untouched while this process watches it
 * belongs to a process that is gone: no process ids, no clocks that could mislead.
 */
export async function withLock(file, onWait, work) {
	mkdirSync(dirname(file), { recursive: true });
	await take(file, onWait);
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

async function take(file, onWait) {
	let seen;
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
		if (touched !== seen) {
			seen = touched;
			since = performance.now();
		} else if (performance.now() - since > staleMs) {
			removeStale(file, seen);
		}
		await sleep(300);
	}
}

/** Two processes may see the same stale file: the later one must not remove the new lock of the first. */
function removeStale(file, touched) {
	const aside = `${file}.${process.pid}`;
	try {
		renameSync(file, aside);
		if (lastTouched(aside) !== touched) {
			linkSync(aside, file);
		}
	} catch (error) {
		if (error.code !== 'ENOENT' && error.code !== 'EEXIST') {
			throw error;
		}
	} finally {
		rmSync(aside, { force: true });
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
