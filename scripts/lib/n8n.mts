import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { cache, npmProgram } from './places.mts';
import { type OwnProcess, onFreePorts, runProcess, startProcess, until, waitFor } from './process.mts';

/** n8n's program file: that of the project's own n8n, or of the n8n in the cache folder that N8N_TO_TRY names. */
export const n8nProgram = join(cache, process.env.N8N_TO_TRY ?? 'n8n', 'node_modules', 'n8n', 'bin', 'n8n');

// Settings for another n8n in the user's shell (its database, its key, a proxy) must not apply here.
const passedOn =
	/^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE)$/i;

/**
 * Returns the environment of an n8n with its own user folder, which listens only on this machine and sends no
 * telemetry.
 *
 * @param extra settings that override these
 */
function n8nEnvironment(userFolder: string, extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
	const inherited = Object.entries(process.env).filter(([name]) => passedOn.test(name));
	return {
		...Object.fromEntries(inherited),
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_LOG_LEVEL: 'info',
		NO_COLOR: '1',
		...extra,
	};
}

export interface N8nServer {
	/** The editor's address, without a trailing slash. */
	url: string;
	process: OwnProcess;
	stop(): Promise<void>;
}

export interface N8nServerOptions {
	/** The kind of process. Queue mode has workers and webhook processes besides the one with the editor. */
	command?: 'start' | 'worker' | 'webhook';
	userFolder: string;
	logFile: string;
	/** The port to try first. */
	port?: number;
	/** Settings that override those of `n8nEnvironment`. */
	env?: NodeJS.ProcessEnv;
}

/** Starts n8n on free ports and waits until it responds. */
export async function startN8n(options: N8nServerOptions): Promise<N8nServer> {
	return await onFreePorts(options.port ?? 5678, 2, (port, brokerPort) => startOn(port, brokerPort, options));
}

async function startOn(port: number, brokerPort: number, options: N8nServerOptions): Promise<N8nServer> {
	const { command = 'start' } = options;
	const url = `http://127.0.0.1:${port}`;
	const process = startProcess({
		name: command === 'start' ? 'n8n' : `The n8n ${command}`,
		args: [n8nProgram, command],
		cwd: options.userFolder,
		env: n8nEnvironment(options.userFolder, {
			N8N_PORT: String(port),
			...(command === 'worker' && {
				QUEUE_HEALTH_CHECK_ACTIVE: 'true',
				QUEUE_HEALTH_CHECK_PORT: String(port),
				N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			}),
			N8N_RUNNERS_BROKER_PORT: String(brokerPort),
			N8N_EDITOR_BASE_URL: url,
			WEBHOOK_URL: `${url}/`,
			...options.env,
		}),
		logFile: options.logFile,
	});
	try {
		await until(() => isReady(url, command, process), {
			seconds: 180,
			otherwise: () => process.failure('was not ready after 3 minutes'),
		});
	} catch (error) {
		await process.stop();
		throw error;
	}
	return { url, process, stop: () => process.stop() };
}

async function isReady(url: string, command: string, process: OwnProcess): Promise<true | undefined> {
	if (!process.isRunning()) {
		throw process.failure(`${await process.ended} while starting`);
	}
	try {
		const ready = await fetch(`${url}/healthz/readiness`);
		if (!ready.ok || command !== 'start') {
			return ready.ok || undefined;
		}
		// The health check succeeds before the editor's routes exist: until then the response is 404.
		const { status } = await fetch(`${url}/rest/login`);
		return status !== 404 || undefined;
	} catch {
		return undefined;
	}
}

/**
 * Runs an n8n command, for example `import:workflow`.
 *
 * @param env additional settings, as for `startN8n`
 * @returns its stdout
 */
async function n8nCommand(
	userFolder: string,
	args: string[],
	logFile: string,
	env: NodeJS.ProcessEnv = {},
): Promise<string> {
	return await runProcess({
		name: `n8n ${args[0]}`,
		args: [n8nProgram, ...args],
		cwd: userFolder,
		env: n8nEnvironment(userFolder, env),
		logFile,
	});
}

/**
 * Puts credentials or workflows into an n8n, which may be stopped. Those with the same ID are replaced.
 *
 * @param content as n8n exports them
 */
export async function importInto(
	userFolder: string,
	what: 'credentials' | 'workflow',
	content: object[],
	logFile: string,
): Promise<void> {
	const file = join(userFolder, `import-${what}.json`);
	writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
	try {
		await n8nCommand(userFolder, [`import:${what}`, `--input=${file}`], logFile);
	} finally {
		rmSync(file);
	}
}

interface Manifest {
	name: string;
	version: string;
	devDependencies?: object;
	peerDependencies?: object;
	optionalDependencies?: object;
}

/**
 * Installs a packed package into n8n's user folder with the steps of n8n's own installer: unpack, remove the
 * dependency lists that n8n does not install, `npm install` without scripts.
 *
 * @param tarball the output of `npm pack`
 * @param node the Node.js that runs npm; by default that of this process
 */
export async function installPackage(
	tarball: string,
	userFolder: string,
	logFile: string,
	node = process.execPath,
): Promise<void> {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const unpacked = join(nodesFolder, 'unpacked');
	await rm(unpacked, { recursive: true, force: true });
	await mkdir(unpacked, { recursive: true });
	await promisify(execFile)('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);

	const manifestFile = join(unpacked, 'package.json');
	const packed = JSON.parse(await readFile(manifestFile, 'utf8')) as Manifest;
	const { devDependencies, peerDependencies, optionalDependencies, ...manifest } = packed;
	await writeFile(manifestFile, JSON.stringify(manifest, null, 2));

	const folder = join(nodesFolder, 'node_modules', manifest.name);
	await rm(folder, { recursive: true, force: true });
	await mkdir(dirname(folder), { recursive: true });
	await rename(unpacked, folder);
	await installDependencies(folder, logFile, node);
	await addDependency(join(nodesFolder, 'package.json'), manifest);
}

/** Adds the package to n8n's list, and keeps the packages that the user has installed. */
async function addDependency(file: string, { name, version }: Manifest): Promise<void> {
	const text = await readFile(file, 'utf8').catch(() => '{}');
	const { dependencies } = JSON.parse(text) as { dependencies?: object };
	const installed = { private: true, dependencies: { ...dependencies, [name]: version } };
	await writeFile(file, JSON.stringify(installed, null, 2));
}

async function installDependencies(folder: string, logFile: string, node: string): Promise<void> {
	await runProcess({
		name: 'npm install',
		program: node,
		args: [
			npmProgram(),
			'install',
			'--audit=false',
			'--fund=false',
			'--bin-links=false',
			'--install-strategy=shallow',
			'--ignore-scripts=true',
			'--package-lock=false',
		],
		cwd: folder,
		env: process.env,
		logFile,
	});
}

/**
 * Copies built files into an installed package and waits until n8n has loaded it again. n8n begins to watch packages
 * some seconds after it responds, without any sign, so the files are copied repeatedly until it has noticed them.
 *
 * @param built the folder of the build
 * @param installed the folder of the installed package
 * @param logFile the log of an n8n that runs with N8N_DEV_RELOAD
 * @returns whether n8n has loaded it within a minute
 */
export async function reloadPackage(built: string, installed: string, name: string, logFile: string): Promise<boolean> {
	const reloads = () => {
		const log = existsSync(logFile) ? readFileSync(logFile, 'utf8') : '';
		return log.split(`Hot reload triggered for ${name}\n`).length;
	};
	const before = reloads();
	const ask = async () => {
		if (reloads() > before) {
			return true;
		}
		cpSync(built, join(installed, 'dist'), { recursive: true });
		return undefined;
	};
	return (await waitFor(ask, { seconds: 60, every: 2000 })) ?? false;
}
