import { OLDER_AGENT, runAgent } from './agentWorkflow.mts';
import { comes } from './eventually.mts';
import { Instance, type WorkflowNode } from './instance.mts';
import { doesN8n } from './olderN8n.mts';

let n8n: Instance;

beforeAll(async () => {
	n8n = await Instance.share();
});

beforeEach(async () => await n8n.service.post('/_sandbox/reset'));

const call = () => n8n.placing(n8n.sandbox.agentId);
const subWorkflow = async () => await n8n.subWorkflow([call()]);

/** Publishes nodes behind a webhook, calls it, and waits for the end; gives the ID of the execution. */
async function hooked(nodes: WorkflowNode[]): Promise<string> {
	const webhook = n8n.webhook();
	const workflowId = await n8n.published('Production', [webhook, ...nodes]);
	const url = `${n8n.n8n.url}/webhook/${webhook.parameters.path}`;
	await comes(async () => (await fetch(url, { method: 'POST' })).ok, 'an answer of the webhook');
	const [{ id }] = await n8n.finished(workflowId, 1);
	await n8n.editor.unpublish(workflowId);
	return id;
}

/** Runs nodes by hand, and waits for the end; gives the ID of the execution. */
const byHand = async (nodes: WorkflowNode[]) => (await n8n.runOnce(nodes)).id;

/** Lets the first call fail, runs the node, and repeats the failed execution with Retry. */
async function retried(run: (nodes: WorkflowNode[]) => Promise<string>): Promise<void> {
	await n8n.fault('POST', `/api/v1/agents/${n8n.sandbox.agentId}/call`, { kind: 'status', status: 403 });
	const failed = await run([call()]);
	expect(await n8n.placed()).toHaveLength(1);
	await n8n.service.post('/_sandbox/reset');
	const { id } = await n8n.editor.request<{ id?: string }>('POST', `/rest/executions/${failed}/retry`, {});
	// An older n8n answers at the end.
	await (id && n8n.ended(id));
}

/** Expects calls, each a test call or a real one. */
async function expectTestCalls(calls: boolean[]) {
	const sent = (await n8n.dialed()).map(({ is_testing }) => is_testing);
	expect(sent.sort()).toEqual(calls);
}

test('A manual execution of a sub-workflow places a test call', async () => {
	await byHand([await subWorkflow()]);
	await expectTestCalls([true]);
});

test('A production execution of a sub-workflow places a real call', async () => {
	await hooked([await subWorkflow()]);
	await expectTestCalls([false]);
});

test('A sub-workflow of a sub-workflow places the calls of the outermost execution', async () => {
	const nodes = [await n8n.subWorkflow([await subWorkflow()])];
	await hooked(nodes);
	await byHand(nodes);
	// An n8n that does not say how the outermost execution began sends nothing.
	await expectTestCalls(doesN8n('tellsInnerSubWorkflows') ? [false, true] : []);
});

test('A workflow that an AI agent runs as its tool in a manual execution places a test call', async () => {
	const { parameters } = await subWorkflow();
	const description = { ...parameters, description: 'Calls the customer' };
	const tool = n8n.node('Phone', '@n8n/n8n-nodes-langchain.toolWorkflow', 2.2, description);
	await runAgent(n8n, { Phone: tool }, [{ tool: 'Phone', args: {} }, { say: 'Done.' }], OLDER_AGENT);
	await expectTestCalls([true]);
});

test.each([
	['manual execution places a test call', byHand, true],
	['production execution places a real call', hooked, false],
] as const)('Retry of a %s', async (_, run, isTest) => {
	await retried(run);
	await expectTestCalls([isTest]);
});
