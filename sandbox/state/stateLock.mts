import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';

import { sleep } from '../time/time.mts';
import { BrokenState } from './load.mts';

/** Longest time that it takes to write a lock file. */
const WRITING_MS = 200;

/** What a lock file says about the sandbox that made it. */
interface LockOwner {
	id: string;
	pid: number;
	/** Where it listens; null until it does. */
	url: string | null;
}

/** A state file that no other sandbox uses meanwhile. */
export interface StateLock {
	/** Notes where this sandbox listens. */
	listensAt(url: string): void;
	/** Another sandbox can have taken over only if somebody deleted the lock file. */
	isHeld(): boolean;
	/** Lets others use the state file. */
	release(): void;
}

/** The locks of this process. */
const own = new Set<string>();

/**
 * Locks a state file by a file next to it. The lock of a sandbox that was killed does not count: its process is gone, or
 * nothing listens at its address because its process id was given away again.
 * @throws BrokenState if another sandbox uses the file, or if its folder cannot be written
 */
export async function lockState(file: string): Promise<StateLock> {
	const lockFile = `${file}.lock`;
	const id = randomUUID();
	const content = (url: string | null) => JSON.stringify({ id, pid: process.pid, url } satisfies LockOwner);
	while (!created(lockFile, content(null), file)) {
		let text = readText(lockFile);
		if (!ownerOf(text)) {
			// Another process may be writing it.
			await sleep(WRITING_MS);
			text = readText(lockFile);
		}
		const owner = ownerOf(text);
		if (owner && (await isRunning(owner))) {
			const place = owner.url ? ` at ${owner.url}` : '';
			throw new BrokenState(
				`The state file ${file} is in use by another sandbox${place} (process ${owner.pid}). ` +
					`End that one, or choose another file. If it is no sandbox, delete ${lockFile}.`,
			);
		}
		removeStale(lockFile, text);
	}
	own.add(id);
	const isHeld = () => ownerOf(readText(lockFile))?.id === id;
	return {
		listensAt(url) {
			const part = `${lockFile}.${id}`;
			writeFileSync(part, content(url), { mode: 0o600 });
			renameSync(part, lockFile);
		},
		isHeld,
		release() {
			own.delete(id);
			if (isHeld()) {
				rmSync(lockFile, { force: true });
			}
		},
	};
}

/** @returns whether the lock file was created; false if there is one */
function created(lockFile: string, content: string, file: string): boolean {
	try {
		writeFileSync(lockFile, content, { flag: 'wx', mode: 0o600 });
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
			return false;
		}
		throw new BrokenState(`The state file ${file} cannot be kept: ${(error as Error).message}.`);
	}
}

/** @returns undefined if there is no such file */
function readText(file: string): string | undefined {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return undefined;
		}
		throw error;
	}
}

/** @returns undefined for what is no lock: a process may be killed, or a disk full, before it is written */
function ownerOf(text: string | undefined): LockOwner | undefined {
	try {
		const { id, pid, url } = JSON.parse(text ?? '') as LockOwner;
		return typeof id === 'string' && Number.isInteger(pid) && pid > 0 ? { id, pid, url } : undefined;
	} catch {
		return undefined;
	}
}

async function isRunning({ id, pid, url }: LockOwner): Promise<boolean> {
	if (pid === process.pid) {
		// In a container that starts again, everything has the same id as before.
		return own.has(id);
	}
	try {
		process.kill(pid, 0);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ESRCH') {
			return false;
		}
	}
	return url === null || (await accepts(url));
}

/** Whether something listens at an address of this machine. */
async function accepts(url: string): Promise<boolean> {
	const { hostname, port } = new URL(url);
	return await new Promise((resolve) => {
		const socket = createConnection(Number(port), hostname);
		socket.on('connect', () => socket.destroy()).on('close', (failed) => resolve(!failed));
		socket.on('error', () => undefined);
	});
}

/** Removes a lock file, but not the one that another sandbox has made in its place meanwhile. */
function removeStale(lockFile: string, text: string | undefined): void {
	const aside = `${lockFile}.${randomUUID()}`;
	try {
		renameSync(lockFile, aside);
		if (readText(aside) !== text) {
			linkSync(aside, lockFile);
		}
	} catch (error) {
		if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) {
			throw error;
		}
	} finally {
		rmSync(aside, { force: true });
	}
}
