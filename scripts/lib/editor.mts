import { randomBytes, randomUUID } from 'node:crypto';

import { until, waitFor } from './process.mts';

/** The login of the editor's owner. */
export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** Creates a login with a random password that n8n accepts: long, with a capital letter and a digit. */
export function newOwner(firstName: string, lastName: string): Owner {
	return { email: 'you@example.com', password: `Local-${randomBytes(6).toString('hex')}-1`, firstName, lastName };
}

/** An entry of n8n's list of executions. */
export interface Execution {
	id: string;
	status: string;
	mode: string;
	/** Null if the execution has not started. */
	startedAt: string | null;
	/** The ID of the successful retry of this execution. */
	retrySuccessId?: string | null;
}

/** A page of the list. The first page contains all unfinished executions. */
interface ExecutionPage {
	results: Execution[];
	/** The number of finished executions on all pages. */
	count: number;
	nextCursor?: string | null;
}

/** The statuses of executions that n8n lists separately. */
const UNFINISHED = ['new', 'running'];

/** n8n lists at most 100 executions. With lengths without common divisors, pages rarely end at the same execution. */
const PAGE_LENGTHS = [100, 97, 89, 83, 79, 73, 71, 67, 61, 59];

interface Workflow {
	id: string;
	versionId: string;
	nodes: object[];
	connections: object;
}

/** A client for the REST API of n8n's editor, for the actions that a user takes by clicking. */
export class Editor {
	private readonly url: string;
	private sessionCookie: string;
	private push: PushConnection | undefined;

	/**
	 * @param url n8n's address without a trailing slash
	 * @param cookie the cookie of an earlier login
	 */
	constructor(url: string, cookie = '') {
		this.url = url;
		this.sessionCookie = cookie;
	}

	/** The cookie of the login. */
	get cookie(): string {
		return this.sessionCookie;
	}

	/** Creates the owner of a fresh n8n and logs in. */
	async setUpOwner(owner: Owner): Promise<void> {
		await this.request('POST', '/rest/owner/setup', owner);
		await this.logIn(owner);
	}

	async logIn({ email, password }: Owner): Promise<void> {
		await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	}

	/** Opens the push connection of an editor tab, which receives the progress of workflows started from this tab. */
	async connect(): Promise<PushConnection> {
		this.push = await PushConnection.open(this.url, this.sessionCookie);
		return this.push;
	}

	/** Publishes the saved version of a workflow. Resolves when the registration of its triggers has ended or failed. */
	async publish(workflowId: string): Promise<void> {
		await this.activate(workflowId);
		await this.applied(workflowId);
	}

	private async activate(workflowId: string): Promise<void> {
		const path = `/rest/workflows/${workflowId}`;
		const workflow = await this.request<Workflow>('GET', path);
		const { versionId } = workflow;
		try {
			await this.request('POST', `${path}/activate`, { versionId });
		} catch (error) {
			if (hasNoRoute(error)) {
				await this.request('PATCH', path, { active: true, versionId });
				return;
			}
			if (!String(error).includes('Version not found')) {
				throw error;
			}
			// In n8n 2.0, an imported workflow lacks a version to publish. Saving a change creates one.
			const { connections } = workflow;
			const nodes = workflow.nodes.map((node) => ({ ...node, position: [20, 20] }));
			const saved = await this.request<Workflow>('PATCH', path, { nodes, connections, versionId });
			await this.request('POST', `${path}/activate`, { versionId: saved.versionId });
		}
	}

	/** Unpublishes a workflow. Resolves when the removal of its triggers has ended or failed. */
	async unpublish(workflowId: string): Promise<void> {
		await this.deactivate(workflowId);
		await this.applied(workflowId);
	}

	/** Waits for the triggers: n8n responds before it registers or removes them. Older versions respond afterwards. */
	private async applied(workflowId: string): Promise<void> {
		const path = `/rest/workflows/${workflowId}/publication-status`;
		const ask = async () => {
			const { status } = await this.request<{ status: string }>('GET', path);
			return status === 'in_progress' ? undefined : status;
		};
		try {
			await waitFor(ask, { seconds: 60 });
		} catch (error) {
			if (!hasNoRoute(error) && !String(error).includes('publication status is not available')) {
				throw error;
			}
		}
	}

	private async deactivate(workflowId: string): Promise<void> {
		const path = `/rest/workflows/${workflowId}`;
		try {
			await this.request('POST', `${path}/deactivate`, {});
		} catch (error) {
			if (!hasNoRoute(error)) {
				throw error;
			}
			const { versionId } = await this.request<Workflow>('GET', path);
			await this.request('PATCH', path, { active: false, versionId });
		}
	}

	/** Runs a workflow like the editor's button, from the trigger with this name. @returns the execution's ID */
	async run(workflowId: string, trigger: string): Promise<string> {
		const { executionId } = await this.start<{ executionId: string }>(workflowId, trigger);
		return executionId;
	}

	/** Like {@link run}, but for a webhook trigger: n8n listens at the test URL for one event. */
	async listen(workflowId: string, trigger: string): Promise<void> {
		const response = await this.start<{ waitingForWebhook?: boolean }>(workflowId, trigger);
		if (!response.waitingForWebhook) {
			throw new Error(`n8n does not listen: ${JSON.stringify(response)}`);
		}
	}

	/** Stops listening, like the editor's button. */
	async stopListening(workflowId: string): Promise<void> {
		await this.request('DELETE', `/rest/test-webhook/${workflowId}`);
	}

	private async start<T>(workflowId: string, trigger: string): Promise<T> {
		// Older versions of n8n run the workflow in the request; newer versions read the stored workflow and ignore this.
		const workflowData = await this.request<Workflow>('GET', `/rest/workflows/${workflowId}`);
		const body = { triggerToStartFrom: { name: trigger }, workflowData };
		const run = async () => await this.request<T>('POST', `/rest/workflows/${workflowId}/run`, body);
		try {
			return await run();
		} catch (error) {
			if (!isTooSlow(error)) {
				throw error;
			}
			return await run();
		}
	}

	/**
	 * Returns all executions of a workflow, newest first.
	 *
	 * n8n sorts by start but continues after an ID, so its pages leave out executions that started in another order than
	 * they were stored, which happens with several workers. Pages of other lengths end elsewhere and contain them.
	 *
	 * @throws Error if n8n counts more executions than its pages contain
	 */
	async executions(workflowId: string): Promise<Execution[]> {
		const found = new Map<string, Execution>();
		let counted = 0;
		for (const limit of PAGE_LENGTHS) {
			counted = await this.readPages(workflowId, limit, found);
			const over = [...found.values()].filter(({ status }) => !UNFINISHED.includes(status));
			if (over.length >= counted) {
				return [...found.values()].sort((one, other) => Number(other.id) - Number(one.id));
			}
		}
		throw new Error(
			`n8n counts ${counted} executions of workflow ${workflowId} that are over, and lists ${found.size}`,
		);
	}

	/** Adds the executions of all pages to `found`. @returns n8n's count of finished executions */
	private async readPages(workflowId: string, limit: number, found: Map<string, Execution>): Promise<number> {
		let counted: number | undefined;
		let cursor: string | null | undefined;
		do {
			const query = new URLSearchParams({ filter: JSON.stringify({ workflowId }), limit: String(limit) });
			if (cursor) {
				query.set('cursor', cursor);
			}
			const page = await this.request<ExecutionPage>('GET', `/rest/executions?${query}`);
			for (const execution of page.results) {
				found.set(execution.id, execution);
			}
			counted ??= page.count;
			cursor = page.nextCursor;
		} while (cursor);
		return counted;
	}

	/** Returns the stored data of an execution, with the output of all nodes, as n8n's text. */
	async execution(id: string): Promise<Execution & { data: string }> {
		try {
			return await this.request('GET', `/rest/executions/${id}`);
		} catch (error) {
			// Older versions of n8n return 500 as long as an execution lacks data.
			if (!String(error).includes("reading 'resultData'")) {
				throw error;
			}
			return { id, status: 'running', mode: 'unknown', startedAt: null, data: '[]' };
		}
	}

	/** Sends a request like the editor. @param path such as `/rest/workflows` @returns `data` of the response */
	async request<T>(method: string, path: string, body?: object): Promise<T> {
		const response = await fetch(this.url + path, {
			method,
			headers: {
				cookie: this.sessionCookie,
				// n8n closes an idle connection after 5 seconds, and a busy process might use it at that moment.
				connection: 'close',
				...(this.push && { 'push-ref': this.push.ref }),
				...(body && { 'content-type': 'application/json' }),
			},
			...(body && { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		if (!response.ok) {
			throw new Error(`n8n returned ${response.status} for ${method} ${path}: ${text.slice(0, 500)}`);
		}
		const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
		if (cookies.length > 0) {
			this.sessionCookie = cookies.join('; ');
		}
		return (JSON.parse(text || '{}') as { data: T }).data;
	}
}

/**
 * Whether n8n did not run any node because its check of a parameter took longer than 250 ms of real time, which happens
 * on a busy machine. It then lists the execution as failed.
 */
function isTooSlow(error: unknown): boolean {
	return String(error).includes('Regular expression execution timed out');
}

/** Whether n8n is too old for this route of the API. Workflows are then only active or inactive. */
function hasNoRoute(error: unknown): boolean {
	return /Cannot (GET|POST) /.test(String(error));
}

/** A push message of n8n to an editor tab, such as `testWebhookReceived`. */
interface PushMessage {
	type: string;
	data: Record<string, unknown>;
}

/** The push connection of an editor tab, and all messages received. */
export class PushConnection {
	/** Identifies the tab in the header `push-ref` of its requests. */
	readonly ref: string;
	readonly messages: PushMessage[] = [];
	private readonly socket: WebSocket;

	private constructor(ref: string, socket: WebSocket) {
		this.ref = ref;
		this.socket = socket;
		// Long messages arrive as bytes.
		socket.binaryType = 'arraybuffer';
		socket.addEventListener('message', (event) => {
			const data = event.data as string | ArrayBuffer;
			const text = typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
			this.messages.push(JSON.parse(text) as PushMessage);
		});
	}

	/**
	 * @param url n8n's address without a trailing slash
	 * @param cookie the cookie of a logged-in user
	 */
	static async open(url: string, cookie: string): Promise<PushConnection> {
		const ref = randomUUID();
		const address = `${url.replace(/^http/, 'ws')}/rest/push?pushRef=${ref}`;
		const socket = new WebSocket(address, { headers: { cookie, origin: url } });
		await new Promise<void>((resolve, reject) => {
			socket.addEventListener('open', () => resolve());
			socket.addEventListener('error', () => reject(new Error(`No push connection to ${url}`)));
		});
		return new PushConnection(ref, socket);
	}

	/** Waits for a message of this type among those received since `from`. @returns its data */
	async next(type: string, from = 0): Promise<Record<string, unknown>> {
		const ask = async () => this.messages.slice(from).find((message) => message.type === type)?.data;
		const types = () => this.messages.slice(from).map((message) => message.type);
		const otherwise = () => new Error(`n8n sent no ${type}, only: ${types().join(', ')}`);
		return await until(ask, { seconds: 30, every: 50, otherwise });
	}

	close(): void {
		this.socket.close();
	}
}
