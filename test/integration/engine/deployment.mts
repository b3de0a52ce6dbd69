import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INode, IWebhookData, Workflow, WorkflowActivateMode } from 'n8n-workflow';

import { type LifecycleMethod, Registration } from './registration.mts';
import type { DeployedWorkflow, Host } from './webhookRoutes.mts';
import { completeNodes, createWorkflow, type NodeSpec, type WorkflowSpec } from './workflow.mts';

export interface Publication {
	/** Why a trigger could not be registered; n8n then shows the workflow as active, with a failed trigger. */
	error?: Error;
	/** Why n8n could not deregister a trigger at the service. */
	teardownError?: Error;
	/** The calls of the trigger's lifecycle methods, in order. */
	calls: LifecycleMethod[];
}

/** A UUID that depends only on the text, like the webhook ids of n8n. */
const uuidOf = (text: string) =>
	createHash('sha256')
		.update(text)
		.digest('hex')
		.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');

/** n8n registers a trigger again when any of these fields differs between two versions. */
const registrationOf = ({ id, name, type, typeVersion, webhookId, credentials, parameters }: INode) => [
	id,
	name,
	type,
	typeVersion,
	webhookId,
	credentials,
	parameters,
];

let deployments = 0;

/**
 * One stored workflow and the lifecycle of its triggers in n8n 2.41: a trigger that was removed or changed is
 * deregistered with its old parameters, then one that was added or changed is registered (checkExists, then create if
 * that was false). Static data is stored by node name, after each of these steps.
 */
export class Deployment implements DeployedWorkflow {
	readonly id: string;
	private readonly host: Host;
	private readonly registration: Registration;
	private spec: WorkflowSpec;
	private published: INode[] = [];
	private staticData = '{}';
	private test?: { workflow: Workflow; webhooks: IWebhookData[] };

	constructor(host: Host, spec: WorkflowSpec) {
		deployments += 1;
		this.id = spec.id ?? `workflow-${deployments}`;
		this.spec = { ...spec, id: this.id };
		this.host = host;
		this.registration = new Registration(host, this.id);
	}

	storedStaticData(): IDataObject {
		return JSON.parse(this.staticData) as IDataObject;
	}

	/** Overwrites what n8n has stored, as a restored backup would. */
	restoreStaticData(data: IDataObject): void {
		this.staticData = JSON.stringify(data);
	}

	save(workflow: Workflow): void {
		if (workflow.staticData.__dataChanged === true) {
			this.staticData = JSON.stringify(workflow.staticData);
		}
	}

	/** The production URL of the only trigger's webhook. */
	webhookUrl(): string {
		const path = this.host.routes.pathOf(this);
		if (!path) {
			throw new Error('Nothing is registered in n8n');
		}
		return `${this.host.url}/${path}`;
	}

	async edit(name: string, changes: Partial<NodeSpec>): Promise<Publication> {
		const nodes = this.spec.nodes.map((node) =>
			node.name === name ? { ...node, ...changes, parameters: { ...node.parameters, ...changes.parameters } } : node,
		);
		this.spec = { ...this.spec, nodes };
		return await this.publish();
	}

	async rename(name: string, newName: string): Promise<Publication> {
		return await this.edit(name, { name: newName });
	}

	async publish(): Promise<Publication> {
		const wanted = this.nodes();
		const activation: WorkflowActivateMode = this.published.length === 0 ? 'activate' : 'update';
		const isIn = (nodes: INode[]) => (node: INode) =>
			nodes.some((other) => isDeepStrictEqual(registrationOf(node), registrationOf(other)));
		const added = wanted.filter((node) => !isIn(this.published)(node));
		const removed = this.published.filter((node) => !isIn(wanted)(node));
		this.registration.calls = [];
		const teardownError = await this.takeDown(removed);
		this.published = wanted;
		const error = await this.register(added, activation);
		return { error, teardownError, calls: this.registration.calls };
	}

	/** What an n8n before 2.41 does when it starts with the published workflow: it registers the triggers again. */
	async start(): Promise<Publication> {
		this.registration.calls = [];
		this.published = this.nodes();
		return { error: await this.register(this.published, 'init'), calls: this.registration.calls };
	}

	async unpublish(): Promise<Publication> {
		this.registration.calls = [];
		const teardownError = await this.takeDown(this.published);
		this.published = [];
		return { teardownError, calls: this.registration.calls };
	}

	/** "Execute workflow" on a trigger: listens at the test URL, with empty static data, until the first execution. */
	async listenForTest(): Promise<void> {
		const workflow = createWorkflow(this.spec, this.host.nodeTypes, { nodes: this.nodes() });
		const webhooks = Object.values(workflow.nodes).flatMap((node) => this.registration.webhooks(workflow, node));
		this.test = { workflow, webhooks };
		for (const webhook of webhooks) {
			webhook.isTest = true;
			this.host.routes.add('webhook-test', {
				deployment: this,
				webhook,
				mode: 'manual',
				workflow: () => this.testCopy(),
			});
			try {
				await this.registration.createIfMissing(workflow, webhook, 'manual', 'manual');
			} catch (error) {
				await this.stopTest();
				throw error;
			}
		}
	}

	/** Ends a test listener, as n8n does after two minutes or the first execution. */
	async stopTest(): Promise<void> {
		const { workflow, webhooks } = this.test ?? {};
		this.test = undefined;
		for (const webhook of webhooks ?? []) {
			if (workflow) {
				await this.registration.delete(workflow, webhook);
			}
			this.host.routes.remove('webhook-test', webhook);
		}
	}

	private async register(nodes: INode[], activation: WorkflowActivateMode): Promise<Error | undefined> {
		const workflow = this.productionWorkflow();
		let error: Error | undefined;
		for (const webhook of nodes.flatMap((node) => this.registration.webhooks(workflow, node))) {
			// First the route: the service may call back while it registers the webhook.
			const route = { deployment: this, webhook, mode: 'webhook', workflow: () => this.productionWorkflow() } as const;
			this.host.routes.add('webhook', route);
			error ??= await this.registration.register(workflow, webhook, activation);
			if (error) {
				this.host.routes.remove('webhook', webhook);
			}
		}
		this.save(workflow);
		return error;
	}

	private async takeDown(nodes: INode[]): Promise<Error | undefined> {
		if (nodes.length === 0) {
			return undefined;
		}
		const workflow = this.productionWorkflow();
		const webhooks = nodes.flatMap((node) => this.registration.webhooks(workflow, node));
		// n8n removes its routes before it deregisters at the service.
		for (const webhook of webhooks) {
			this.host.routes.remove('webhook', webhook);
		}
		const error = await this.registration.takeDown(workflow, webhooks);
		this.save(workflow);
		return error;
	}

	private productionWorkflow(): Workflow {
		const staticData = this.storedStaticData();
		return createWorkflow(this.spec, this.host.nodeTypes, { active: true, staticData, nodes: this.published });
	}

	private testCopy(): Workflow {
		const copy = createWorkflow(this.spec, this.host.nodeTypes, { nodes: this.nodes() });
		if (this.test) {
			copy.setTestStaticData(this.test.workflow.staticData);
		}
		return copy;
	}

	private nodes(): INode[] {
		return completeNodes(this.spec, this.host.nodeTypes).map((node, index) => {
			const { webhooks } = this.host.nodeTypes.getByNameAndVersion(node.type).description;
			return webhooks ? { webhookId: uuidOf(`${this.id} ${index}`), ...node } : node;
		});
	}
}
