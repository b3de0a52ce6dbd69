import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import axios, { type AxiosInstance } from 'axios';

import { cache, root, userFolders } from '../../scripts/lib/places.mts';
import { until } from '../../scripts/lib/waiting.mts';
import { n8nCommand } from '../../scripts/n8n/cli.mts';
import { Editor, type Execution } from '../../scripts/n8n/editor.mts';
import { installPackage } from '../../scripts/n8n/install.mts';
import { type N8nServer, startN8n } from '../../scripts/n8n/server.mts';
import { Sandbox } from '../../scripts/quickstart/sandbox.mts';

export const owner = {
	email: 'owner@example.com',
	password: ['Local', 'Owner', '1'].join('-'),
	firstName: 'Ada',
	lastName: 'Owner',
};

const credential = { id: 'e2eSandbox', name: 'Sandbox' };

/** A node as a workflow file has it. */
export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	webhookId?: string;
	credentials?: Record<string, { id: string; name: string }>;
}

/** A webhook as the sandbox lists it. */
export interface RemoteWebhook {
	id: string;
	name: string;
	webhook_url: string;
	events: string[];
	enabled: boolean;
}

/** One request that the sandbox got. */
export interface SandboxRequest {
	method: string;
	path: string;
	status: number | null;
	body: Record<string, unknown> | undefined;
}

/** What can be chosen about the sandbox of an {@link Instance}. */
export interface SandboxChoice {
	/** Sandbox seconds in a second. */
	speed?: number;
	/** More of its own command line. */
	options?: readonly string[];
}

/** A real n8n with the packed package in it, and a sandbox beside it. */
export class Instance {
	readonly folder: string;
	readonly sandbox: Sandbox;
	readonly service: AxiosInstance;
	n8n: N8nServer;
	editor: Editor;
	readonly #n8nEnvironment: NodeJS.ProcessEnv;

	private constructor(folder: string, sandbox: Sandbox, n8n: N8nServer, env: NodeJS.ProcessEnv) {
		this.folder = folder;
		this.sandbox = sandbox;
		this.n8n = n8n;
		this.editor = new Editor(n8n.url);
		this.#n8nEnvironment = env;
		this.service = axios.create({
			baseURL: sandbox.url,
			headers: { authorization: `Bearer ${sandbox.token}` },
		});
	}

	static async start(env: NodeJS.ProcessEnv = {}, choice: SandboxChoice = {}): Promise<Instance> {
		const folder = mkdtempSync(join(userFolders, 'e2e-'));
		await installPackage(tarball(), folder, join(folder, 'install.log'));
		// A port is looked for well before it is used: runs at the same time must not find the same one.
		const port = 20_000 + (process.pid % 600) * 20;
		const { speed = 60, options } = choice;
		const sandbox = await Sandbox.start(speed, join(folder, 'sandbox.log'), port + 10, options);
		try {
			const data = { baseUrl: sandbox.url, environmentToken: sandbox.token };
			const file = join(folder, 'credentials.json');
			writeFileSync(file, JSON.stringify([{ ...credential, type: 'voiceAgentCallingApi', data }]));
			await n8nCommand(folder, ['import:credentials', `--input=${file}`], join(folder, 'import.log'), env);
			const n8n = await startN8n({ userFolder: folder, logFile: join(folder, 'n8n.log'), port, env });
			const instance = new Instance(folder, sandbox, n8n, env);
			await instance.editor.setUpOwner(owner);
			return instance;
		} catch (error) {
			await sandbox.process.stop();
			throw error;
		}
	}

	/** Ends n8n and starts it again on the same user folder and port. */
	async restartN8n(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
		await this.n8n.process.stop(signal);
		const port = Number(new URL(this.n8n.url).port);
		this.n8n = await startN8n({
			userFolder: this.folder,
			logFile: join(this.folder, 'n8n.log'),
			port,
			env: this.#n8nEnvironment,
		});
		this.editor = new Editor(this.n8n.url);
		await this.editor.logIn(owner);
	}

	async stop(): Promise<void> {
		await this.n8n.stop();
		await this.sandbox.process.stop();
	}

	/** A node as the editor would save it, with the credential where the node is this package's. */
	node(name: string, type: string, typeVersion: number, parameters: Record<string, unknown>): WorkflowNode {
		const own = type.startsWith('n8n-nodes-voice-agent-calling.');
		return {
			id: randomUUID(),
			name,
			type,
			typeVersion,
			position: [0, 0],
			parameters,
			...(own && { credentials: { voiceAgentCallingApi: credential } }),
		};
	}

	/** A trigger node for a campaign. */
	trigger(campaignId: string, parameters: Record<string, unknown> = {}): WorkflowNode {
		const type = 'n8n-nodes-voice-agent-calling.voiceAgentCallingTrigger';
		const campaign = { __rl: true, mode: 'id', value: campaignId };
		return { ...this.node('Events', type, 1, { campaign, ...parameters }), webhookId: randomUUID() };
	}

	/** @param chain the names of nodes, each connected to the next */
	async createWorkflow(name: string, nodes: WorkflowNode[], chain: string[] = []): Promise<string> {
		const connections = chain.slice(0, -1).map((from, index) => {
			return [from, { main: [[{ node: chain[index + 1], type: 'main', index: 0 }]] }];
		});
		const { id } = await this.editor.request<{ id: string }>('POST', '/rest/workflows', {
			name,
			nodes,
			connections: Object.fromEntries(connections),
			settings: {},
		});
		return id;
	}

	/** Saves other nodes and publishes them, as a person does who edits a published workflow. */
	async saveAndPublish(workflowId: string, nodes: WorkflowNode[], connections: object = {}): Promise<void> {
		await this.editor.request('PATCH', `/rest/workflows/${workflowId}`, { nodes, connections });
		await this.editor.publish(workflowId);
	}

	async unpublish(workflowId: string): Promise<void> {
		await this.editor.request('POST', `/rest/workflows/${workflowId}/deactivate`, {});
	}

	/** Delivers one event to a webhook, without retries; gives the status of each attempt. */
	async deliver(webhookId: string, more: object = {}): Promise<Array<number | null>> {
		const body = { webhookId, event: 'campaign_call.completed', ...more };
		const { data } = await this.service.post<{ attempts: Array<{ status: number | null }> }>('/_sandbox/deliver', body);
		return data.attempts.map(({ status }) => status);
	}

	/**
	 * Delivers one event as the service does, again until n8n takes it: n8n stores a new signing secret
	 * a moment after the service has it, and refuses what comes in between.
	 */
	async delivered(webhookId: string, more: object = {}): Promise<void> {
		let last: Array<number | null> = [];
		await until(
			async () => {
				last = await this.deliver(webhookId, more);
				return last.includes(200) ? true : undefined;
			},
			{ seconds: 10, otherwise: () => new Error(`The delivery was answered with ${String(last)}`) },
		);
	}

	/** All that the sandbox was asked, in order. */
	async requests(): Promise<SandboxRequest[]> {
		const { data } = await this.service.get<SandboxRequest[]>('/_sandbox/requests');
		return data;
	}

	/**
	 * Waits until a workflow has that many executions and all are over; gives them, the newest first. The
	 * number matters: n8n's list leaves out for a moment one that ends while it is asked for.
	 */
	async finished(workflowId: string, count: number): Promise<Execution[]> {
		let last: Execution[] = [];
		return await until(
			async () => {
				last = await this.editor.executions(workflowId);
				const over = last.every(({ status }) => !['new', 'running', 'waiting'].includes(status));
				return over && last.length >= count ? last : undefined;
			},
			{ seconds: 40, otherwise: () => new Error(`The executions stayed ${JSON.stringify(last)}`) },
		);
	}

	/** What the sandbox holds for a campaign. */
	async webhooks(campaignId: string): Promise<RemoteWebhook[]> {
		const { data } = await this.service.get<{ data: { webhooks: RemoteWebhook[] } }>(
			`/api/v1/campaigns/${campaignId}/webhooks`,
		);
		return data.data.webhooks;
	}

	/** Waits until a campaign's webhooks are as wanted; gives them. */
	async webhooksWhen(campaignId: string, wanted: (webhooks: RemoteWebhook[]) => boolean): Promise<RemoteWebhook[]> {
		let last: RemoteWebhook[] = [];
		return await until(
			async () => {
				last = await this.webhooks(campaignId);
				return wanted(last) ? last : undefined;
			},
			{ seconds: 40, otherwise: () => new Error(`The webhooks stayed ${JSON.stringify(last)}`) },
		);
	}
}

/** The tarball that was packed for this run. */
function tarball(): string {
	const folder = join(cache, 'e2e');
	const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	return join(folder, `${name}-${version}.tgz`);
}
