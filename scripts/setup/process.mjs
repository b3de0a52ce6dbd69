import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname } from 'node:path';

// npm runs scripts in a shell. When npm is killed, the shell ends, and this process does not receive a signal.
if (process.env.npm_lifecycle_event) {
	await import('../lib/endWithParent.cjs');
}

/** The running child processes, each with a function that sends it a signal. */
const running = new Map();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => {
		process.exitCode = exitStatus(null, signal);
		const kinds = [...running.values()];
		for (const { send } of kinds) {
			send(signal);
		}
		// A task decides when it ends; an installation ends immediately.
		if (kinds.every(({ isTask }) => !isTask)) {
			process.exit();
		}
	});
}

/** Returns the exit status as a shell reports it. */
function exitStatus(code, signal) {
	return code ?? 128 + (constants.signals[signal] ?? 0);
}

function finished(child, entry) {
	running.set(child, entry);
	return new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('exit', (code, signal) => resolve(exitStatus(code, signal)));
	}).finally(() => running.delete(child));
}

/** Runs the task with the terminal, and forwards signals to it. @returns its exit status */
export function runTask(command, args, options) {
	const child = spawn(command, args, { ...options, stdio: 'inherit' });
	return finished(child, { isTask: true, send: (signal) => child.kill(signal) });
}

/**
 * Runs an installation step: its output goes to a log file, and signals end its whole process group.
 *
 * @returns its status
 */
export async function runStep(command, args, { logFile, ...options }) {
	mkdirSync(dirname(logFile), { recursive: true });
	const log = openSync(logFile, 'a');
	const detached = process.platform !== 'win32';
	try {
		const child = spawn(command, args, { ...options, stdio: ['ignore', log, log], detached });
		const send = (signal) => (detached ? process.kill(-child.pid, signal) : child.kill(signal));
		return await finished(child, { isTask: false, send });
	} catch (error) {
		writeSync(log, `${error.message}\n`);
		return 127;
	} finally {
		closeSync(log);
	}
}

/** Returns the last lines of a log file. */
export function lastLines(logFile, count) {
	return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}
