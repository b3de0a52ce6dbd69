import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { installPackage } from '../../scripts/lib/n8n.mts';
import { cache, root, userFolders } from '../../scripts/lib/places.mts';
import { runProcess } from '../../scripts/lib/process.mts';
import { Sandbox } from '../../scripts/lib/sandbox.mts';
import type { Job, Measured, Target } from './job.mts';

/** The output folder of the benchmarks: logs, the packed package, results. */
export const folder = join(cache, 'bench');

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>;
const userFolder = join(userFolders, 'bench');

/** The folder of our package after installation. */
export const installed = join(userFolder, '.n8n', 'nodes', 'node_modules', name!);

/** All benchmarks use this n8n. */
export const n8nModules = join(cache, 'n8n', 'node_modules');

/** Packs our package and installs it like n8n, in a new user folder. */
export async function installOwnPackage(): Promise<void> {
	rmSync(userFolder, { recursive: true, force: true, maxRetries: 3 });
	mkdirSync(userFolder, { recursive: true });
	const args = [join(root, 'scripts', 'pack.mts'), folder];
	await runProcess({ name: 'Packing', args, cwd: root, env: process.env, logFile: join(folder, 'logs', 'pack.log') });
	await installPackage(join(folder, `${name}-${version}.tgz`), userFolder, join(folder, 'logs', 'install.log'));
}

/** Runs a program that loads n8n's engine. @returns what it wrote to stdout */
export async function runWithN8n(args: string[], cwd = root): Promise<string> {
	// NODE_PATH makes packages use n8n's dependencies, as in n8n.
	const env = { ...process.env, NODE_PATH: n8nModules, N8N_MODULES: join(n8nModules, 'index.js') };
	return await runProcess({ name: args[0]!, args, cwd, env, logFile: join(folder, 'logs', 'n8n.log') });
}

/** Runs a job. @throws Error if a call was not queued */
export async function run(job: Job): Promise<Measured> {
	const worker = join(root, 'test', 'bench', 'child', 'worker.mts');
	const measured = JSON.parse(await runWithN8n(['--expose-gc', worker, installed, JSON.stringify(job)])) as Measured;
	if (measured.output !== job.items) {
		throw new Error(`${measured.output} of ${job.items} calls were queued`);
	}
	return measured;
}

/**
 * Runs all contenders in turn (A B C A B C), so that changes on the machine affect all of them equally.
 *
 * @returns the results of all rounds by name
 */
export async function inTurns<Name extends string, Result>(
	contenders: Record<Name, () => Promise<Result>>,
	rounds: number,
): Promise<Record<Name, Result[]>> {
	const results = {} as Record<Name, Result[]>;
	for (let round = 1; round <= rounds; round++) {
		console.log(`   round ${round} of ${rounds}`);
		for (const name of Object.keys(contenders) as Name[]) {
			(results[name] ??= []).push(await contenders[name]());
		}
	}
	return results;
}

/** A rate limit that no run reaches. */
const unlimited = ['--rate-limit', '1000000000'];

/** Longer than any run, so that queued calls stay queued and the sandbox does no other work. */
const callDelaySeconds = 86_400;

interface SandboxRequest {
	method: string;
	path: string;
	status: number;
	at: string;
	body: Record<string, string>;
}

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

	/**
	 * Resets the sandbox so that it places no calls, and gives the campaign's agent the variable `name`.
	 *
	 * @param latency added to each response to a POST, in milliseconds
	 */
	async reset(latency = 0): Promise<void> {
		await this.forget();
		const { campaignId } = this.sandbox;
		await this.ask('PUT', `/api/v1/campaigns/${campaignId}`, { initial_call_delay: callDelaySeconds });
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
		if (latency > 0) {
			const match = { method: 'POST' };
			await this.ask('POST', '/_sandbox/faults', { match, kind: 'latency', ms: latency, times: 1_000_000 });
		}
	}

	async requests(): Promise<SandboxRequest[]> {
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
