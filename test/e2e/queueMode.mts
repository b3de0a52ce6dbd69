import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { N8nServer } from '../../scripts/lib/n8n.mts';
import { userFolders } from '../../scripts/lib/places.mts';
import { freePort } from '../../scripts/lib/process.mts';
import { startBalancer } from './balancer.mts';
import { startDatabases } from './databases.mts';
import { Instance, type SandboxChoice } from './instance.mts';
import { doesN8n } from './olderN8n.mts';

type Command = 'worker' | 'webhook';

/** By default n8n notices only after a minute and a half that a worker is gone. */
const noticeSoon = {
	QUEUE_WORKER_LOCK_DURATION: '20000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** What a killed worker ran is not run again, as docs/reference/sending.md advises for n8n 1. */
const notAgain = doesN8n('failsWithTheWorker') ? {} : { QUEUE_WORKER_MAX_STALLED_COUNT: '0' };

/** One of the processes beside the one with the editor. */
interface Helper {
	command: Command;
	userFolder: string;
	port: number;
	server: N8nServer;
}

/** n8n in queue mode: one process with the editor, workers, and webhook processes that take deliveries in turn. */
export class QueueMode {
	/** The process with the editor, and the sandbox. */
	readonly n8n: Instance;
	private readonly env: NodeJS.ProcessEnv;
	private readonly helpers: Helper[] = [];
	/** What has to be ended, the last first. */
	private readonly ends: Array<() => Promise<unknown>>;

	private constructor(n8n: Instance, env: NodeJS.ProcessEnv, ends: Array<() => Promise<unknown>>) {
		this.n8n = n8n;
		this.env = env;
		this.ends = ends;
	}

	/** With two workers and two webhook processes. @param more settings of n8n */
	static async start(choice: SandboxChoice, more: NodeJS.ProcessEnv = {}): Promise<QueueMode> {
		const ends: Array<() => Promise<unknown>> = [];
		// Other runs at the same time must not find the same ports.
		const port = 8000 + (process.pid % 600) * 20;
		try {
			const databases = await startDatabases(port);
			ends.push(databases.stop);
			const balancer = await startBalancer();
			ends.push(async () => balancer.close());
			// The key in the user folder that n8n gets a copy of: all processes need the same.
			const config = readFileSync(join(harness.preparedFolder, '.n8n', 'config'), 'utf8');
			const { encryptionKey } = JSON.parse(config) as { encryptionKey: string };
			const own = { N8N_ENCRYPTION_KEY: encryptionKey, WEBHOOK_URL: `${balancer.url}/` };
			const env = { ...databases.env, ...own, ...noticeSoon, ...notAgain, ...more };
			const n8n = await Instance.start({ ...choice, env, hasNewDatabase: true });
			ends.push(() => n8n.stop());
			const queueMode = new QueueMode(n8n, env, ends);
			// One after the other: each takes a processor for some seconds.
			for (const [index, command] of (['worker', 'worker', 'webhook', 'webhook'] as const).entries()) {
				await queueMode.add(command, port + 4 + index * 4);
			}
			balancer.servers = queueMode.all('webhook').map(({ server }) => server.url);
			return queueMode;
		} catch (error) {
			await endAll(ends);
			throw error;
		}
	}

	/** Kills one of the workers, or of the webhook processes; resolves when it is gone. */
	async kill(command: Command): Promise<void> {
		await this.all(command)[0]!.server.process.stop('SIGKILL');
	}

	/** Kills the worker that has started an execution. */
	async killWorkerOf(executionId: string): Promise<void> {
		const line = `Worker started execution ${executionId} `;
		const log = ({ userFolder }: Helper) => readFileSync(join(userFolder, 'n8n.log'), 'utf8');
		await this.all('worker')
			.find((helper) => log(helper).includes(line))!
			.server.process.stop('SIGKILL');
	}

	/** Starts the one that was killed again. */
	async startAgain(command: Command): Promise<void> {
		const helper = this.all(command).find(({ server }) => !server.process.isRunning())!;
		helper.server = await this.start(helper);
	}

	async stop(): Promise<void> {
		await endAll(this.ends);
	}

	private all(command: Command): Helper[] {
		return this.helpers.filter((helper) => helper.command === command);
	}

	private async add(command: Command, firstPort: number): Promise<void> {
		const userFolder = mkdtempSync(join(userFolders, `e2e-${command}-`));
		const packages = join('.n8n', 'nodes');
		cpSync(join(this.n8n.folder, packages), join(userFolder, packages), { recursive: true });
		const helper = { command, userFolder, port: await freePort(firstPort) };
		const running = { ...helper, server: await this.start(helper) };
		this.helpers.push(running);
		this.ends.push(() => running.server.stop());
	}

	private async start({ command, userFolder, port }: Omit<Helper, 'server'>): Promise<N8nServer> {
		return await harness.startN8n({ command, userFolder, logFile: join(userFolder, 'n8n.log'), port, env: this.env });
	}
}

/** Ends everything, also after an error; throws the first error. */
async function endAll(ends: Array<() => Promise<unknown>>): Promise<void> {
	const errors: unknown[] = [];
	for (const end of ends.splice(0).reverse()) {
		await end().catch((error: unknown) => errors.push(error));
	}
	if (errors.length > 0) {
		throw errors[0];
	}
}
