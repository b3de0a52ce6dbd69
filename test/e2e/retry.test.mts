import { setTimeout as sleep } from 'node:timers/promises';

import { waitFor } from '../../scripts/lib/waiting.mts';
import { Instance, type WorkflowNode } from './instance.mts';
import { doesN8n } from './olderN8n.mts';

let n8n: Instance;
let agent: string;

beforeAll(async () => {
	n8n = await Instance.start();
	agent = (await n8n.service.get('/_sandbox/seed')).data.agents.published;
}, 120_000);
beforeEach(async () => await n8n.service.post('/_sandbox/reset'));
afterAll(async () => await n8n?.stop(), 30_000);

const numbers = ['+12025550111', '+12025550122', '+12025550133', '+12025550144'];

/** Start, the numbers, and a node that calls them one after the other. */
function callingNodes(start: WorkflowNode): WorkflowNode[] {
	return [
		start,
		n8n.node('Numbers', 'n8n-nodes-base.code', 2, {
			jsCode: `return ${JSON.stringify(numbers.map((to) => ({ json: { to } })))};`,
		}),
		n8n.node('Call', 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, {
			resource: 'call',
			operation: 'place',
			agent: { __rl: true, mode: 'id', value: agent },
			phoneNumber: '={{ $json.to }}',
			sending: { maxConcurrentRequests: 1 },
		}),
	];
}

async function createWorkflow(name: string, more: WorkflowNode[] = []) {
	const nodes = [...callingNodes(n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {})), ...more];
	const id = await n8n.createWorkflow(
		name,
		nodes,
		nodes.map((node) => node.name),
	);
	return { id, nodes };
}

/** Lets the first call through, then does something to the second one. */
async function failSecond(fault: object): Promise<void> {
	const match = { path: `/api/v1/agents/${agent}/call` };
	await n8n.service.post('/_sandbox/faults', { match, kind: 'latency', ms: 0 });
	await n8n.service.post('/_sandbox/faults', { match, ...fault });
}

/** Waits for an execution to end; gives its id and how it ended. */
const ended = async (id: string) => ({ id, status: await n8n.ended(id) });

const run = async (workflowId: string) => await ended(await n8n.editor.run(workflowId, 'Start'));

/** Retry in the list of executions, with the workflow as it was, or as it is saved now. */
async function retry(executionId: string, workflow: 'original' | 'saved' = 'original') {
	const body = { loadWorkflow: workflow === 'saved' };
	await n8n.editor.request('POST', `/rest/executions/${executionId}/retry`, body);
	// n8n 1.100 does not answer with the ID of the retry.
	const { results } = await n8n.editor.request<{ results: Array<{ id: string; retryOf?: string }> }>(
		'GET',
		'/rest/executions?limit=100',
	);
	const retries = results.filter(({ retryOf }) => retryOf === executionId);
	return await ended(String(Math.max(...retries.map(({ id }) => Number(id)))));
}

/** How often each number was sent to the service. */
async function dialed(): Promise<number[]> {
	const requests = await n8n.placed();
	return numbers.map((to) => requests.filter(({ body }) => body?.to === to).length);
}

describe('Retry in the list of executions', () => {
	test('calls no number again that was sent, and stops at a call with an unknown outcome', async () => {
		const { id } = await createWorkflow('Unknown');
		await failSecond({ kind: 'drop-after' });
		const first = await run(id);
		expect(await retry(first.id)).toMatchObject({ status: 'error' });
		expect(await retry(first.id, 'saved')).toMatchObject({ status: 'error' });
		expect(await dialed()).toEqual([1, 1, 0, 0]);
	}, 60_000);

	test('calls the remaining numbers once the saved workflow continues on errors, but not the unknown one', async () => {
		const { id, nodes } = await createWorkflow('Goes on');
		await failSecond({ kind: 'drop-after' });
		const first = await run(id);
		const goesOn = nodes.map((node) => (node.name === 'Call' ? { ...node, onError: 'continueRegularOutput' } : node));
		await n8n.editor.request('PATCH', `/rest/workflows/${id}`, { nodes: goesOn });
		expect(await retry(first.id, 'saved')).toMatchObject({ status: 'success' });
		expect(await dialed()).toEqual([1, 1, 1, 1]);
	}, 60_000);

	test.each(['original', 'saved'] as const)(
		'calls the refused number and those after it (%s workflow); a Retry of the Retry continues from there',
		async (workflow) => {
			const { id } = await createWorkflow(`Refused, ${workflow}`);
			await failSecond({ kind: 'status', status: 403, times: 2 });
			const first = await run(id);
			const second = await retry(first.id, workflow);
			expect(second).toMatchObject({ status: 'error' });
			expect(await dialed()).toEqual([1, 2, 0, 0]);
			expect(await retry(second.id, workflow)).toMatchObject({ status: 'success' });
			expect(await dialed()).toEqual([1, 3, 1, 1]);
		},
		60_000,
	);

	test('does not run the node again when a later node failed', async () => {
		const after = n8n.node('After', 'n8n-nodes-base.code', 2, { jsCode: 'throw new Error("not yet");' });
		const { id } = await createWorkflow('Later', [after]);
		const first = await run(id);
		expect(await retry(first.id)).toMatchObject({ status: 'error' });
		expect(await retry(first.id, 'saved')).toMatchObject({ status: 'error' });
		expect(await dialed()).toEqual([1, 1, 1, 1]);
	}, 60_000);
});

describe('n8n ends an execution at its time limit, in the middle of its calls', () => {
	/** @returns the ID of the execution that has ended, after it has placed a call and while it places the second */
	async function runsOutOfTime(onError: string): Promise<string> {
		const { id, nodes } = await createWorkflow(`Time limit, ${onError}`);
		const ofCall = nodes.map((node) => (node.name === 'Call' ? { ...node, onError } : node));
		const settings = { executionTimeout: 4 };
		await n8n.editor.request('PATCH', `/rest/workflows/${id}`, { nodes: ofCall, settings });
		await failSecond({ kind: 'latency', ms: 20_000 });
		const first = await run(id);
		expect([first.status, await dialed()]).toEqual(['canceled', [1, 1, 0, 0]]);
		// n8n writes it once more.
		await sleep(1000);
		return first.id;
	}

	test('Retry calls the others, and nobody twice', async () => {
		expect(await retry(await runsOutOfTime('continueRegularOutput'))).toMatchObject({ status: 'success' });
		expect(await dialed()).toEqual([1, 1, 1, 1]);
	}, 90_000);

	test('with On Error set to stop, Retry calls nobody and names who was not called', async () => {
		const { id, status } = await retry(await runsOutOfTime('stopWorkflow'));
		expect([status, await dialed()]).toEqual(['error', [1, 1, 0, 0]]);
		expect((await n8n.editor.execution(id)).data).toContain('Not tried: items 2-3.');
	}, 90_000);
});

describe('The limits of Retry in docs/reference/sending.md', () => {
	test('a second Retry of the same execution does not know the first one', async () => {
		const { id } = await createWorkflow('Twice');
		await failSecond({ kind: 'status', status: 403 });
		const first = await run(id);
		await retry(first.id);
		expect(await dialed()).toEqual([1, 2, 1, 1]);
		await retry(first.id);
		expect(await dialed()).toEqual([1, 3, 2, 2]);
	}, 60_000);

	test.each(['stopped', 'killed'])(
		'n8n has stored nothing since the start of an execution that was %s',
		async (how) => {
			const webhook = { ...n8n.node('Start', 'n8n-nodes-base.webhook', 2, { path: how, options: {} }), webhookId: how };
			const nodes = callingNodes(webhook);
			const id = await n8n.createWorkflow(
				how,
				nodes,
				nodes.map((node) => node.name),
			);
			await n8n.editor.publish(id);
			await failSecond({ kind: 'latency', ms: 20_000 });
			expect((await fetch(`${n8n.n8n.url}/webhook/${how}`)).ok).toBe(true);
			await waitFor(async () => (await dialed())[1] || undefined, { seconds: 20 });
			const [{ id: executionId }] = await n8n.editor.executions(id);
			if (how === 'killed') {
				await n8n.restartN8n('SIGKILL');
			} else {
				await n8n.editor.request('POST', `/rest/executions/${executionId}/stop`);
			}
			expect((await ended(executionId)).status).toBe(how === 'killed' ? 'crashed' : 'canceled');
			// n8n writes a stopped execution once more.
			await sleep(1000);
			await retry(executionId);
			const beginsAnew = doesN8n(how === 'stopped' ? 'forgetsWhatAStoppedExecutionSent' : 'repeatsAKilledExecution');
			expect(await dialed()).toEqual(beginsAnew ? [2, 2, 1, 1] : [1, 1, 0, 0]);
		},
		90_000,
	);
});
