import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's own folder, wherever the command was started. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What the commands bring along or write; ignored by git, may be deleted at any time. */
export const cache = join(root, '.cache');

/** Says on stderr what is going on; stdout belongs to the task. */
export function say(text) {
	process.stderr.write(`${text}\n`);
}

const stampName = '.installed-from';

/** What an installed folder must have been made from to be up to date. */
export function stampOf(lockFile, nodeVersion) {
	const lock = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
	return `${lock} node-${nodeVersion.split('.')[0]} ${process.platform}-${process.arch}\n`;
}

/** Whether the folder's node_modules was installed, to the end, from what the stamp names. */
export function isInstalled(folder, stamp) {
	const file = join(folder, 'node_modules', stampName);
	return existsSync(file) && readFileSync(file, 'utf8') === stamp;
}

/** Written last: an interrupted installation has no stamp and is done again. */
export function markInstalled(folder, stamp) {
	writeFileSync(join(folder, 'node_modules', stampName), stamp);
}
