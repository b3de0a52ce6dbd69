import type { Request, Response } from 'express';
import type {
	IRunExecutionData,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';

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

/** The executions that wait, and how n8n 2.41 resumes them (its classes WaitingWebhooks and WaitTracker). */
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
			this.resumed.delete(run.id);
		} else {
			this.ended.set(run.id, run);
		}
	}

	/** An execution that waits, as it was stored last. */
	stored(id: string): WorkflowRun | undefined {
		return this.waiting.get(id)?.run;
	}

	/** The rest of an execution that has waited; undefined if it waits, also again. */
	rest(id: string): Promise<WorkflowRun> | undefined {
		return this.resumed.get(id);
	}

	/** Resumes the executions whose time is up, as n8n itself does: nothing of the node runs. @returns their IDs */
	async resumeOverdue(): Promise<string[]> {
		const overdue: string[] = [];
		for (const [id, { spec, run }] of [...this.waiting]) {
			const { data, mode } = run.stored;
			if (Number(data.waitTill) <= Date.now() && this.waiting.delete(id)) {
				overdue.push(id);
				await this.resume(id, spec, mode, n8n.deepCopy(data));
			}
		}
		return overdue;
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
		void this.resume(id, spec, mode, data);
		return { status: 200 };
	}

	private resume(id: string, spec: WorkflowSpec, ...[mode, data]: [WorkflowExecuteMode, IRunExecutionData]) {
		const { nodeTypes } = this.home;
		const rest = execute(createWorkflow(spec, nodeTypes), nodeTypes, this.dataFor(spec), mode, data, id).result;
		rest.then((run) => this.keep(spec, run));
		this.resumed.set(id, rest);
		return rest;
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
