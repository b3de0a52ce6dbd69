import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname } from 'node:path';

/** The processes that this command has started and that still run, each as [process, whether it leads a group]. */
const running = new Map();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => end(signal));
}

// npm starts its scripts through a shell. Ending npm ends the shell, and no signal arrives here.
if (process.env.npm_lifecycle_event) {
	const parent = process.ppid;
	const watch = setInterval(() => {
		if (process.ppid === parent) {
			return;
		}
		clearInterval(watch);
		end('SIGTERM');
	}, 500);
	watch.unref();
}

/** Forwards a signal. The task decides when it exits; the steps of a set-up end at once. */
function end(signal) {
	process.exitCode = exitStatus(null, signal);
	for (const [child, isGroup] of running) {
		sendSignal(child, isGroup, signal);
	}
	if ([...running.values()].every((isGroup) => isGroup)) {
		process.exit();
	}
}

function sendSignal(child, isGroup, signal) {
	try {
		if (isGroup && process.platform !== 'win32') {
			process.kill(-child.pid, signal);
		} else {
			child.kill(signal);
		}
	} catch (error) {
		if (error.code !== 'ESRCH') {
			throw error;
		}
	}
}

/** The exit status of a process as a shell reports it. */
function exitStatus(code, signal) {
	return code ?? 128 + (constants.signals[signal] ?? 0);
}

function finished(child, isGroup) {
	running.set(child, isGroup);
	return new Promise((resolve, reject) => {
		child.on('error', (error) => {
			running.delete(child);
			reject(error);
		});
		child.on('exit', (code, signal) => {
			running.delete(child);
			resolve(exitStatus(code, signal));
		});
	});
}

/** Runs the task itself with this terminal; returns its exit status. */
export function runTask(command, args, options) {
	return finished(spawn(command, args, { ...options, stdio: 'inherit' }), false);
}

/** Runs a step of the set-up: its output goes to a log file, a signal ends it with all that it started. */
export async function runStep(command, args, { logFile, ...options }) {
	mkdirSync(dirname(logFile), { recursive: true });
	const log = openSync(logFile, 'a');
	try {
		const stdio = ['ignore', log, log];
		const detached = process.platform !== 'win32';
		return await finished(spawn(command, args, { ...options, stdio, detached }), true);
	} catch (error) {
		writeSync(log, `${error.message}\n`);
		return 127;
	} finally {
		closeSync(log);
	}
}

/** The last lines of a log file. */
export function lastLines(logFile, count) {
	return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}
