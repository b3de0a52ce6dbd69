import type { ICredentialsHelper, IWebhookData, IWorkflowExecuteAdditionalData, Workflow } from 'n8n-workflow';

import type { KnownNodeTypes } from './nodeTypes.mts';

export interface DeployedWorkflow {
	readonly id: string;
	save(workflow: Workflow): void;
	stopTest(): Promise<void>;
}

export interface WebhookRoute {
	deployment: DeployedWorkflow;
	/** The workflow to run, made anew for each request. */
	workflow(): Workflow;
	webhook: IWebhookData;
	/** `webhook` in production, `manual` for a test listener. */
	mode: 'webhook' | 'manual';
}

type Prefix = 'webhook' | 'webhook-test';

/** The webhooks that an n8n answers for, by method and path. */
export class WebhookRoutes {
	private readonly routes = new Map<string, WebhookRoute>();

	add(prefix: Prefix, route: WebhookRoute): void {
		this.routes.set(keyOf(prefix, route.webhook), route);
	}

	/** Lets n8n answer 404 to deliveries to a webhook. */
	remove(prefix: Prefix, webhook: IWebhookData): void {
		this.routes.delete(keyOf(prefix, webhook));
	}

	/** @param path without a slash at its start */
	find(method: string, path: string): WebhookRoute | undefined {
		return this.routes.get(`${method} ${path}`);
	}

	/** The path of the first webhook of a workflow, without a slash at its start. */
	pathOf(deployment: DeployedWorkflow): string | undefined {
		const [key] = [...this.routes].find(([, route]) => route.deployment === deployment) ?? [];
		return key?.split(' ')[1];
	}
}

function keyOf(prefix: Prefix, { httpMethod, path }: IWebhookData): string {
	return `${httpMethod} ${prefix}/${path}`;
}

/** The n8n that a workflow is stored in, as its triggers need it. */
export interface Host {
	/** Where its webhooks are reached, without a slash at the end. */
	readonly url: string;
	readonly nodeTypes: KnownNodeTypes;
	readonly routes: WebhookRoutes;
	/** The additional data of every call into a node. @param credentials by default, those of the n8n */
	additionalData(credentials?: ICredentialsHelper): IWorkflowExecuteAdditionalData;
}
