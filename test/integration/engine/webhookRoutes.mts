import type { IWebhookData, Workflow } from 'n8n-workflow';

/** The stored workflow that a webhook belongs to. */
export interface DeployedWorkflow {
	readonly id: string;
	/** Stores static data that a node changed. */
	save(workflow: Workflow): void;
	stopTest(): Promise<void>;
}

/** A webhook that n8n answers for. */
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

	get size(): number {
		return this.routes.size;
	}

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
