import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './places.mts';
import { type OwnProcess, onFreePorts, startProcess, until } from './process.mts';

/** A delivery attempt of the sandbox. */
export interface DeliveryAttempt {
	webhook_id: string;
	event: string;
	delivery_id: string;
	status: number | null;
}

/** The complete record of a delivery attempt in the sandbox. */
export interface AttemptRecord extends DeliveryAttempt {
	/** Each copy of a delivery counts its own attempts. */
	attempt: number;
	/** The start of the attempt, in sandbox time. */
	at: string;
	duration_ms: number;
	error?: string;
}

/** The line that the sandbox prints when it is ready. */
interface StartLine {
	url: string;
	token: string;
	seed: { campaigns: { active: string }; agents: { published: string } };
}

/** A sandbox in its own process. */
export class Sandbox {
	readonly process: OwnProcess;
	readonly url: string;
	readonly token: string;
	/** A campaign that accepts calls. */
	readonly campaignId: string;
	/** An agent that can place calls. */
	readonly agentId: string;

	private constructor(process: OwnProcess, { url, token, seed }: StartLine) {
		this.process = process;
		this.url = url;
		this.token = token;
		this.campaignId = seed.campaigns.active;
		this.agentId = seed.agents.published;
	}

	/**
	 * @param speed sandbox seconds per real second
	 * @param firstPort the port to try first
	 * @param options additional command-line arguments of the sandbox
	 * @param env additional environment variables
	 */
	static async start(
		speed: number,
		logFile: string,
		firstPort = 4010,
		options: readonly string[] = [],
		env: NodeJS.ProcessEnv = {},
	): Promise<Sandbox> {
		return await onFreePorts(firstPort, 1, (port) => Sandbox.startOn(port, speed, logFile, options, env));
	}

	private static async startOn(
		port: number,
		speed: number,
		logFile: string,
		options: readonly string[],
		env: NodeJS.ProcessEnv,
	): Promise<Sandbox> {
		const own = ['--port', String(port), '--speed', String(speed)];
		const process = startProcess({
			name: 'The sandbox',
			args: [join(root, 'sandbox', 'main.mts'), ...own, ...options],
			cwd: root,
			env: { ...globalThis.process.env, ...env },
			logFile,
		});
		const ask = async () => {
			const line = /^\{"url".*$/m.exec(readFileSync(logFile, 'utf8'))?.[0];
			if (line !== undefined) {
				return JSON.parse(line) as StartLine;
			}
			if (!process.isRunning()) {
				throw process.failure(`${await process.ended} while starting`);
			}
			return undefined;
		};
		try {
			const otherwise = () => process.failure('was not ready after 30 seconds');
			return new Sandbox(process, await until(ask, { seconds: 30, every: 50, otherwise }));
		} catch (error) {
			await process.stop();
			throw error;
		}
	}

	/** Returns the ID of the webhook whose address starts with `address`, or undefined before it is registered. */
	async webhookAt(address: string): Promise<string | undefined> {
		const { data } = await this.request<{ data: { webhooks: Array<{ id: string; webhook_url: string }> } }>(
			`/api/v1/campaigns/${this.campaignId}/webhooks`,
		);
		return data.webhooks.find(({ webhook_url }) => webhook_url.startsWith(address))?.id;
	}

	/** Returns the name of the campaign that the examples use. */
	async campaignName(): Promise<string> {
		const { data } = await this.request<{ data: { name: string } }>(`/api/v1/campaigns/${this.campaignId}`);
		return data.name;
	}

	/** Returns how many calls were queued successfully. */
	async queuedCalls(): Promise<number> {
		const requests = await this.request<Array<{ method: string; path: string; status: number }>>('/_sandbox/requests');
		return requests.filter(
			({ method, path, status }) => method === 'POST' && /\/campaigns\/[^/]+\/call$/.test(path) && status < 300,
		).length;
	}

	async deliveries(): Promise<AttemptRecord[]> {
		return await this.request('/_sandbox/deliveries');
	}

	/** @param speed sandbox seconds per real second; 0 stops the clock */
	async setSpeed(speed: number): Promise<void> {
		await this.request('/_sandbox/clock', { speed });
	}

	/** Sends one delivery with a wrong signature. @returns its ID and the status of the response */
	async forge(webhookId: string): Promise<{ id: string; status: number | null }> {
		const body = { webhookId, event: 'campaign_call.completed', tamper: 'signature' };
		const { id, attempts } = await this.request<{ id: string; attempts: Array<{ status: number | null }> }>(
			'/_sandbox/deliver',
			body,
		);
		return { id, status: attempts[0]?.status ?? null };
	}

	private async request<T>(path: string, body?: object): Promise<T> {
		const response = await fetch(this.url + path, {
			method: body ? 'POST' : 'GET',
			headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
			...(body && { body: JSON.stringify(body) }),
		});
		if (!response.ok) {
			const text = await response.text();
			throw new Error(`The sandbox returned ${response.status} for ${path}: ${text.slice(0, 300)}`);
		}
		return (await response.json()) as T;
	}
}
