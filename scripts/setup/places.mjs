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
