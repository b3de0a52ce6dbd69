import { createHash } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The root folder of the project. */
export const root = dirname(dirname(import.meta.dirname));

/** The folder for output of the commands. Git ignores it, and it can be deleted at any time. */
export const cache = join(root, '.cache');

/** Identifies this copy of the project, so that two copies do not share folders. */
const copy = createHash('sha256').update(root).digest('hex').slice(0, 8);

/**
 * The parent of n8n's user folders. It is outside the project, because nodes installed in the project would load the
 * project's n8n-workflow and zod instead of the copies of the n8n that runs them.
 */
export const userFolders = join(tmpdir(), `n8n-nodes-voice-agent-calling-${copy}`);

/**
 * The folder of `npm start -- --keep`. It is outside the project for the same reason, and never emptied by the system.
 */
export const keptFolder = join(homedir(), '.n8n-nodes-voice-agent-calling', copy);

/** Returns npm's program file, found by the setup. It runs with the same Node.js as this process. */
export function npmProgram(): string {
	const file = process.env.npm_execpath;
	if (!file) {
		throw new Error('npm was not found: start this with "npm start" or "npm test".');
	}
	return file;
}
