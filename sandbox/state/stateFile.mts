import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

import type { World } from '../world/world.mts';
import { readState, type State, StateError, savedState } from './state.mts';

/** The shortest pause before a change is saved, in real milliseconds. */
const PAUSE_MS = 1000;
/** The pause is at least this many times as long as the last saving, which limits its share of the time. */
const SHARE = 20;
/** How long another sandbox may take to respond, in milliseconds. */
const RESPONSE_MS = 5000;

/**
 * Locks a state file by a file next to it, which contains the address of the sandbox that uses it. The lock is ignored
 * if that sandbox no longer responds because it was killed.
 * @param url the address of this sandbox
 * @throws StateError if another sandbox uses the file, or if its folder cannot be written
 */
export async function lockState(file: string, url: string): Promise<void> {
	try {
		for (let owner = ownerOf(file); owner !== url; owner = ownerOf(file)) {
			if (owner && (await isSandbox(owner))) {
				const cure = `End that sandbox, or choose another file. If it already uses another file, delete ${file}.lock.`;
				throw new StateError(`The state file ${file} is in use by another sandbox at ${owner}. ${cure}`);
			}
			// Another sandbox may have replaced the lock in the meantime.
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

/** Unlocks a state file, unless another sandbox has locked it. */
export function unlockState(file: string, url: string): void {
	if (ownerOf(file) === url) {
		rmSync(`${file}.lock`, { force: true });
	}
}

/**
 * Reads a state file.
 * @returns undefined if the file is missing or empty
 * @throws StateError with the file's name
 */
export function readStateFile(file: string): State | undefined {
	try {
		const bytes = existsSync(file) ? readFileSync(file) : Buffer.of();
		return bytes.length > 0 ? readState(bytes) : undefined;
	} catch (error) {
		throw new StateError(`The state file ${file} cannot be used: ${said(error)}. It was left unchanged.`);
	}
}

/**
 * Saves the world to a file that this sandbox has locked, soon after each change.
 * @param current returns the current world
 * @returns a function that saves for the last time, and throws a StateError if the file cannot be written
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
	const saveOrReport = () => {
		try {
			save();
		} catch (error) {
			process.stderr.write(`sandbox: ${said(error)}\n`);
		}
	};
	const stop = current().changes.listen(() => (timer ??= setTimeout(saveOrReport, pause)));
	return () => {
		stop();
		clearTimeout(timer);
		save();
	};
}

/** Replaces a file atomically. Only its owner may read it, because a state contains secrets. */
function write(file: string, url: string, bytes: Buffer): void {
	const part = `${file}.${process.pid}.part`;
	try {
		if (ownerOf(file) !== url) {
			throw new Error(`${file}.lock is missing, or belongs to another sandbox`);
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

/** Whether a sandbox listens at an address. A server that responds too slowly may be a sandbox. */
async function isSandbox(url: string): Promise<boolean> {
	try {
		const response = await fetch(`${url}/_sandbox/status`, { signal: AbortSignal.timeout(RESPONSE_MS) });
		return 'state_file' in ((await response.json()) as object);
	} catch (error) {
		return said(error).includes('timeout');
	}
}

const said = (error: unknown) => (error as Error).message;
