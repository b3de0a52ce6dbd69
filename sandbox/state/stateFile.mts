import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

import type { World } from '../world/world.mts';
import { BrokenState, readState } from './load.mts';
import { savedState } from './save.mts';
import type { StateLock } from './stateLock.mts';
import type { SavedState } from './stateSchema.mts';

/** Shortest pause before a change is saved, in real milliseconds. */
const PAUSE_MS = 1000;
/** Saving may take so much of the time at most. */
const SHARE = 20;

/**
 * Reads a state file.
 * @returns undefined if there is none
 * @throws BrokenState with the file's name, also for a file that cannot be read
 */
export function readStateFile(file: string): SavedState | undefined {
	if (!existsSync(file)) {
		return undefined;
	}
	try {
		return readState(JSON.parse(readFileSync(file, 'utf8')));
	} catch (error) {
		const reason = error instanceof SyntaxError ? 'it is no JSON' : (error as Error).message;
		throw new BrokenState(`The state file ${file} cannot be used: ${reason}. It was left as it is.`);
	}
}

/** Writes a state file, which only its owner may read: it has secrets. Nobody ever sees a part of it. */
export function writeStateFile(file: string, world: World): void {
	const part = `${file}.${process.pid}.part`;
	try {
		const target = openSync(part, 'w', 0o600);
		try {
			writeFileSync(target, JSON.stringify(savedState(world)));
			fsyncSync(target);
		} finally {
			closeSync(target);
		}
		renameSync(part, file);
	} catch (error) {
		rmSync(part, { force: true });
		throw error;
	}
}

/** What keeps a state file. */
export interface StateKeeper {
	/** Saves what has changed, and stops. @throws if the file cannot be written */
	end(): void;
}

/**
 * Saves the world to a file soon after each change.
 * @param lock the lock on that file: without it nothing is saved
 * @param current the world of now
 */
export function keepState(file: string, lock: StateLock, current: () => World): StateKeeper {
	let pause = PAUSE_MS;
	let timer: NodeJS.Timeout | undefined;
	const save = () => {
		timer = undefined;
		const started = performance.now();
		if (!lock.isHeld()) {
			throw new Error('another sandbox has taken it over');
		}
		writeStateFile(file, current());
		pause = Math.max(PAUSE_MS, (performance.now() - started) * SHARE);
	};
	const stop = current().changes.listen(() => {
		timer ??= setTimeout(() => {
			try {
				save();
			} catch (error) {
				process.stderr.write(`sandbox: ${file} could not be written: ${(error as Error).message}\n`);
			}
		}, pause);
	});
	return {
		end() {
			stop();
			clearTimeout(timer);
			save();
		},
	};
}
