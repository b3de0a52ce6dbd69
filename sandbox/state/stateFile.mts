import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

import type { World } from '../world/world.mts';
import { readState, type State, StateError, savedState } from './state.mts';

/** Shortest pause before a change is saved, in real milliseconds. */
const PAUSE_MS = 1000;
/** Saving may take so much of the time at most. */
const SHARE = 20;
/** How long another sandbox may take to answer, in milliseconds. */
const RESPONSE_MS = 5000;

/**
 * Locks a state file by a file next to it, with the address of the sandbox that uses it. Where none answers any more, as
 * it was killed, the lock does not count.
 * @param url where this sandbox listens
 * @throws StateError if another sandbox uses the file, or if its folder cannot be written
 */
export async function lockState(file: string, url: string): Promise<void> {
	try {
		for (let owner = ownerOf(file); owner !== url; owner = ownerOf(file)) {
			if (owner && (await isSandbox(owner))) {
				const cure = `End that one, or choose another file. If it has another file already, delete ${file}.lock.`;
				throw new StateError(`The state file ${file} is in use by another sandbox at ${owner}. ${cure}`);
			}
			// Meanwhile another one may have replaced it.
			if (ownerOf(file) === owner) {
				rmSync(`${file}.lock`, { force: true });
				writeFileSync(`${file}.lock`, url, { flag: 'wx', mode: 0o600 });
			}
		}
	} catch (error) {
		throw error instanceof StateError
			? error
			: new StateError(`The state file ${file} cannot be kept: ${said(error)}.`);
	}
}

/** Lets others use a state file, if they do not yet. */
export function unlockState(file: string, url: string): void {
	if (ownerOf(file) === url) {
		rmSync(`${file}.lock`, { force: true });
	}
}

/**
 * Reads a state file.
 * @returns undefined if there is none, or an empty one
 * @throws StateError with the file's name, also for a file that cannot be read
 */
export function readStateFile(file: string): State | undefined {
	try {
		const bytes = existsSync(file) ? readFileSync(file) : Buffer.of();
		return bytes.length > 0 ? readState(bytes) : undefined;
	} catch (error) {
		throw new StateError(`The state file ${file} cannot be used: ${said(error)}. It was left as it is.`);
	}
}

/**
 * Saves the world to a file that this sandbox has locked, soon after each change.
 * @param current the world of now
 * @returns what saves for the last time; it throws a StateError if the file cannot be written
 */
export function keepState(file: string, url: string, current: () => World): () => void {
	let pause = PAUSE_MS;
	let timer: NodeJS.Timeout | undefined;
	const save = () => {
		timer = undefined;
		const started = performance.now();
		write(file, url, savedState(current()));
		pause = Math.max(PAUSE_MS, (performance.now() - started) * SHARE);
	};
	const saveOrSay = () => {
		try {
			save();
		} catch (error) {
			process.stderr.write(`sandbox: ${said(error)}\n`);
		}
	};
	const stop = current().changes.listen(() => (timer ??= setTimeout(saveOrSay, pause)));
	return () => {
		stop();
		clearTimeout(timer);
		save();
	};
}

/** Replaces a file as a whole: nobody ever sees a part of it. Only its owner may read it: a state has secrets. */
function write(file: string, url: string, bytes: Buffer): void {
	const part = `${file}.${process.pid}.part`;
	try {
		if (ownerOf(file) !== url) {
			throw new Error(`${file}.lock is gone, or of another sandbox`);
		}
		writeFileSync(part, bytes, { mode: 0o600, flush: true });
		renameSync(part, file);
	} catch (error) {
		rmSync(part, { force: true });
		throw new StateError(`The state file ${file} could not be written: ${said(error)}.`);
	}
}

function ownerOf(file: string): string | undefined {
	return existsSync(`${file}.lock`) ? readFileSync(`${file}.lock`, 'utf8') : undefined;
}

/** Whether a sandbox listens at an address; one that takes too long to answer may be one. */
async function isSandbox(url: string): Promise<boolean> {
	try {
		const response = await fetch(`${url}/_sandbox/status`, { signal: AbortSignal.timeout(RESPONSE_MS) });
		return 'state_file' in ((await response.json()) as object);
	} catch (error) {
		return said(error).includes('timeout');
	}
}

const said = (error: unknown) => (error as Error).message;
