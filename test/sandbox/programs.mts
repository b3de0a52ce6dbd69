import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';

/** The program of the sandbox. */
export const main = join(root, 'sandbox', 'main.mts');

/** Starts a program. @returns among others its output at its end, and a function that waits for a part of it */
export function start(program: string, args: string[], env = process.env) {
	const child = spawn(program, args, { env });
	let [stdout, stderr] = ['', ''];
	const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
	child.stderr.on('data', (chunk) => (stderr += String(chunk)));
	child.stdout.on('data', (chunk) => (stdout += String(chunk)));
	child.stdin.on('error', () => undefined);
	const shown = async (part: string) => {
		while (!stdout.includes(part)) {
			await once(child.stdout, 'data');
		}
		return stdout;
	};
	return { child, ended, shown };
}

/** Starts the sandbox's program. */
export const startMain = (args: string[], env = process.env) => start(process.execPath, [main, ...args], env);

/** Starts a command in a terminal. */
export function startInTerminal(command: string, env = process.env) {
	const isMac = process.platform === 'darwin';
	const args = isMac ? ['-q', '/dev/null', 'sh', '-c', command] : ['-qec', command, '/dev/null'];
	return start('script', args, env);
}
