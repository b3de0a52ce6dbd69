import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The project's own folder. */
export const root = dirname(dirname(import.meta.dirname));

/** What the commands write; ignored by git, may be deleted at any time. */
export const cache = join(root, '.cache');

/**
 * Where the user folders of n8n are. Not below the project: the nodes installed there would find the project's own
 * n8n-workflow and zod, and not those of the n8n that they run in.
 */
export const userFolders = join(
	tmpdir(),
	`n8n-nodes-voice-agent-calling-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`,
);

/** npm's program file, as found by the set-up: npm is run by the same Node.js as this process. */
export function npmProgram(): string {
	const file = process.env.npm_execpath;
	if (!file) {
		throw new Error('npm was not found: start this with "npm start" or "npm test".');
	}
	return file;
}
