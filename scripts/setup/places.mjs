import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

const stampName = '.installed-from';

/** Returns the stamp of an up-to-date installation. */
export function stampOf(lockFile, nodeVersion) {
	const lock = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
	return `${lock} node-${nodeVersion.split('.')[0]} ${process.platform}-${process.arch}\n`;
}

/** Whether the installation of a folder is complete and has this stamp. */
export function isInstalled(folder, stamp) {
	const file = join(folder, 'node_modules', stampName);
	return existsSync(file) && readFileSync(file, 'utf8') === stamp;
}

/** Writes the stamp. Call this last, so that an interrupted installation has no stamp and is repeated. */
export function markInstalled(folder, stamp) {
	writeFileSync(join(folder, 'node_modules', stampName), stamp);
}
