import { join } from 'node:path';

import { root } from './places.mts';
import { runVisibly } from './process.mts';

const jest = join('node_modules', 'jest', 'bin', 'jest.js');

/** How long a worker may take to free its memory when all is done: a gigabyte takes seconds on a busy machine. */
const EXIT_SECONDS = 20;

/** What jest says of a worker that had to be killed: a server, a socket, a timer or a process was left open. */
const STAYED = 'A worker process has failed to exit gracefully';

/**
 * Runs jest in the project's folder.
 *
 * @returns its status; 1 if the tests passed, but have left something open
 */
export async function runJest(args: string[], { env }: { env?: NodeJS.ProcessEnv } = {}): Promise<number> {
	let stayed = false;
	let rest = '';
	const onError = (text: string) => {
		rest += text;
		stayed ||= rest.includes(STAYED);
		rest = rest.slice(-STAYED.length);
	};
	const status = await runVisibly([jest, `--workerGracefulExitTimeout=${EXIT_SECONDS * 1000}`, ...args], root, {
		env,
		onError,
	});
	return status === 0 && stayed ? 1 : status;
}
