import { cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type N8nServer, type N8nServerOptions, startN8n as startServer } from '../../scripts/lib/n8n.mts';
import { cache, userFolders } from '../../scripts/lib/places.mts';
import { type OwnProcess, type ProcessOptions, startProcess as start } from '../../scripts/lib/process.mts';
import { Sandbox } from '../../scripts/lib/sandbox.mts';

export { connectMcp } from './mcpClient.mts';

/** An n8n with the package in it and its owner logged in. */
export interface PreparedN8n {
	/** It alone, and there `files` alone, is what n8n writes to. */
	userFolder: string;
	server: N8nServer;
	/** Of the owner's login. */
	cookie: string;
}

/** The user folder that each n8n of the tests gets a copy of, by prepare.mts. */
export const preparedFolder = join(userFolders, 'e2e-prepared');

/** The file in a prepared user folder that holds the cookie of the owner's login. */
export const cookieFile = 'cookie.txt';

/** The modules of n8n that no test uses. Another version does not start if it does not have one of them. */
const unused = ['n8n', undefined].includes(process.env.N8N_TO_TRY)
	? 'agents,chat-hub,insights,instance-ai,mcp,mcp-registry'
	: 'insights';

/** n8n starts in half the time without what no test uses. */
export const fastStart: NodeJS.ProcessEnv = {
	NODE_COMPILE_CACHE: join(cache, 'compile-cache'),
	NODE_OPTIONS: `--require "${join(import.meta.dirname, 'minuteTimers.cjs')}"`,
	N8N_DISABLED_MODULES: unused,
	// The default of n8n 2. Without it, n8n 1 stores an execution in two steps, and a kill between them leaves only one.
	DB_SQLITE_POOL_SIZE: '3',
};

/** Each worker process has ports of its own: a port is looked for well before it is used. */
export const firstPort = 20_000 + (process.pid % 600) * 20;

/** What the test file that runs now has started. */
const own = new Set<OwnProcess>();

let shared: Promise<PreparedN8n> | undefined;

// What was started here ends when this process exits, which a signal alone would not make it do.
for (const [signal, status] of [
	['SIGINT', 130],
	['SIGTERM', 143],
] as const) {
	process.once(signal, () => process.exit(status));
}

/** The n8n for all test files of this worker process that need no n8n of their own; started on first use. */
export function sharedN8n(): Promise<PreparedN8n> {
	shared ??= startPrepared({}).then((n8n) => {
		n8n.server.process.unref();
		return n8n;
	});
	return shared;
}

/** Starts an n8n for one test file, without the editor's pages. @param env more of n8n's settings */
export async function ownN8n(env: NodeJS.ProcessEnv): Promise<PreparedN8n> {
	const n8n = await startPrepared({ N8N_DISABLE_UI: 'true', ...env });
	own.add(n8n.server.process);
	return n8n;
}

async function startPrepared(env: NodeJS.ProcessEnv): Promise<PreparedN8n> {
	const userFolder = mkdtempSync(join(userFolders, 'e2e-'));
	cpSync(preparedFolder, userFolder, { recursive: true });
	const files = join(userFolder, 'files');
	mkdirSync(files);
	const server = await startServer({
		userFolder,
		logFile: join(userFolder, 'n8n.log'),
		port: firstPort,
		env: { ...fastStart, N8N_RESTRICT_FILE_ACCESS_TO: files, N8N_DEFAULT_BINARY_DATA_MODE: 'default', ...env },
	});
	return { userFolder, server, cookie: readFileSync(join(userFolder, cookieFile), 'utf8') };
}

/** Starts an n8n on a user folder that is there, for one test file. */
export async function startN8n(options: N8nServerOptions): Promise<N8nServer> {
	const env = { ...fastStart, N8N_DISABLE_UI: 'true', ...options.env };
	const server = await startServer({ ...options, env });
	own.add(server.process);
	return server;
}

/**
 * Starts a sandbox for one test file.
 *
 * @param speed sandbox seconds in a second
 * @param options more of the sandbox's own command line
 */
export async function startSandbox(
	speed: number,
	options: readonly string[],
	env: NodeJS.ProcessEnv = {},
): Promise<Sandbox> {
	const folder = mkdtempSync(join(userFolders, 'e2e-sandbox-'));
	const sandbox = await Sandbox.start(speed, join(folder, 'sandbox.log'), firstPort + 10, options, env);
	own.add(sandbox.process);
	return sandbox;
}

/** Starts any other process for one test file. */
export function startProcess(options: ProcessOptions): OwnProcess {
	const started = start(options);
	own.add(started);
	return started;
}

/** Ends what a test file has left running. */
export async function endOwnProcesses(): Promise<void> {
	const left = [...own];
	own.clear();
	await Promise.all(left.map((process) => process.stop()));
}
