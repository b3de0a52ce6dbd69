import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import axios, { type AxiosError, type AxiosInstance } from 'axios';

import { until, waitFor } from '../../scripts/lib/waiting.mts';
import { Editor, type Execution } from '../../scripts/n8n/editor.mts';
import type { N8nServer } from '../../scripts/n8n/server.mts';
import type { Sandbox } from '../../scripts/quickstart/sandbox.mts';
import type { PreparedN8n } from './harness.mts';
import { owner } from './owner.mts';

declare global {
	var harness: typeof import('./harness.mts');
}

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

/** One request that the sandbox received. */
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
	/** More of its environment. */
	sandboxEnv?: NodeJS.ProcessEnv;
}

/** What can be chosen about an n8n that a test file has for itself. */
export interface N8nChoice {
	/** More of n8n's settings. */
	env?: NodeJS.ProcessEnv;
	/** Whether the settings name a database that is empty yet. */
	hasNewDatabase?: boolean;
}

/** A real n8n with the packed package in it, and a sandbox beside it. */
export class Instance {
	/** n8n's user folder. */
	readonly folder: string;
	readonly sandbox: Sandbox;
	readonly service: AxiosInstance;
	n8n: N8nServer;
	editor: Editor;
	/** The credential for the sandbox. */
	credential = { id: '', name: 'Sandbox' };
	/** Its own n8n's settings; undefined where other test files use the same n8n. */
	private readonly env: NodeJS.ProcessEnv | undefined;

	private constructor({ userFolder, server, cookie }: PreparedN8n, sandbox: Sandbox, env?: NodeJS.ProcessEnv) {
		this.folder = userFolder;
		this.sandbox = sandbox;
		this.n8n = server;
		this.editor = new Editor(server.url, cookie);
		this.env = env;
		this.service = axios.create({
			baseURL: sandbox.url,
			headers: { authorization: `Bearer ${sandbox.token}` },
		});
		// Jest cannot write down an error of axios: it contains itself.
		this.service.interceptors.response.use(undefined, ({ message, config, response }: AxiosError) => {
			throw new Error(`${config?.method} ${config?.url}: ${message} ${JSON.stringify(response?.data)}`);
		});
	}

	/** A sandbox of its own, beside the n8n that other test files use too: it is not restarted. */
	static async share(choice: SandboxChoice = {}): Promise<Instance> {
		const [n8n, sandbox] = await Promise.all([harness.sharedN8n(), startSandbox(choice)]);
		return await new Instance(n8n, sandbox).begin();
	}

	/** A sandbox and an n8n of its own, which can be restarted and have other settings. */
	static async start(choice: SandboxChoice & N8nChoice = {}): Promise<Instance> {
		const { env = {}, hasNewDatabase = false } = choice;
		const [n8n, sandbox] = await Promise.all([harness.ownN8n(env), startSandbox(choice)]);
		return await new Instance(n8n, sandbox, env).begin(hasNewDatabase);
	}

	/** Does what a person does first: enters the credential, in a new n8n after setting it up. */
	private async begin(isNew = false): Promise<this> {
		if (isNew) {
			await this.editor.setUpOwner(owner);
		}
		const data = { baseUrl: this.sandbox.url, environmentToken: this.sandbox.token };
		this.credential.id = await this.createCredential(this.credential.name, 'voiceAgentCallingApi', data);
		return this;
	}

	/**
	 * Ends n8n and starts it again on the same user folder and port. The sandbox's clock stands still meanwhile, so it
	 * repeats no delivery: n8n answers with 200 while it starts, also a delivery that starts nothing.
	 *
	 * @param whileAway done after n8n's end and before its start
	 */
	async restartN8n(
		signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM',
		whileAway: () => Promise<unknown> = async () => {},
	): Promise<void> {
		if (!this.env) {
			throw new Error('Other test files use this n8n too.');
		}
		const { data } = await this.service.get<{ speed: number }>('/_sandbox/status');
		await this.sandbox.setSpeed(0);
		await this.n8n.process.stop(signal, 60);
		await whileAway();
		await this.startAgain(Number(new URL(this.n8n.url).port));
		await this.sandbox.setSpeed(data.speed);
	}

	/** Ends n8n and starts it again with another public address; nothing listens at the old one any more. */
	async moveN8n(): Promise<void> {
		await this.n8n.process.stop('SIGTERM', 60);
		const log = 'n8n-moved.log';
		await this.startAgain(Number(new URL(this.n8n.url).port) + 1, log);
		await startIsOver(join(this.folder, log));
	}

	private async startAgain(port: number, log = 'n8n.log'): Promise<void> {
		const logFile = join(this.folder, log);
		this.n8n = await harness.startN8n({ userFolder: this.folder, logFile, port, env: this.env });
		this.editor = new Editor(this.n8n.url, this.editor.cookie);
	}

	/** Ends what is its own. In an n8n that others use too, nothing of it stays published. */
	async stop(): Promise<void> {
		if (this.env) {
			await this.n8n.stop();
		} else {
			const query = new URLSearchParams({ filter: JSON.stringify({ active: true }) });
			for (const { id } of await this.editor.request<Array<{ id: string }>>('GET', `/rest/workflows?${query}`)) {
				await this.unpublish(id);
			}
		}
		await this.sandbox.process.stop();
	}

	/** Enters a credential; gives its id. */
	async createCredential(name: string, type: string, data: Record<string, unknown>): Promise<string> {
		const { id } = await this.editor.request<{ id: string }>('POST', '/rest/credentials', { name, type, data });
		return id;
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
			...(own && { credentials: { voiceAgentCallingApi: this.credential } }),
		};
	}

	/** A trigger node for a campaign. */
	trigger(campaignId: string, parameters: Record<string, unknown> = {}): WorkflowNode {
		const type = 'n8n-nodes-voice-agent-calling.voiceAgentCallingTrigger';
		const campaign = { __rl: true, mode: 'id', value: campaignId };
		return { ...this.node('Events', type, 2, { campaign, ...parameters }), webhookId: randomUUID() };
	}

	/** @param chain the names of nodes, each connected to the next */
	async createWorkflow(name: string, nodes: WorkflowNode[], chain: string[] = []): Promise<string> {
		const connections = chain.slice(0, -1).map((from, index) => {
			return [from, { main: [[{ node: chain[index + 1], type: 'main', index: 0 }]] }];
		});
		const { id } = await this.editor.request<{ id: string }>('POST', '/rest/workflows', {
			name,
			// Older versions of n8n need `active`.
			active: false,
			nodes,
			connections: Object.fromEntries(connections),
			settings: {},
		});
		return id;
	}

	/** Saves new nodes and publishes them, as a user who edits a published workflow does. */
	async saveAndPublish(workflowId: string, nodes: WorkflowNode[], connections: object = {}): Promise<void> {
		await this.editor.request('PATCH', `/rest/workflows/${workflowId}`, { nodes, connections });
		await this.editor.publish(workflowId);
	}

	async unpublish(workflowId: string): Promise<void> {
		await this.editor.unpublish(workflowId);
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

	/** Gives an agent a prompt, in which `{{name}}` is a variable, and publishes the agent. */
	async givePrompt(agent: string, prompt: string): Promise<void> {
		const path = `/api/v1/agents/${agent}`;
		await this.service.put(`${path}/knowledge`, {
			description: prompt,
			interrupt_sensitivity: 'low',
			ask_if_human_present_on_idle: true,
			llm_temperature: 0,
			initial_message_delay: 0,
		});
		await this.service.post(`${path}/publish`);
	}

	/** Lets the next phone with this number ring for an hour. */
	async ringsForAnHour(to: string): Promise<void> {
		await this.service.post('/_sandbox/script', { to, steps: [{ after: 3600, do: 'noAnswer' }] });
	}

	/** A node that places a call, with Test Call at Automatic. */
	placing(agent: string, more: Record<string, unknown> = {}): WorkflowNode {
		return this.node('Call', 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, {
			...{ resource: 'call', operation: 'place', phoneNumber: '+12025550111' },
			agent: { __rl: true, mode: 'id', value: agent },
			...more,
		});
	}

	/** Waits for an execution to end; gives how it ended. */
	async ended(id: string): Promise<string> {
		const ask = async () => {
			const { status } = await this.editor.execution(id);
			return ['new', 'running', 'waiting'].includes(status) ? undefined : status;
		};
		return (await waitFor(ask, { seconds: 20 })) ?? 'without end';
	}

	/** The requests to place a call that the sandbox received, in order. */
	async placed(): Promise<SandboxRequest[]> {
		return (await this.requests()).filter(({ path, method }) => method === 'POST' && path.endsWith('/call'));
	}

	/** All requests that the sandbox received, in order. */
	async requests(): Promise<SandboxRequest[]> {
		const { data } = await this.service.get<SandboxRequest[]>('/_sandbox/requests');
		return data;
	}

	/**
	 * Waits until a workflow has that many executions and all are over; gives them, the newest first. The
	 * number matters: n8n's list leaves out for a moment one that ends while it is asked for. There may be more than that
	 * number, so two lists in a row have to be as long.
	 *
	 * @param leftOut executions with these statuses do not count
	 */
	async finished(workflowId: string, count: number, leftOut: readonly string[] = []): Promise<Execution[]> {
		let last: Execution[] = [];
		return await until(
			async () => {
				const all = await this.editor.executions(workflowId);
				const before = last.length;
				last = all.filter(({ status }) => !leftOut.includes(status));
				const over = last.every(({ status }) => !['new', 'running', 'waiting'].includes(status));
				return over && last.length >= count && last.length === before ? last : undefined;
			},
			{ seconds: 40, otherwise: () => new Error(`The executions stayed ${JSON.stringify(last)}`) },
		);
	}

	/** The webhooks of a campaign at the sandbox. */
	async webhooks(campaignId: string): Promise<RemoteWebhook[]> {
		const { data } = await this.service.get<{ data: { webhooks: RemoteWebhook[] } }>(
			`/api/v1/campaigns/${campaignId}/webhooks`,
		);
		return data.data.webhooks;
	}

	/** Waits until a campaign's webhooks meet a condition; returns them. */
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

/** An older n8n registers the triggers at its start, after it responds; then it writes this line. */
export async function startIsOver(logFile: string): Promise<void> {
	const isOver = async () => readFileSync(logFile, 'utf8').includes('Editor is now accessible') || undefined;
	await until(isOver, { seconds: 60, otherwise: () => new Error(`${logFile} does not say that the start is over`) });
}

/** With a token that no other sandbox has: what a node remembers for a token is not for the next test file. */
async function startSandbox({ speed = 60, options = [], sandboxEnv }: SandboxChoice): Promise<Sandbox> {
	return await harness.startSandbox(speed, ['--token', randomUUID(), ...options], sandboxEnv);
}
