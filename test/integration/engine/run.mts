import type {
	ExecutionError,
	ICredentialsHelper,
	IDataObject,
	INodeExecutionData,
	IRun,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalData, StoredCredentials } from './credentials.mts';
import { core, n8n } from './n8n.mts';
import { KnownNodeTypes } from './nodeTypes.mts';
import { type LoadedPackage, loadPackage } from './package.mts';
import { createWorkflow, type NodeSpec, type WorkflowSpec } from './workflow.mts';

/** One run of one node; a node in a loop has several. */
export interface NodeRun {
	status: string;
	/** How often n8n called the node in this run: more than once with Retry On Fail. */
	tries: number;
	/** The items of each output. With On Error "continue using error output" the last one holds the failed items. */
	outputs: INodeExecutionData[][];
	error?: ExecutionError;
}

/** A finished execution, or one that waits. */
export interface WorkflowRun {
	id: string;
	status: string;
	error?: ExecutionError;
	nodes: Record<string, NodeRun[]>;
	/** The execution data that n8n would store: of a cancelled execution, those of the moment in which it was cancelled. */
	stored: IRun;
}

/** The n8n that an execution belongs to, as the execution needs it. */
export interface Home {
	additionalData(credentials: ICredentialsHelper): IWorkflowExecuteAdditionalData;
	/** Stores an execution that waits or has ended. */
	keep(spec: WorkflowSpec, run: WorkflowRun): void;
}

export interface RunOptions {
	/** The n8n that it belongs to; needed for one that waits and is resumed. */
	n8n?: Home;
	/** `manual` for the editor's button; default `trigger`. */
	mode?: WorkflowExecuteMode;
	/** In a sub-workflow, whose mode is `integrated`: the mode of the execution that began it. */
	rootMode?: WorkflowExecuteMode;
	package?: LoadedPackage;
	webhookOrigin?: string;
	/** The stored static data of the workflow; changes of the run are written to it. */
	staticData?: IDataObject;
}

export interface StartedRun {
	id: string;
	result: Promise<WorkflowRun>;
	cancel(): void;
}

let executions = 0;

/**
 * Starts a workflow at its first node.
 *
 * @param resumeWith the data of an execution to continue instead
 */
export async function startWorkflow(
	spec: WorkflowSpec,
	options: RunOptions = {},
	resumeWith?: IRunExecutionData,
): Promise<StartedRun> {
	const loaded = options.package ?? (await loadPackage());
	const nodeTypes = new KnownNodeTypes(loaded);
	const stored = options.staticData;
	const workflow = createWorkflow(spec, nodeTypes, { staticData: structuredClone(stored) });
	const credentials = new StoredCredentials(loaded.credentialTypes, spec.credentials ?? {});
	const data = options.n8n?.additionalData(credentials) ?? additionalData(credentials, options.webhookOrigin);
	const own = { ...data, rootExecutionMode: options.rootMode };
	const started = execute(workflow, nodeTypes, own, options.mode ?? 'trigger', resumeWith);
	const result = started.result.then((run) => {
		options.n8n?.keep(spec, run);
		if (stored && workflow.staticData.__dataChanged === true) {
			Object.assign(stored, JSON.parse(JSON.stringify(workflow.staticData)));
		}
		return run;
	});
	return { ...started, result };
}

export async function runWorkflow(spec: WorkflowSpec, options: RunOptions = {}): Promise<WorkflowRun> {
	return await (await startWorkflow(spec, options)).result;
}

/**
 * Retries an execution: n8n 2.41 runs the nodes that are still to be executed, after it has removed the error of the last
 * node that was.
 */
export async function retryWorkflow(
	spec: WorkflowSpec,
	{ stored }: WorkflowRun,
	options: RunOptions = {},
): Promise<WorkflowRun> {
	const { data } = n8n.deepCopy(stored);
	const { lastNodeExecuted = '', runData } = data.resultData;
	delete data.resultData.error;
	if (runData[lastNodeExecuted]?.at(-1)?.error !== undefined) {
		runData[lastNodeExecuted].pop();
	}
	return await (await startWorkflow(spec, { ...options, mode: 'retry' }, data)).result;
}

/** Runs one node after a source of items. @returns the result of the node's only run */
export async function runNode(
	node: Omit<NodeSpec, 'name'> & { name?: string },
	items: IDataObject[],
	{
		credentials,
		timezone,
		workflowId,
		...options
	}: RunOptions & Pick<WorkflowSpec, 'credentials' | 'timezone'> & { workflowId?: string } = {},
): Promise<NodeRun & { run: WorkflowRun }> {
	const name = node.name ?? 'Node';
	const spec: WorkflowSpec = { nodes: [sourceOf(items), { ...node, name }], credentials, timezone, id: workflowId };
	const run = await runWorkflow(spec, options);
	const [result] = run.nodes[name] ?? [];
	if (!result) {
		throw new Error(`n8n did not run the node: ${run.error?.message ?? run.status}`);
	}
	return { ...result, run };
}

export function sourceOf(items: IDataObject[]): NodeSpec {
	return {
		name: 'Source',
		type: 'harness.source',
		parameters: { items: JSON.parse(JSON.stringify(items.map((json) => ({ json })))) },
	};
}

/**
 * Runs a workflow with n8n-core's engine.
 * @param resumeWith the data of a webhook, or of an execution to continue; without it the first node starts with one empty
 *   item
 * @param executionId the ID of an execution to continue; by default a new one
 */
export function execute(
	workflow: Workflow,
	nodeTypes: KnownNodeTypes,
	data: IWorkflowExecuteAdditionalData,
	mode: WorkflowExecuteMode,
	resumeWith?: IRunExecutionData,
	executionId = String(++executions),
): StartedRun {
	const tries: Record<string, number[]> = {};
	const hooks = new core.ExecutionLifecycleHooks(mode, executionId, {
		id: workflow.id,
		name: 'Workflow under test',
		nodes: Object.values(workflow.nodes),
		connections: workflow.connectionsBySourceNode,
		active: workflow.active,
		isArchived: false,
		activeVersionId: null,
		createdAt: new Date(),
		updatedAt: new Date(),
	});
	hooks.addHandler('nodeExecuteAfter', (name) => {
		(tries[name] ??= []).push(nodeTypes.tries.get(name) ?? 0);
		nodeTypes.tries.delete(name);
	});
	let stored: IRun | undefined;
	hooks.addHandler('workflowExecuteAfter', (run) => {
		stored ??= run.status === 'canceled' ? n8n.deepCopy(run) : run;
	});
	const engine = new core.WorkflowExecute({ ...data, hooks, executionId, workflowId: workflow.id }, mode, resumeWith);
	const running = resumeWith ? engine.processRunExecutionData(workflow) : runFromStart(engine, workflow);
	const result = running.then((run) => ({ ...summarise(run, tries), id: executionId, stored: stored ?? run }));
	return { id: executionId, result, cancel: () => running.cancel() };
}

/** Older versions of n8n take the workflow and its first node as separate arguments. */
function runFromStart(engine: InstanceType<typeof core.WorkflowExecute>, workflow: Workflow) {
	const [startNode] = Object.values(workflow.nodes);
	if (engine.run.length === 1) {
		return engine.run({ workflow, startNode });
	}
	type OlderRun = (workflow: Workflow, startNode: unknown) => ReturnType<typeof engine.run>;
	return (engine.run as unknown as OlderRun).call(engine, workflow, startNode);
}

function summarise({ data, status }: IRun, tries: Record<string, number[]>): Omit<WorkflowRun, 'id' | 'stored'> {
	const { runData, error } = data.resultData;
	const nodes = Object.entries(runData).map(([name, runs]) => [
		name,
		runs.map(
			(run, index): NodeRun => ({
				status: run.executionStatus ?? 'unknown',
				tries: tries[name]?.[index] ?? 0,
				outputs: (run.data?.main ?? []).map((items) => items ?? []),
				error: run.error,
			}),
		),
	]);
	return { status, error, nodes: Object.fromEntries(nodes) };
}
