import { setTimeout as sleep } from 'node:timers/promises';
import type { INode, IWebhookData, Workflow, WorkflowActivateMode } from 'n8n-workflow';

import { core, n8n } from './n8n.mts';
import type { Host } from './webhookRoutes.mts';

/** n8n's limits (2.41, workflow publication service). */
const REGISTER_ATTEMPTS = 5;
const TEARDOWN_ATTEMPTS = 3;

/** n8n waits 1, 2, 4 and 8 seconds between its attempts; here a second has this many milliseconds. */
const SECOND_MS = 2;

export type LifecycleMethod = 'checkExists' | 'create' | 'delete';

/** Calls a trigger's lifecycle methods with the attempts and pauses of n8n. */
export class Registration {
	/** The calls since the list was last emptied, in order. */
	calls: LifecycleMethod[] = [];
	private readonly host: Host;
	private readonly workflowId: string;

	constructor(host: Host, workflowId: string) {
		this.host = host;
		this.workflowId = workflowId;
	}

	/**
	 * n8n's list of a node's webhooks: one entry for each of its methods.
	 *
	 * @param resuming those that resume a waiting execution, instead of those that start one
	 */
	webhooks(workflow: Workflow, node: INode, resuming = false): IWebhookData[] {
		const { webhooks: all = [] } = this.host.nodeTypes.getByNameAndVersion(node.type).description;
		const webhooks = all.filter(({ restartWebhook = false }) => restartWebhook === resuming);
		if (node.disabled) {
			return [];
		}
		const value = (text: unknown, fallback: string) =>
			workflow.expression.getSimpleParameterValue(node, text as string, 'internal', {}, undefined, fallback);
		return webhooks.flatMap((webhookDescription) => {
			const own = String(value(webhookDescription.path, '')).replace(/^\/|\/$/g, '');
			const full = Boolean(value(webhookDescription.isFullPath, ''));
			const path = n8n.NodeHelpers.getNodeWebhookPath(this.workflowId, node, own, full, resuming);
			return String(value(webhookDescription.httpMethod, 'GET'))
				.split(',')
				.map((method) => ({
					httpMethod: method.trim() as IWebhookData['httpMethod'],
					node: node.name,
					path,
					webhookDescription,
					workflowId: this.workflowId,
					workflowExecuteAdditionalData: this.host.additionalData(),
				}));
		});
	}

	/**
	 * Makes up to five attempts; n8n calls delete() after each failed one.
	 * @returns the last error if all failed
	 */
	async register(
		workflow: Workflow,
		webhook: IWebhookData,
		activation: WorkflowActivateMode,
	): Promise<Error | undefined> {
		for (let attempt = 0; ; attempt += 1) {
			try {
				await this.createIfMissing(workflow, webhook, 'trigger', activation);
				return undefined;
			} catch (error) {
				await this.delete(workflow, webhook).catch(() => undefined);
				if (attempt === REGISTER_ATTEMPTS - 1) {
					return error as Error;
				}
				await sleep(SECOND_MS * 2 ** attempt);
			}
		}
	}

	/**
	 * Deregisters all webhooks in parallel, each with up to three attempts.
	 * @returns the error of one that failed
	 */
	async takeDown(workflow: Workflow, webhooks: IWebhookData[]): Promise<Error | undefined> {
		const results = await Promise.allSettled(webhooks.map(async (webhook) => await this.deregister(workflow, webhook)));
		return results.find((result) => result.status === 'rejected')?.reason as Error | undefined;
	}

	/** What n8n does once for a test listener, and in each attempt to publish. */
	async createIfMissing(
		workflow: Workflow,
		webhook: IWebhookData,
		mode: 'trigger' | 'manual',
		activation: WorkflowActivateMode,
	): Promise<void> {
		if (await this.call('checkExists', workflow, webhook, mode, activation)) {
			return;
		}
		// What create() returns is ignored: only a throw counts as a failure.
		await this.call('create', workflow, webhook, mode, activation);
	}

	async delete(workflow: Workflow, webhook: IWebhookData): Promise<void> {
		await this.call('delete', workflow, webhook, 'internal', 'update');
	}

	private async deregister(workflow: Workflow, webhook: IWebhookData): Promise<void> {
		for (let attempt = 0; ; attempt += 1) {
			try {
				await this.delete(workflow, webhook);
				return;
			} catch (error) {
				if (error instanceof n8n.UserError || attempt === TEARDOWN_ATTEMPTS - 1) {
					throw error;
				}
				await sleep(SECOND_MS * 2 ** attempt);
			}
		}
	}

	private async call(
		method: LifecycleMethod,
		workflow: Workflow,
		webhook: IWebhookData,
		mode: 'trigger' | 'manual' | 'internal',
		activation: WorkflowActivateMode,
	): Promise<boolean> {
		const node = workflow.getNode(webhook.node);
		if (!node) {
			return false;
		}
		const { webhookMethods } = this.host.nodeTypes.getByNameAndVersion(node.type);
		const run = webhookMethods?.[webhook.webhookDescription.name as 'default']?.[method];
		if (!run) {
			return false;
		}
		this.calls.push(method);
		const data = this.host.additionalData();
		return await run.call(new core.HookContext(workflow, node, data, mode, activation, webhook));
	}
}
