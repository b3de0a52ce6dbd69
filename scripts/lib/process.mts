import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessOptions {
	/** The name in messages. */
	name: string;
	/** The executable; by default the current Node.js, which then ends with this process, even if this is killed. */
	program?: string;
	args: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** The user to run as; by default the current user. */
	user?: { uid: number; gid: number };
	/** The file to append the output to. */
	logFile: string;
}

/** A running child process. */
export interface OwnProcess {
	/** Undefined if the process could not start. */
	pid: number | undefined;
	/** Resolves when the process ends, with a description of its end. */
	ended: Promise<string>;
	isRunning(): boolean;
	/** Ends the process and its descendants with a signal, and with SIGKILL after some seconds, by default 10. */
	stop(signal?: 'SIGTERM' | 'SIGKILL', seconds?: number): Promise<void>;
	/** Lets this process end before the child process, which then ends, too. */
	unref(): void;
	/** Creates an error with a description and the last lines of the log. */
	failure(what: string): Error;
}

const endWithParent = ['--require', join(import.meta.dirname, 'endWithParent.cjs')];

// A process group allows ending a process together with its descendants.
const detached = process.platform !== 'win32';

/** The running child processes, each with a function that ends it. */
const running = new Map<ChildProcess, () => void>();

// Ends all child processes when this process exits early.
process.on('exit', () => {
	for (const end of running.values()) {
		end();
	}
});

function keepTrack(child: ChildProcess, end: () => void): void {
	running.set(child, end);
	child.on('exit', () => running.delete(child));
}

/**
 * Runs Node.js with the terminal of this process.
 *
 * @param onError receives the stderr of the process, which is also shown
 * @returns the exit status
 */
export async function runVisibly(
	args: string[],
	cwd: string,
	{ env = process.env, onError }: { env?: NodeJS.ProcessEnv; onError?: (text: string) => void } = {},
): Promise<number> {
	// Without this, programs do not write colors into a pipe.
	const colors = onError && process.stderr.isTTY ? { FORCE_COLOR: '1' } : {};
	const stdio = ['inherit', 'inherit', onError ? 'pipe' : 'inherit'] as const;
	const child = spawn(process.execPath, args, { cwd, env: { ...colors, ...env }, stdio: [...stdio] });
	keepTrack(child, () => child.kill());
	child.stderr?.setEncoding('utf8').on('data', (text: string) => {
		process.stderr.write(text);
		onError?.(text);
	});
	return await new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', (code) => resolve(code ?? 1));
	});
}

/** Runs a process to its end. @returns its status, and its stdout and stderr in the order of arrival */
export async function runCaptured(args: string[], cwd: string): Promise<{ status: number; output: string }> {
	const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
	keepTrack(child, () => child.kill());
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => {
			output += text;
		});
	}
	return await new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', (code) => resolve({ status: code ?? 1, output }));
	});
}

/** Starts a process as the leader of a new process group. */
export function startProcess({ name, program, args, cwd, env, user, logFile }: ProcessOptions): OwnProcess {
	mkdirSync(dirname(logFile), { recursive: true });
	const log = openSync(logFile, 'a');
	const child = spawn(program ?? process.execPath, program ? args : [...endWithParent, ...args], {
		cwd,
		env,
		stdio: ['ignore', log, log],
		detached,
		...user,
	});
	closeSync(log);
	keepTrack(child, () => signalGroup(child, 'SIGTERM'));
	const ended = new Promise<string>((resolve) => {
		child.on('error', (error) => resolve(`could not start (${error.message})`));
		child.on('exit', (code, signal) =>
			resolve(signal === null ? `ended with status ${code}` : `was ended by ${signal}`),
		);
	});
	const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
	return {
		pid: child.pid,
		ended,
		isRunning,
		failure: (what) => new Error(`${name} ${what}. The last lines of ${logFile}:\n\n${lastLines(logFile, 15)}`),
		async stop(signal = 'SIGTERM', seconds = 10) {
			if (!isRunning()) {
				return;
			}
			signalGroup(child, signal);
			const killTimer = setTimeout(() => signalGroup(child, 'SIGKILL'), seconds * 1000);
			await ended;
			clearTimeout(killTimer);
		},
		unref: () => child.unref(),
	};
}

/** Runs a process to its end. @returns its stdout @throws Error with its last output if the status is not 0 */
export async function runProcess({
	name,
	program = process.execPath,
	args,
	cwd,
	env,
	user,
	logFile,
}: ProcessOptions): Promise<string> {
	mkdirSync(dirname(logFile), { recursive: true });
	const log = openSync(logFile, 'a');
	const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', log], detached, ...user });
	closeSync(log);
	keepTrack(child, () => signalGroup(child, 'SIGTERM'));
	let output = '';
	child.stdout?.setEncoding('utf8').on('data', (text: string) => {
		output += text;
	});
	const code = await new Promise<number | null>((resolve, reject) => {
		child.on('error', reject);
		child.on('close', resolve);
	});
	if (code === 0) {
		return output;
	}
	throw new Error(
		`${name} ended with status ${code}.\n\n${output.trimEnd().split('\n').slice(-15).join('\n')}\n${lastLines(logFile, 15)}\n\nIts log is in ${logFile}`,
	);
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
	if (child.pid === undefined) {
		return;
	}
	try {
		if (detached) {
			process.kill(-child.pid, signal);
		} else {
			child.kill(signal);
		}
	} catch (error) {
		// The process has ended in the meantime.
		if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) {
			throw error;
		}
	}
}

function lastLines(file: string, count: number): string {
	return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}

/**
 * Starts a server on free ports of 127.0.0.1, and again on others if another program has taken one in the meantime.
 *
 * @param first the first port to try
 * @param count the number of ports
 */
export async function onFreePorts<Server>(
	first: number,
	count: number,
	start: (...ports: number[]) => Promise<Server>,
): Promise<Server> {
	const ports: number[] = [];
	for (let next = first; ports.length < count; next = ports[ports.length - 1] + 1) {
		ports.push(await freePort(next));
	}
	try {
		return await start(...ports);
	} catch (error) {
		const free = await Promise.all(ports.map(isFree));
		if (free.every(Boolean)) {
			throw error;
		}
		return await onFreePorts(ports[ports.length - 1] + 1, count, start);
	}
}

/** Finds a free port on 127.0.0.1. @param first the first of 200 ports to try */
export async function freePort(first: number): Promise<number> {
	for (let port = first; port < first + 200; port++) {
		if (await isFree(port)) {
			return port;
		}
	}
	throw new Error(`No free port between ${first} and ${first + 199}: end some programs, then try again.`);
}

/** Whether a port on 127.0.0.1 is free. */
export async function isFree(port: number): Promise<boolean> {
	return (await canListen(port)) && !(await accepts(port));
}

async function canListen(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.on('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

/** Whether a program accepts connections. On some systems, a second program can listen on the same port. */
async function accepts(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1');
		socket.on('connect', () => {
			socket.destroy();
			resolve(true);
		});
		socket.on('error', () => resolve(false));
	});
}

/**
 * Polls until `poll` returns something other than undefined.
 *
 * @param every the pause between polls, in milliseconds
 * @returns the result of `poll`, or undefined after a timeout of `seconds`
 */
export async function waitFor<T>(
	poll: () => Promise<T | undefined>,
	{ seconds, every = 50 }: { seconds: number; every?: number },
): Promise<T | undefined> {
	const end = Date.now() + seconds * 1000;
	for (;;) {
		const result = await poll();
		if (result !== undefined || Date.now() > end) {
			return result;
		}
		await sleep(every);
	}
}

/** Like {@link waitFor}, but throws the error of `otherwise` after the timeout. */
export async function until<T>(
	poll: () => Promise<T | undefined>,
	{ otherwise, ...time }: { seconds: number; every?: number; otherwise: () => Error },
): Promise<T> {
	const result = await waitFor(poll, time);
	if (result === undefined) {
		throw otherwise();
	}
	return result;
}
