import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import axios, { type AxiosError, type AxiosInstance } from 'axios';

import { CONTEXT_FIELD } from '../../nodes/shared/triggerSecrets/resumeToken.ts';
import { Editor, type Execution } from '../../scripts/lib/editor.mts';
import type { N8nServer } from '../../scripts/lib/n8n.mts';
import { until, waitFor } from '../../scripts/lib/process.mts';
import type { Sandbox } from '../../scripts/lib/sandbox.mts';
import { comes } from './eventually.mts';
import { failureOf, outputsOf } from './executionData.mts';
import type { PreparedN8n } from './harness.mts';
import { doesN8n } from './olderN8n.mts';
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

/** A data table as n8n lists it. */
export interface DataTable {
	id: string;
	name: string;
	projectId: string;
}

/** What a node put out. */
export type Items = Array<Record<string, unknown>>;

/** A picker's value by ID. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** What has started for the tests of a file, and is ended after them. */
const started: Instance[] = [];
afterAll(async () => {
	for (const one of started.splice(0)) {
		await one.stop();
	}
}, 60_000);

/** A real n8n with the packed package in it, and a sandbox beside it. It stops after the last test of the file. */
export class Instance {
	/** n8n's user folder. */
	readonly folder: string;
	readonly sandbox: Sandbox;
	/** The sandbox over HTTP. */
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
		this.service = axios.create({ baseURL: sandbox.url, headers: { authorization: `Bearer ${sandbox.token}` } });
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
		started.push(this);
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
	async restartN8n(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM', whileAway = async () => {}): Promise<void> {
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
		await this.startAgain(Number(new URL(this.n8n.url).port) + 1);
	}

	private async startAgain(port: number): Promise<void> {
		const logFile = join(this.folder, 'n8n.log');
		const starts = startsIn(logFile);
		this.n8n = await harness.startN8n({ userFolder: this.folder, logFile, port, env: this.env });
		this.editor = new Editor(this.n8n.url, this.editor.cookie);
		await startIsOver(logFile, starts + 1);
	}

	/** Ends what is its own. In an n8n that others use too, nothing of it stays published, and no data table. */
	async stop(): Promise<void> {
		if (this.env) {
			await this.n8n.stop();
		} else {
			const query = new URLSearchParams({ filter: JSON.stringify({ active: true }) });
			for (const { id } of await this.editor.request<Array<{ id: string }>>('GET', `/rest/workflows?${query}`)) {
				await this.editor.unpublish(id);
			}
			const tables = this.editor.request<{ data: DataTable[] }>('GET', '/rest/data-tables-global');
			// An older n8n has none.
			for (const { id, projectId } of (await tables.catch(() => ({ data: [] }))).data) {
				await this.editor.request('DELETE', `/rest/projects/${projectId}/data-tables/${id}`);
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
		const own = type.startsWith('n8n-nodes-voice-agent-calling.') && {
			credentials: { voiceAgentCallingApi: this.credential },
		};
		return { id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters, ...own };
	}

	/** The action node. */
	action(name: string, parameters: Record<string, unknown>): WorkflowNode {
		return this.node(name, 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, parameters);
	}

	/** A node by which a person starts a workflow. */
	manualStart(): WorkflowNode {
		return this.node('Start', 'n8n-nodes-base.manualTrigger', 1, {});
	}

	/** A node that gives these items. */
	given(name: string, items: object[]): WorkflowNode {
		const jsCode = `return ${JSON.stringify(items.map((json) => ({ json })))};`;
		return this.node(name, 'n8n-nodes-base.code', 2, { jsCode });
	}

	/** A Webhook node with an address of its own. */
	webhook(httpMethod: 'GET' | 'POST' = 'POST'): WorkflowNode {
		const path = randomUUID();
		// Older versions of n8n need the ID to serve the path.
		return { ...this.node('Hook', 'n8n-nodes-base.webhook', 2, { path, httpMethod }), webhookId: path };
	}

	/** A trigger node for a campaign. */
	trigger(campaignId: string, parameters: Record<string, unknown> = {}): WorkflowNode {
		const type = 'n8n-nodes-voice-agent-calling.voiceAgentCallingTrigger';
		const campaign = byId(campaignId);
		return { ...this.node('Events', type, 2, { campaign, ...parameters }), webhookId: randomUUID() };
	}

	/** Creates a workflow of nodes, each connected to the next. */
	async chain(name: string, nodes: WorkflowNode[]): Promise<string> {
		return await this.createWorkflow(
			name,
			nodes,
			nodes.map((node) => node.name),
		);
	}

	/** The same, published. */
	async published(name: string, nodes: WorkflowNode[]): Promise<string> {
		const id = await this.chain(name, nodes);
		await this.editor.publish(id);
		return id;
	}

	/** The same, started once by a person; gives how it ended. */
	async runOnce(nodes: WorkflowNode[]): Promise<{ id: string; workflowId: string; status: string }> {
		const workflowId = await this.chain('Run once', [this.manualStart(), ...nodes]);
		return { workflowId, ...(await this.run(workflowId, 'Start')) };
	}

	/** Starts a workflow as a person does, and waits for its end. */
	async run(workflowId: string, trigger: string): Promise<{ id: string; status: string }> {
		const id = await this.editor.run(workflowId, trigger);
		return { id, status: await this.ended(id) };
	}

	/** The items of a node in an execution, at its first output. */
	async outputOf(executionId: string, node: string): Promise<Items> {
		return (await outputsOf(this.editor, executionId, node)).outputs[0] ?? [];
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
		await comes(async () => (await this.deliver(webhookId, more)).includes(200), 'a delivery that is taken', 10);
	}

	/** Gives an agent a prompt, in which `{{name}}` is a variable, and publishes the agent. @param firstMessage if it changes */
	async givePrompt(agent: string, prompt: string, firstMessage?: string): Promise<void> {
		const path = `/api/v1/agents/${agent}`;
		await this.service.put(`${path}/knowledge`, {
			description: prompt,
			initial_message: firstMessage,
			interrupt_sensitivity: 'low',
			ask_if_human_present_on_idle: true,
			llm_temperature: 0,
			initial_message_delay: 0,
		});
		await this.service.post(`${path}/publish`);
	}

	/** Creates a campaign of the published agent that may call at any time; gives its ID. */
	async createCampaign(name: string): Promise<string> {
		const { data } = await this.service.post<{ data: { id: string } }>('/api/v1/campaigns', {
			name,
			campaign_type: 'sales',
			agent_id: this.sandbox.agentId,
			timezone: 'UTC',
			start_date: new Date().toISOString().slice(0, 10),
			days_of_week: [1, 2, 3, 4, 5, 6, 7],
			call_time_ranges: [{ start: '00:00', end: '23:59' }],
		});
		return data.data.id;
	}

	/** Events of these kinds come so many sandbox seconds after they happened; null: never. */
	async delay(seconds: number | null, ...kinds: string[]): Promise<void> {
		for (const event of kinds) {
			await this.service.post('/_sandbox/delays', { event, seconds });
		}
	}

	/** Lets the person with this number answer the next call, say a text and hang up. */
	async willSay(to: string, text: string): Promise<void> {
		const steps = [{ do: 'answer' }, { do: 'say', text }, { do: 'hangUp' }].map((step) => ({ after: 2, ...step }));
		await this.service.post('/_sandbox/script', { to, steps });
	}

	/** Lets the next phone with this number ring for an hour. */
	async ringsForAnHour(to: string): Promise<void> {
		await this.service.post('/_sandbox/script', { to, steps: [{ after: 3600, do: 'noAnswer' }] });
	}

	/** A node that places a call, with Test Call at Automatic. */
	placing(agent: string, more: Record<string, unknown> = {}): WorkflowNode {
		const call = { resource: 'call', operation: 'place', phoneNumber: '+12025550111', agent: byId(agent) };
		return this.action('Call', { ...call, ...more });
	}

	/** A node that runs a sub-workflow with these nodes. */
	async subWorkflow(nodes: WorkflowNode[]): Promise<WorkflowNode> {
		const inputs = { inputSource: 'passthrough' };
		const begins = this.node('Begins', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, inputs);
		const workflowId = await this.chain('Sub-workflow', [begins, ...nodes]);
		if (doesN8n('publishesSubWorkflows')) {
			await this.editor.publish(workflowId);
		}
		return this.node('Run it', 'n8n-nodes-base.executeWorkflow', 1.2, { workflowId: byId(workflowId), options: {} });
	}

	/** Waits until an execution has a status; one that has failed cannot come to have another. */
	async statusBecomes(id: string, wanted: string, seconds = 60): Promise<void> {
		let last = '';
		const ask = async () => {
			last = (await this.editor.execution(id)).status;
			if (last === 'error' && wanted !== 'error') {
				throw new Error(`Execution ${id} failed: ${await failureOf(this.editor, id)}`);
			}
			return last === wanted || undefined;
		};
		await until(ask, { seconds, otherwise: () => new Error(`Execution ${id} is ${last}, not ${wanted}`) });
	}

	/** Waits for an execution to end, as long as the sandbox repeats an event at most; gives how it ended. */
	async ended(id: string): Promise<string> {
		const ask = async () => {
			const { status } = await this.editor.execution(id);
			return ['new', 'running', 'waiting'].includes(status) ? undefined : status;
		};
		return (await waitFor(ask, { seconds: 170 })) ?? 'without end';
	}

	/** The requests to place a call that the sandbox received, in order. */
	async placed(): Promise<SandboxRequest[]> {
		return (await this.requests()).filter(({ path, method }) => method === 'POST' && path.endsWith('/call'));
	}

	/** What the service was asked to call or to queue, with this number or with any. */
	async dialed(to?: string): Promise<Array<Record<string, unknown>>> {
		const bodies = (await this.placed()).map(({ body }) => withoutTestMark(body ?? {}));
		return to === undefined ? bodies : bodies.filter((body) => body.to === to);
	}

	/** Lets the next requests of a method to a path fail, one unless `times` says otherwise. */
	async fault(method: string, path: string, fault: object): Promise<void> {
		await this.service.post('/_sandbox/faults', { match: { method, path }, ...fault });
	}

	/** Ends all faults. */
	async noFaults(): Promise<void> {
		await this.service.delete('/_sandbox/faults');
	}

	/** Moves the sandbox's clock on. */
	async advance(seconds: number): Promise<void> {
		await this.service.post('/_sandbox/advance', { seconds });
	}

	/** The same in steps, as a call stays 200 ms of real time in each status: what was due has happened and is delivered. */
	async advanceBySteps(seconds: number, step = 5): Promise<void> {
		for (let left = seconds; left > 0; left -= step) {
			await this.advance(Math.min(step, left));
			await sleep(210);
		}
	}

	/** All requests that the sandbox received, in order. */
	async requests(): Promise<SandboxRequest[]> {
		return (await this.service.get<SandboxRequest[]>('/_sandbox/requests')).data;
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
		return (await this.service.get(`/api/v1/campaigns/${campaignId}/webhooks`)).data.data.webhooks;
	}

	/** The webhook of a campaign, once it has just one. */
	async soleWebhook(campaignId = this.sandbox.campaignId): Promise<RemoteWebhook> {
		return (await this.webhooksWhen(campaignId, ({ length }) => length === 1))[0]!;
	}

	/** The only webhook of an agent; undefined once it has none. */
	async agentWebhook(agentId: string, isThere = true): Promise<RemoteWebhook | undefined> {
		const ask = async () => {
			const { data } = await this.service.get(`/api/v1/agents/${agentId}/webhooks`);
			const [first, ...others] = data.data.webhooks as RemoteWebhook[];
			return others.length === 0 && (first !== undefined) === isThere && [first];
		};
		return (await comes(ask, 'the only webhook of an agent, or none', 40))[0];
	}

	/** Waits until a campaign's webhooks meet a condition; returns them. */
	async webhooksWhen(campaignId: string, wanted: (webhooks: RemoteWebhook[]) => boolean): Promise<RemoteWebhook[]> {
		const ask = async () => {
			const webhooks = await this.webhooks(campaignId);
			return wanted(webhooks) && webhooks;
		};
		return await comes(ask, `the webhooks for which ${wanted}`, 40);
	}
}

/** How many starts of n8n are over, by its log. */
const startsIn = (logFile: string) => readFileSync(logFile, 'utf8').split('Editor is now accessible').length - 1;

/**
 * An older n8n registers the triggers at its start, after it responds; then it writes a line. With more triggers than
 * requests a minute, that takes minutes.
 *
 * @param starts how many
 */
export async function startIsOver(logFile: string, starts = 1): Promise<void> {
	await comes(async () => startsIn(logFile) >= starts, `the end of the start in ${logFile}`, 180);
}

/** With a token that no other sandbox has: what a node remembers for a token is not for the next test file. */
async function startSandbox({ speed = 60, options = [], sandboxEnv }: SandboxChoice): Promise<Sandbox> {
	return await harness.startSandbox(speed, ['--token', randomUUID(), ...options], sandboxEnv);
}

/** A request for a call without the mark that every test call has in its context. */
function withoutTestMark({ context, ...body }: Record<string, unknown>): Record<string, unknown> {
	const { [CONTEXT_FIELD]: mark, ...own } = Object(context) as Record<string, unknown>;
	if (mark !== 'test') {
		return context === undefined ? body : { ...body, context };
	}
	return Object.keys(own).length === 0 ? body : { ...body, context: own };
}
