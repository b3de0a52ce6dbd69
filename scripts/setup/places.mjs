import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the project. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Downloads and output of the commands. Git ignores it, and it can be deleted at any time. */
export const cache = join(root, '.cache');

/** Prints progress to stderr, because stdout belongs to the task. */
export function say(text) {
	process.stderr.write(`${text}\n`);
}

/**
 * Whether node_modules has what the lock file asks for, by the list that npm keeps in there. npm writes the list last, so
 * that an interrupted installation counts as none.
 *
 * @param manifests the folder with the lock file
 * @param only which entries of the lock file are needed; all of them, unless given
 */
export function isInstalled(folder, manifests, only = () => true) {
	const present = packagesIn(join(folder, 'node_modules', '.package-lock.json'));
	return Object.entries(packagesIn(join(manifests, 'package-lock.json')) ?? {}).every(
		([path, entry]) =>
			!path.includes('node_modules/') ||
			!only(entry) ||
			isForOtherPlatforms(entry) ||
			(present?.[path] !== undefined && present[path].version === entry.version),
	);
}

function packagesIn(lockFile) {
	return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : undefined;
}

/** Whether npm leaves a package out here. One for another C library, or one that was not needed, may be missing, too. */
function isForOtherPlatforms({ optional, os, cpu, libc }) {
	return optional && (!os?.includes(process.platform) || !cpu?.includes(process.arch) || libc !== undefined);
}
