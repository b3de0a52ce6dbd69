import type { Request, Response } from 'express';
import type { ICredentialsHelper, IDataObject, IRunExecutionData, IWebhookResponseData, Workflow } from 'n8n-workflow';

import { closeAtEnd } from './cleanup.mts';
import { additionalData, type CredentialData, StoredCredentials } from './credentials.mts';
import { Deployment } from './deployment.mts';
import { core, n8n } from './n8n.mts';
import { KnownNodeTypes } from './nodeTypes.mts';
import { type LoadedPackage, loadPackage } from './package.mts';
import { execute, type Home, type WorkflowRun } from './run.mts';
import { WaitingExecutions } from './waitingExecutions.mts';
import { type Host, type WebhookRoute, WebhookRoutes } from './webhookRoutes.mts';
import { startWebhookServer } from './webhookServer.mts';
import type { WorkflowSpec } from './workflow.mts';

export interface Execution {
	workflowId: string;
	/** `webhook` in production, `manual` for a test listener. */
	mode: WebhookRoute['mode'];
	/** The items that the trigger's webhook() returned, of all outputs. */
	items: IDataObject[];
	/** n8n's record of the run; an error if webhook() threw. */
	run: Promise<WorkflowRun>;
}

export interface InstanceOptions {
	credentials: CredentialData;
	package?: LoadedPackage;
	/** The base URL of n8n's webhooks; by default its server's own. */
	webhookOrigin?: string;
	/** The folder of the addresses that resume executions. */
	waitingPath?: string;
}

/** An n8n with a webhook server, stored workflows and executions. */
export class Instance implements Host, Home {
	readonly executions: Execution[] = [];
	readonly routes = new WebhookRoutes();
	readonly waiting = new WaitingExecutions(this);
	private readonly ending: Array<Promise<void>> = [];
	nodeTypes: KnownNodeTypes;
	/** The package whose nodes run, with the memory of its process. */
	loaded: LoadedPackage;
	url = '';
	/** False if the executions that could be resumed here are deleted. */
	keepsExecutions = true;
	/** How many requests have come to a webhook of a trigger. */
	arrivals = 0;
	/** Awaited before an execution is stored: a test delays storing it, or makes it fail. */
	beforeStoring: () => Promise<void> = async () => undefined;
	private readonly options: InstanceOptions;
	private credentials: StoredCredentials;
	private stopListening: () => Promise<void> = async () => undefined;

	constructor(options: InstanceOptions, loaded: LoadedPackage) {
		this.options = options;
		this.loaded = loaded;
		this.nodeTypes = new KnownNodeTypes(loaded);
		this.credentials = new StoredCredentials(loaded.credentialTypes, options.credentials);
	}

	/** Goes on with another process, whose memory is empty. @param loaded the package, loaded again */
	restart(loaded: LoadedPackage): void {
		this.loaded = loaded;
		this.nodeTypes = new KnownNodeTypes(loaded);
		this.credentials = new StoredCredentials(loaded.credentialTypes, this.options.credentials);
	}

	setCredentials(credentials: CredentialData): void {
		this.credentials = new StoredCredentials(this.loaded.credentialTypes, credentials);
	}

	/** Stores a workflow; nothing is registered before it is published. */
	deploy(spec: Omit<WorkflowSpec, 'credentials'>): Deployment {
		return new Deployment(this, { ...spec, credentials: this.options.credentials });
	}

	async listen(): Promise<this> {
		const server = await startWebhookServer(async (request, response) => await this.serve(request, response));
		this.url = server.url;
		this.stopListening = server.close;
		return this;
	}

	async settled(): Promise<void> {
		await Promise.allSettled([...this.executions.map(({ run }) => run), ...this.ending]);
	}

	/** Ends the process: it stops listening. */
	close: () => Promise<void> = async () => {
		await this.settled();
		await this.stopListening();
	};

	additionalData(credentials: ICredentialsHelper = this.credentials) {
		return additionalData(credentials, this.options.webhookOrigin ?? this.url, this.waitingPath);
	}

	keep(...execution: Parameters<WaitingExecutions['keep']>): void {
		this.waiting.keep(...execution);
	}

	private get waitingPath(): string {
		return this.options.waitingPath ?? 'webhook-waiting';
	}

	private async serve(request: Request, response: Response) {
		const { path } = request;
		const waitingPath = `/${this.waitingPath}/`;
		if (path.startsWith(waitingPath)) {
			return await this.waiting.serve(path.slice(waitingPath.length), request, response, this.keepsExecutions);
		}
		const route = this.routes.find(request.method, decodeURI(path.slice(1)));
		if (!route) {
			return { status: 404, body: { code: 404, message: 'The requested webhook is not registered.' } };
		}
		this.arrivals += 1;
		const workflow = route.workflow();
		const node = workflow.getNode(route.webhook.node);
		if (!node) {
			throw new Error('Could not find node to process webhook.');
		}
		const type = this.nodeTypes.getByNameAndVersion(node.type);
		const data = { ...this.additionalData(), httpRequest: request, httpResponse: response };
		const context = new core.WebhookContext(workflow, node, data, route.mode, route.webhook, [], null);
		let result: IWebhookResponseData;
		try {
			result = (await type.webhook?.call(context)) ?? {};
		} catch (error) {
			// n8n stores a failed execution for a webhook() that throws, and answers 500.
			this.store(route, workflow, [], error as Error);
			throw new Error('Workflow Webhook Error: Workflow could not be started!', { cause: error });
		}
		if (!result.workflowData) {
			route.deployment.save(workflow);
			if (result.noWebhookResponse) {
				return undefined;
			}
			return { status: 200, body: result.webhookResponse ?? { message: 'Webhook call received' } };
		}
		if (result.noWebhookResponse) {
			route.deployment.save(workflow);
		}
		// Otherwise n8n does not save here: static data that webhook() wrote is lost.
		await this.beforeStoring();
		const outputs = result.workflowData.map((items) => items.map(({ json }) => json));
		this.store(route, workflow, outputs);
		// The first execution ends a test listener, after the sender has its response.
		if (route.mode === 'manual') {
			response.once('finish', () => this.ending.push(route.deployment.stopTest()));
		}
		// The nodes respond without data, after the execution is stored.
		return result.noWebhookResponse ? undefined : { status: 200 };
	}

	private store(route: WebhookRoute, workflow: Workflow, outputs: IDataObject[][], error?: Error): void {
		const run = error
			? Promise.reject(error)
			: execute(workflow, this.nodeTypes, this.additionalData(), route.mode, resume(workflow, route, outputs)).result;
		run.catch(() => undefined);
		const { mode, deployment } = route;
		this.executions.push({ workflowId: deployment.id, mode, items: outputs.flat(), run });
	}
}

function resume(workflow: Workflow, { webhook }: WebhookRoute, outputs: IDataObject[][]): IRunExecutionData {
	const node = workflow.getNode(webhook.node);
	if (!node) {
		throw new Error(`No node "${webhook.node}"`);
	}
	const main = outputs.map((items) => items.map((json) => ({ json })));
	return n8n.createRunExecutionData({
		startData: {},
		executionData: { nodeExecutionStack: [{ node, data: { main }, source: null }] },
	});
}

/** Starts an n8n on a free port of 127.0.0.1, until the test file ends. */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
	const instance = await new Instance(options, options.package ?? (await loadPackage())).listen();
	instance.close = closeAtEnd(instance.close);
	return instance;
}
