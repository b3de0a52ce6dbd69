import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface ProcessOptions {
	/** What it is called in messages. */
	name: string;
	/** The program's file; the Node.js that runs this process if not said. */
	program?: string;
	args: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** Who it is to run as; the user of this process if not said. */
	user?: { uid: number; gid: number };
	/** Where its output goes. */
	logFile: string;
}

/** A process that was started here and that only its owner ends. */
export interface OwnProcess {
	/** Resolves when it has ended, with words on how. */
	ended: Promise<string>;
	isRunning(): boolean;
	/** Ends it and all that it started: asks first (unless told to kill), insists after ten seconds. */
	stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
	/** Lets this process end although the other one still runs, which ends with it. */
	unref(): void;
	/** An error for it that tells what happened and where to read on. */
	failure(what: string): Error;
}

// A group of its own is what a process and all that it starts can be ended by.
const detached = process.platform !== 'win32';

/** What runs, and how to end it. */
const running = new Map<ChildProcess, () => void>();

// Whatever ends this process early: nothing that it started stays behind.
process.on('exit', () => {
	for (const end of running.values()) {
		end();
	}
});

function keepTrack(child: ChildProcess, end: () => void): void {
	running.set(child, end);
	child.on('exit', () => running.delete(child));
}

/** Runs a process to its end with this one's terminal; gives its status. */
export async function runVisibly(args: string[], cwd: string): Promise<number> {
	const child = spawn(process.execPath, args, { cwd, stdio: 'inherit' });
	keepTrack(child, () => child.kill());
	return await new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('exit', (code) => resolve(code ?? 1));
	});
}

/** Starts a process as the leader of a group of its own, so that ending it ends what it started. */
export function startProcess({
	name,
	program = process.execPath,
	args,
	cwd,
	env,
	user,
	logFile,
}: ProcessOptions): OwnProcess {
	mkdirSync(dirname(logFile), { recursive: true });
	const log = openSync(logFile, 'a');
	const child = spawn(program, args, {
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
		ended,
		isRunning,
		failure: (what) => new Error(`${name} ${what}. The last lines of ${logFile}:\n\n${lastLines(logFile, 15)}`),
		async stop(signal = 'SIGTERM') {
			if (!isRunning()) {
				return;
			}
			signalGroup(child, signal);
			const insist = setTimeout(() => signalGroup(child, 'SIGKILL'), 10_000);
			await ended;
			clearTimeout(insist);
		},
		unref: () => child.unref(),
	};
}

/** Runs a process to its end; what it wrote to stdout comes back when its status is 0. */
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
		// It has ended in between.
		if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) {
			throw error;
		}
	}
}

function lastLines(file: string, count: number): string {
	return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}
