import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { cache, root, userFolders } from '../../scripts/lib/places.mts';
import { runProcess } from '../../scripts/lib/process.mts';
import { installPackage } from '../../scripts/n8n/install.mts';
import { Sandbox } from '../../scripts/lib/sandbox.mts';
import type { Job, Measured, Target } from './job.mts';

/** The output folder of the benchmarks: logs, the packed package, results. */
export const folder = join(cache, 'bench');

/** The results that the pages in docs/ are written from. */
export const resultsFolder = join(root, 'test', 'bench', 'results');

/** The user folder of the benchmarked n8n. */
export const userFolder = join(userFolders, 'bench');

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>;

/** The folder of our package after installation. */
export const installed = join(userFolder, '.n8n', 'nodes', 'node_modules', name!);

/** All benchmarks use this n8n. */
export const n8nModules = join(cache, 'n8n', 'node_modules');

/** Environment for a process that loads n8n's engine. NODE_PATH makes packages use n8n's dependencies, as in n8n. */
export const childEnvironment = { ...process.env, NODE_PATH: n8nModules, N8N_MODULES: join(n8nModules, 'index.js') };

/** Returns the path of our packed package. */
export function tarball(): string {
	return join(folder, `${name}-${version}.tgz`);
}

/** Packs our package and installs it like n8n, in a new user folder. */
export async function installOwnPackage(): Promise<void> {
	rmSync(userFolder, { recursive: true, force: true, maxRetries: 3 });
	mkdirSync(userFolder, { recursive: true });
	const args = [join(root, 'scripts', 'pack.mts'), folder];
	await runProcess({ name: 'Packing', args, cwd: root, env: process.env, logFile: join(folder, 'logs', 'pack.log') });
	await installPackage(tarball(), userFolder, join(folder, 'logs', 'install.log'));
}

/** A rate limit that no run reaches. */
const unlimited = ['--rate-limit', '1000000000'];

/** Longer than any run, so that queued calls stay queued and the sandbox does no other work. */
const callDelaySeconds = 86_400;

/** A sandbox in its own process, with a campaign that accepts calls. */
export class Service {
	private readonly sandbox: Sandbox;

	private constructor(sandbox: Sandbox) {
		this.sandbox = sandbox;
	}

	static async start(options: readonly string[] = unlimited, firstPort = 4100): Promise<Service> {
		const logFile = join(folder, 'logs', `sandbox-${firstPort}.log`);
		// The address is read from the log, so remove the log of an earlier run.
		rmSync(logFile, { force: true });
		return new Service(await Sandbox.start(1, logFile, firstPort, options));
	}

	get target(): Target {
		const { url, token, campaignId } = this.sandbox;
		return { url, token, campaignId };
	}

	/** Resets the sandbox. It places queued calls. */
	async forget(): Promise<void> {
		await this.ask('POST', '/_sandbox/reset', {});
	}

	/** Resets the sandbox so that it places no calls. @param latency added to each response to a POST, in milliseconds */
	async reset(latency = 0): Promise<void> {
		const { campaignId } = this.sandbox;
		await this.forget();
		await this.ask('PUT', `/api/v1/campaigns/${campaignId}`, { initial_call_delay: callDelaySeconds });
		if (latency === 0) {
			return;
		}
		const match = { method: 'POST' };
		await this.ask('POST', '/_sandbox/faults', { match, kind: 'latency', ms: latency, times: 1_000_000 });
	}

	/** Resets the sandbox so that it places no calls, and gives the campaign's agent the variable `name`. */
	async resetWithVariable(): Promise<void> {
		await this.reset();
		const { campaignId } = this.sandbox;
		const { data } = await this.ask<{ data: { agent_id: string } }>('GET', `/api/v1/campaigns/${campaignId}`);
		await this.ask('PUT', `/api/v1/agents/${data.agent_id}/knowledge`, {
			description: 'An agent that knows a name',
			initial_message: 'Hello {{name}}.',
			initial_message_delay: 0,
			interrupt_sensitivity: 'low',
			ask_if_human_present_on_idle: true,
			llm_temperature: 1,
		});
		await this.ask('POST', `/api/v1/agents/${data.agent_id}/publish`);
	}

	async load(): Promise<{ inFlight: number; highest: number }> {
		return await this.ask('GET', '/_sandbox/load');
	}

	async requests(): Promise<
		Array<{ method: string; path: string; status: number; at: string; body: Record<string, string> }>
	> {
		return await this.ask('GET', '/_sandbox/requests');
	}

	async stop(): Promise<void> {
		await this.sandbox.process.stop();
	}

	private async ask<T>(method: string, path: string, body?: object): Promise<T> {
		const { url, token } = this.sandbox;
		const response = await fetch(url + path, {
			method,
			headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
			...(body && { body: JSON.stringify(body) }),
		});
		if (!response.ok) {
			throw new Error(`The sandbox answered ${path} with ${response.status}: ${await response.text()}`);
		}
		return (await response.json()) as T;
	}
}

/** A process with n8n's engine. It executes one run at a time. */
export class Worker {
	private readonly child: ChildProcess;

	private constructor(child: ChildProcess) {
		this.child = child;
	}

	static async start(more: string[] = []): Promise<Worker> {
		const child = fork(join(root, 'test', 'bench', 'child', 'worker.mts'), [installed], {
			execArgv: ['--expose-gc', ...more],
			env: childEnvironment,
		});
		const worker = new Worker(child);
		await worker.next();
		return worker;
	}

	/** Runs a job in a process of its own. */
	static async once(job: Job): Promise<Measured> {
		const worker = await Worker.start();
		const measured = await worker.run(job);
		await worker.stop();
		return measured;
	}

	async run(job: Job): Promise<Measured> {
		this.child.send(job);
		const { measured, error } = await this.next();
		if (measured) {
			return measured;
		}
		throw new Error(error);
	}

	async stop(): Promise<void> {
		const ended = new Promise((resolve) => this.child.once('exit', resolve));
		this.child.disconnect();
		await ended;
	}

	private async next(): Promise<{ measured?: Measured; error?: string }> {
		return await new Promise((resolve, reject) => {
			const ended = () => reject(new Error('A process of the benchmark has ended by itself'));
			this.child.once('exit', ended);
			this.child.once('message', (message) => {
				this.child.off('exit', ended);
				resolve(message as { measured?: Measured; error?: string });
			});
		});
	}
}
