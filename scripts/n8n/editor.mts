import { PushConnection } from './push.mts';

/** The login of the editor's owner. */
export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** An execution as n8n's list of executions shows it. */
export interface Execution {
	id: string;
	status: string;
	mode: string;
}

interface Workflow {
	id: string;
	versionId: string;
	nodes: object[];
	connections: object;
}

/** The part of the editor's REST interface that a person's clicks would use. */
export class Editor {
	readonly #url: string;
	#cookie: string;
	#push: PushConnection | undefined;

	/**
	 * @param url n8n's address without a slash at the end
	 * @param cookie of an earlier login
	 */
	constructor(url: string, cookie = '') {
		this.#url = url;
		this.#cookie = cookie;
	}

	/** The cookie of the login. */
	get cookie(): string {
		return this.#cookie;
	}

	/** Creates the owner of a fresh n8n and logs in. */
	async setUpOwner(owner: Owner): Promise<void> {
		await this.request('POST', '/rest/owner/setup', owner);
		await this.logIn(owner);
	}

	async logIn({ email, password }: Owner): Promise<void> {
		await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	}

	/** Opens the push connection of an editor's tab, by which n8n reports on the workflows that this editor runs. */
	async connect(): Promise<PushConnection> {
		this.#push = await PushConnection.open(this.#url, this.#cookie);
		return this.#push;
	}

	/** Publishes the version of the workflow that is saved. */
	async publish(workflowId: string): Promise<void> {
		const path = `/rest/workflows/${workflowId}`;
		const workflow = await this.request<Workflow>('GET', path);
		const { versionId } = workflow;
		try {
			await this.request('POST', `${path}/activate`, { versionId });
		} catch (error) {
			if (!String(error).includes('Version not found')) {
				throw error;
			}
			// What an n8n 2.0 imports has no version to publish; saving a change makes one.
			const { connections } = workflow;
			const nodes = workflow.nodes.map((node) => ({ ...node, position: [0, 0] }));
			const saved = await this.request<Workflow>('PATCH', path, { nodes, connections, versionId });
			await this.request('POST', `${path}/activate`, { versionId: saved.versionId });
		}
	}

	/** Runs a workflow as the editor's button does, from the trigger of the given name; gives the execution's id. */
	async run(workflowId: string, trigger: string): Promise<string> {
		const { executionId } = await this.#start<{ executionId: string }>(workflowId, trigger);
		return executionId;
	}

	/** The same button where the trigger is a webhook: n8n listens at the test URL for one event. */
	async listen(workflowId: string, trigger: string): Promise<void> {
		const answer = await this.#start<{ waitingForWebhook?: boolean }>(workflowId, trigger);
		if (!answer.waitingForWebhook) {
			throw new Error(`n8n does not listen: ${JSON.stringify(answer)}`);
		}
	}

	/** The button that the editor shows while n8n listens. */
	async stopListening(workflowId: string): Promise<void> {
		await this.request('DELETE', `/rest/test-webhook/${workflowId}`);
	}

	async #start<T>(workflowId: string, trigger: string): Promise<T> {
		// An older n8n runs the workflow in the request, a newer one looks it up and ignores this.
		const workflowData = await this.request<Workflow>('GET', `/rest/workflows/${workflowId}`);
		const body = { triggerToStartFrom: { name: trigger }, workflowData };
		return await this.request<T>('POST', `/rest/workflows/${workflowId}/run`, body);
	}

	/** All executions of a workflow, the newest first. */
	async executions(workflowId: string): Promise<Execution[]> {
		const found: Execution[] = [];
		let cursor: string | null | undefined;
		do {
			const query = new URLSearchParams({ filter: JSON.stringify({ workflowId }), limit: '100' });
			if (cursor) {
				query.set('cursor', cursor);
			}
			const page = await this.request<{ results: Execution[]; nextCursor?: string | null }>(
				'GET',
				`/rest/executions?${query}`,
			);
			found.push(...page.results);
			cursor = page.nextCursor;
		} while (cursor);
		// Executions that end meanwhile move to another page, and can be on both.
		return [...new Map(found.map((execution) => [execution.id, execution])).values()];
	}

	/** One execution with all that its nodes put out, as the text that n8n stores. */
	async execution(id: string): Promise<Execution & { data: string }> {
		return await this.request('GET', `/rest/executions/${id}`);
	}

	/** One request as the editor makes it; gives what n8n answers with. @param path such as `/rest/workflows` */
	async request<T>(method: string, path: string, body?: object): Promise<T> {
		const response = await fetch(this.#url + path, {
			method,
			headers: {
				cookie: this.#cookie,
				...(this.#push && { 'push-ref': this.#push.ref }),
				...(body && { 'content-type': 'application/json' }),
			},
			...(body && { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		if (!response.ok) {
			throw new Error(`n8n answered ${method} ${path} with ${response.status}: ${text.slice(0, 500)}`);
		}
		const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
		if (cookies.length > 0) {
			this.#cookie = cookies.join('; ');
		}
		return (JSON.parse(text || '{}') as { data: T }).data;
	}
}
