import { createHash } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The root folder of the project. */
export const root = dirname(dirname(import.meta.dirname));

/** Output of the commands. Git ignores it, and it can be deleted at any time. */
export const cache = join(root, '.cache');

/** Two copies of the project share no folders. */
const copy = createHash('sha256').update(root).digest('hex').slice(0, 8);

/**
 * The parent of n8n's user folders. It is outside the project because nodes installed in the project would load the
 * project's n8n-workflow and zod instead of those of the n8n that they run in.
 */
export const userFolders = join(tmpdir(), `n8n-nodes-voice-agent-calling-${copy}`);

/** What `npm start -- --keep` keeps. It is outside the project for the same reason, and no system empties it. */
export const keptFolder = join(homedir(), '.n8n-nodes-voice-agent-calling', copy);

/** Returns npm's program file, found by the setup. It runs with the same Node.js as this process. */
export function npmProgram(): string {
	const file = process.env.npm_execpath;
	if (!file) {
		throw new Error('npm was not found: start this with "npm start" or "npm test".');
	}
	return file;
}
