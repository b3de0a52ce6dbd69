import { dirname, join } from 'node:path';

/** The project's own folder. */
export const root = dirname(dirname(import.meta.dirname));

/** What the commands write; ignored by git, may be deleted at any time. */
export const cache = join(root, '.cache');

/** npm's program file, as found by the set-up: npm is run by the same Node.js as this process. */
export function npmProgram(): string {
	const file = process.env.npm_execpath;
	if (!file) throw new Error('npm was not found: start this with "npm start" or "npm test".');
	return file;
}
