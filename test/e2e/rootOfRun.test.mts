import { waitFor } from '../../scripts/lib/waiting.mts';
import { runAgent } from './agentWorkflow.mts';
import { Instance, type WorkflowNode } from './instance.mts';
import { doesN8n } from './olderN8n.mts';

let n8n: Instance;
let agent: string;

beforeAll(async () => {
	n8n = await Instance.share();
	agent = (await n8n.service.get('/_sandbox/seed')).data.agents.published;
}, 120_000);
beforeEach(async () => await n8n.service.post('/_sandbox/reset'));
afterAll(async () => await n8n?.stop(), 30_000);

const call = () => n8n.placing(agent);

const start = () => n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {});

function hook(): WorkflowNode {
	const path = crypto.randomUUID();
	// Older versions of n8n need the ID to serve the path.
	return { ...n8n.node('Hook', 'n8n-nodes-base.webhook', 2, { path, httpMethod: 'POST' }), webhookId: path };
}

/** A workflow of these nodes, one after the other. */
async function chained(name: string, nodes: WorkflowNode[]): Promise<string> {
	return await n8n.createWorkflow(
		name,
		nodes,
		nodes.map((node) => node.name),
	);
}

/** A node that runs a sub-workflow with these nodes. */
async function subWorkflow(nodes: WorkflowNode[]): Promise<WorkflowNode> {
	const begins = n8n.node('Begins', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
	const workflowId = await chained('Sub-workflow', [begins, ...nodes]);
	if (doesN8n('publishesSubWorkflows')) {
		await n8n.editor.publish(workflowId);
	}
	return n8n.node('Run it', 'n8n-nodes-base.executeWorkflow', 1.2, {
		workflowId: { __rl: true, mode: 'id', value: workflowId },
		options: {},
	});
}

/** Publishes nodes behind a webhook, calls it, and waits for the end; gives the ID of the execution. */
async function hooked(nodes: WorkflowNode[]): Promise<string> {
	const webhook = hook();
	const workflowId = await chained('Production', [webhook, ...nodes]);
	await n8n.editor.publish(workflowId);
	const url = `${n8n.n8n.url}/webhook/${webhook.parameters.path}`;
	const answered = async () => ((await fetch(url, { method: 'POST' })).ok ? true : undefined);
	await waitFor(answered, { seconds: 20 });
	const [{ id }] = await n8n.finished(workflowId, 1);
	await n8n.unpublish(workflowId);
	return id;
}

/** Runs nodes by hand, and waits for the end; gives the ID of the execution. */
async function byHand(nodes: WorkflowNode[]): Promise<string> {
	const id = await n8n.editor.run(await chained('By hand', [start(), ...nodes]), 'Start');
	await n8n.ended(id);
	return id;
}

/** Lets the first call fail, runs the nodes, and repeats the failed execution with Retry. */
async function retried(run: () => Promise<string>): Promise<void> {
	await n8n.service.post('/_sandbox/faults', {
		match: { path: `/api/v1/agents/${agent}/call` },
		kind: 'status',
		status: 403,
	});
	const failed = await run();
	expect(await sent()).toHaveLength(1);
	await n8n.service.post('/_sandbox/reset');
	const { id } = await n8n.editor.request<{ id?: string }>('POST', `/rest/executions/${failed}/retry`, {});
	// An older n8n answers at the end.
	await (id && n8n.ended(id));
}

/** Whether each call was sent as a test call. */
async function sent(): Promise<unknown[]> {
	return (await n8n.placed()).map(({ body }) => body?.is_testing);
}

/** What is sent in an n8n that tells how a run began; an older one sends nothing. */
const ifTold = (calls: boolean[], what: Parameters<typeof doesN8n>[0] = 'tellsHowARunBegan') =>
	doesN8n(what) ? calls : [];

test('A manual execution of a sub-workflow places a test call', async () => {
	await byHand([await subWorkflow([call()])]);
	expect(await sent()).toEqual(ifTold([true]));
}, 60_000);

test('A production execution of a sub-workflow places a real call', async () => {
	await hooked([await subWorkflow([call()])]);
	expect(await sent()).toEqual(ifTold([false]));
}, 60_000);

test('A sub-workflow of a sub-workflow places the calls of the outermost execution', async () => {
	const nodes = [await subWorkflow([await subWorkflow([call()])])];
	await hooked(nodes);
	await byHand(nodes);
	expect((await sent()).sort()).toEqual(ifTold([false, true], 'tellsInnerSubWorkflows'));
}, 60_000);

test('A workflow that an AI agent runs as its tool in a manual execution places a test call', async () => {
	const { parameters } = await subWorkflow([call()]);
	const tool = n8n.node('Phone', '@n8n/n8n-nodes-langchain.toolWorkflow', 2.2, {
		...parameters,
		description: 'Calls the customer',
	});
	await runAgent(n8n, { Phone: tool }, [{ tool: 'Phone', args: {} }, { say: 'Done.' }], 2);
	expect(await sent()).toEqual(ifTold([true]));
}, 60_000);

test('Retry of a manual execution places a test call', async () => {
	await retried(async () => await byHand([call()]));
	expect(await sent()).toEqual(ifTold([true]));
}, 60_000);

test('Retry of a production execution places a real call', async () => {
	await retried(async () => await hooked([call()]));
	expect(await sent()).toEqual(ifTold([false]));
}, 60_000);
