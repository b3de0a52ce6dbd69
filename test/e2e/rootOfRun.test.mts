import { OLDER_AGENT, runAgent } from './agentWorkflow.mts';
import { comes } from './eventually.mts';
import { byId, Instance, type WorkflowNode } from './instance.mts';
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

/** An older n8n does not say how the outermost execution began. */
const tell = doesN8n('tellsInnerSubWorkflows') ? test : test.skip;

/** Nodes with which an execution waits until something calls the URL that the first one puts out. */
const wait = () => [
	n8n.node('Resume', 'n8n-nodes-base.code', 2, { jsCode: 'return [{ json: { url: $execution.resumeUrl } }];' }),
	n8n.node('Wait', 'n8n-nodes-base.wait', 1.1, { resume: 'webhook' }),
];

/** The executions of workflows that wait, one of each. */
async function waiting(...workflowIds: string[]): Promise<string[]> {
	const found: string[] = [];
	for (const workflowId of workflowIds) {
		await comes(async () => {
			const executions = await n8n.editor.executions(workflowId);
			found.push(...executions.filter(({ status }) => status === 'waiting').map(({ id }) => id));
			return found.length === workflowIds.indexOf(workflowId) + 1;
		}, `an execution of ${workflowId} that waits`);
	}
	return found;
}

/** Continues an execution that waits, and waits for its end. */
async function resume(id: string): Promise<void> {
	const [{ url }] = await n8n.outputOf(id, 'Resume');
	expect((await fetch(String(url))).status).toBe(200);
	await n8n.ended(id);
}

const idOf = ({ parameters }: WorkflowNode) => String(Object(parameters.workflowId).value);

tell('A sub-workflow of a sub-workflow that has waited places the calls of the outermost execution', async () => {
	const inner = await n8n.subWorkflow([...wait(), call()]);
	const outer = await n8n.subWorkflow([inner]);
	const webhook = n8n.webhook();
	const production = await n8n.published('Production', [webhook, outer]);
	await comes(
		async () => (await fetch(`${n8n.n8n.url}/webhook/${webhook.parameters.path}`, { method: 'POST' })).ok,
		'an answer of the webhook',
	);
	const inProduction = await waiting(idOf(inner), idOf(outer), production);
	await resume(inProduction[0]!);
	await expectTestCalls([false]);

	await n8n.service.post('/_sandbox/reset');
	const byHand = await n8n.chain('By hand', [n8n.manualStart(), outer]);
	await n8n.editor.run(byHand, 'Start');
	const inTest = await waiting(idOf(inner), idOf(outer), byHand);
	await resume(inTest[0]!);
	await expectTestCalls([true]);
	await n8n.editor.unpublish(production);
});

tell(
	'The event of a test call starts a workflow that places test calls, also in a sub-workflow after a wait',
	async () => {
		const inner = await n8n.subWorkflow([...wait(), call()]);
		// The fields of the event do not reach the nodes that call.
		const forget = n8n.given('Forget', [{ isTest: false }]);
		const trigger = n8n.trigger(n8n.sandbox.campaignId);
		// While the first sub-workflow runs, n8n has stored only how the execution began.
		const atOnce = { ...(await subWorkflow()), name: 'Run at once' };
		const workflowId = await n8n.published('After the call', [trigger, forget, call(), atOnce, inner]);
		await n8n.soleWebhook();

		/** Lets a call end, whose event starts the workflow, and tells which of all calls are test calls. */
		const testCallsAfter = async (queue: () => Promise<unknown>) => {
			await queue();
			await n8n.advanceBySteps(60);
			const [id] = await waiting(idOf(inner));
			await resume(id!);
			await n8n.finished(workflowId, 1);
			return (await n8n.dialed()).map(({ is_testing }) => is_testing);
		};
		const campaign = { resource: 'campaign', operation: 'queueCall', campaign: byId(n8n.sandbox.campaignId) };
		const queueing = n8n.action('Queue', { ...campaign, phoneNumber: '+12025550001' });
		expect(await testCallsAfter(async () => await n8n.runOnce([queueing]))).toEqual([true, true, true, true]);
		const path = `/api/v1/campaigns/${n8n.sandbox.campaignId}/call`;
		const queueReal = async () => await n8n.service.post(path, { to: '+12025560001' });
		expect((await testCallsAfter(queueReal)).slice(4)).toEqual([undefined, false, false, false]);
		await n8n.editor.unpublish(workflowId);
	},
);

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
