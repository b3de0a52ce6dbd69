import type { Request, Response } from 'express';
import type { IWebhookResponseData, IWorkflowExecuteAdditionalData, Workflow } from 'n8n-workflow';

import { StoredCredentials } from './credentials.mts';
import { core, logger, n8n } from './n8n.mts';
import type { LoadedPackage } from './package.mts';
import { Registration } from './registration.mts';
import { execute, type WorkflowRun } from './run.mts';
import type { Host } from './webhookRoutes.mts';
import { createWorkflow, type WorkflowSpec } from './workflow.mts';

/** The n8n whose executions wait. */
interface Home extends Host {
	readonly loaded: LoadedPackage;
}

interface Waiting {
	spec: WorkflowSpec;
	run: WorkflowRun;
}

/** The answer to a request; undefined if the node has sent it. */
type Answer = { status: number; body?: unknown } | undefined;

/**
 * The executions that wait, and how n8n 2.41 resumes them (its class WaitingWebhooks). That n8n ends a wait itself at its
 * time limit is not part of it.
 */
export class WaitingExecutions {
	private readonly home: Home;
	private readonly waiting = new Map<string, Waiting>();
	private readonly ended = new Map<string, WorkflowRun>();
	private readonly resumed = new Map<string, Promise<WorkflowRun>>();

	constructor(home: Home) {
		this.home = home;
	}

	/** Stores an execution that waits or has ended. */
	keep(spec: WorkflowSpec, run: WorkflowRun): void {
		if (run.status === 'waiting') {
			this.waiting.set(run.id, { spec, run });
		} else {
			this.ended.set(run.id, run);
		}
	}

	/** The rest of an execution that has waited; undefined if it still waits. */
	rest(id: string): Promise<WorkflowRun> | undefined {
		return this.resumed.get(id);
	}

	deleteAll(): void {
		this.waiting.clear();
		this.ended.clear();
	}

	/**
	 * Answers a request to the address of an execution.
	 *
	 * @param path of the request, without the folder in which these addresses are
	 * @param exists whether an execution that does not wait is running; otherwise it does not exist
	 */
	async serve(path: string, request: Request, response: Response, exists: boolean): Promise<Answer> {
		// It writes no error into the log.
		if (!['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'].includes(request.method)) {
			return { status: 500, body: { code: 0, message: `The method ${request.method} is not supported.` } };
		}
		const [id = '', suffix = ''] = path.split('/');
		const waiting = this.waiting.get(id);
		const ended = this.ended.get(id);
		if (ended !== undefined) {
			const how = ended.error
				? `The execution "${id}" has finished with error.`
				: `The execution "${id} has finished already.`;
			return this.refuse(request, 409, how);
		}
		if (waiting === undefined) {
			// Of a running execution n8n has stored no data yet, which it expects here.
			return exists
				? this.refuse(request, 500, "Cannot read properties of undefined (reading 'resumeToken')", 0)
				: this.refuse(request, 404, `The execution "${id}" does not exist.`);
		}
		const { spec, run } = waiting;
		const name = String(run.stored.data.resultData.lastNodeExecuted);
		const workflow = createWorkflow(spec, this.home.nodeTypes);
		const { data } = n8n.deepCopy(run.stored);
		const [current] = data.executionData!.nodeExecutionStack;
		const webhook = this.webhookOf(workflow, name, suffix);
		if (webhook === undefined || current === undefined) {
			const what = `The workflow for execution "${id}" does not contain a waiting webhook with a matching path/method.`;
			return this.refuse(request, 404, what);
		}
		current.node.disabled = true;
		data.waitTill = undefined;
		data.resultData.runData[name]?.pop();
		const own = this.dataFor(spec);
		const { mode } = run.stored;
		const context = new core.WebhookContext(
			workflow,
			workflow.getNode(name)!,
			{ ...own, executionId: id, httpRequest: request, httpResponse: response },
			mode,
			webhook,
			[],
			data,
		);
		const { webhook: handle } = this.home.nodeTypes.getByNameAndVersion(current.node.type);
		const result: IWebhookResponseData = (await handle?.call(context)) ?? {};
		if (!result.workflowData) {
			return result.noWebhookResponse ? undefined : { status: 200, body: result.webhookResponse };
		}
		// Only one of several requests resumes an execution.
		if (!this.waiting.delete(id)) {
			throw new Error(`The execution "${id}" is already being resumed.`);
		}
		current.data.main = result.workflowData;
		const rest = execute(workflow, this.home.nodeTypes, own, mode, data, id).result;
		rest.then((run) => this.keep(spec, run));
		this.resumed.set(id, rest);
		return { status: 200 };
	}

	private webhookOf(workflow: Workflow, name: string, path: string) {
		const webhooks = new Registration(this.home, workflow.id).webhooks(workflow, workflow.getNode(name)!, true);
		return webhooks.find((webhook) => webhook.path === path);
	}

	private dataFor({ credentials = {} }: WorkflowSpec): IWorkflowExecuteAdditionalData {
		return this.home.additionalData(new StoredCredentials(this.home.loaded.credentialTypes, credentials));
	}

	/** n8n writes each request that it cannot handle into its log as an error. */
	private refuse({ method, path }: Request, status: number, message: string, code = status): Answer {
		logger.error(`Error in handling webhook request ${method} ${path}: ${message}`, { error: new Error(message) });
		return { status, body: { code, message } };
	}
}
