import { freePort } from '../lib/ports.mts';
import { type OwnProcess, startProcess } from '../lib/process.mts';
import { until } from '../lib/waiting.mts';
import { n8nEnvironment, n8nProgram } from './environment.mts';

export interface N8nServer {
	/** The editor's address, without a slash at the end. */
	url: string;
	process: OwnProcess;
	stop(): Promise<void>;
}

export interface N8nServerOptions {
	/** In queue mode workers and webhook processes run beside the process with the editor. */
	command?: 'start' | 'worker' | 'webhook';
	userFolder: string;
	logFile: string;
	/** The port to try first. */
	port?: number;
	/** Settings that win over those of `n8nEnvironment`. */
	env?: NodeJS.ProcessEnv;
}

/** Starts n8n on free ports and waits until it answers. */
export async function startN8n(options: N8nServerOptions): Promise<N8nServer> {
	const { command = 'start' } = options;
	const port = await freePort(options.port ?? 5678);
	const brokerPort = await freePort(port + 1);
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
		// n8n reports ready before the editor's routes exist: until then this one is not found.
		const { status } = await fetch(`${url}/rest/login`);
		return status !== 404 || undefined;
	} catch {
		return undefined;
	}
}
