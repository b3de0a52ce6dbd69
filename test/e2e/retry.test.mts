import { setTimeout as sleep } from 'node:timers/promises';

import { Instance, type WorkflowNode } from './instance.mts';

const numbers = ['+12025550111', '+12025550122', '+12025550133', '+12025550144'];

let n8n: Instance;

beforeAll(async () => {
	n8n = await Instance.share();
});

beforeEach(async () => await n8n.service.post('/_sandbox/reset'));

/** The start, the numbers, and a node that calls them one after the other. */
function calling(more: object = {}): WorkflowNode[] {
	// Not every n8n says of a Retry whether its root was a test.
	const parameters = { phoneNumber: '={{ $json.to }}', testCall: 'always', sending: { maxConcurrentRequests: 1 } };
	const people = n8n.given(
		'Numbers',
		numbers.map((to) => ({ to })),
	);
	return [n8n.manualStart(), people, { ...n8n.placing(n8n.sandbox.agentId, parameters), ...more }];
}

/** Lets the first call through, then does something to the second one. */
async function failSecond(fault: object): Promise<void> {
	const path = `/api/v1/agents/${n8n.sandbox.agentId}/call`;
	await n8n.fault('POST', path, { kind: 'latency', ms: 0 });
	await n8n.fault('POST', path, fault);
}

/** Retry in the list of executions, with the workflow as it was, or as it is saved now. */
async function retry(executionId: string, workflow: 'original' | 'saved' = 'original') {
	const body = { loadWorkflow: workflow === 'saved' };
	await n8n.editor.request('POST', `/rest/executions/${executionId}/retry`, body);
	// An older n8n does not answer with the ID of the retry.
	const path = '/rest/executions?limit=100';
	const { results } = await n8n.editor.request<{ results: Array<{ id: string; retryOf?: string }> }>('GET', path);
	const retries = results.filter(({ retryOf }) => retryOf === executionId);
	const id = String(Math.max(...retries.map((one) => Number(one.id))));
	return { id, status: await n8n.ended(id) };
}

/** How often each number was sent to the service. */
async function dialed(): Promise<number[]> {
	const requests = await n8n.dialed();
	return numbers.map((number) => requests.filter(({ to }) => to === number).length);
}

describe('Retry in the list of executions', () => {
	test('calls no number again that was sent, and calls the others once the saved workflow continues on errors', async () => {
		await failSecond({ kind: 'drop-after' });
		const { id, workflowId } = await n8n.runOnce(calling().slice(1));
		expect([(await retry(id)).status, (await retry(id, 'saved')).status]).toEqual(['error', 'error']);
		expect(await dialed()).toEqual([1, 1, 0, 0]);
		const nodes = calling({ onError: 'continueRegularOutput' });
		await n8n.editor.request('PATCH', `/rest/workflows/${workflowId}`, { nodes });
		expect((await retry(id, 'saved')).status).toBe('success');
		// But not the one whose outcome is unknown.
		expect(await dialed()).toEqual([1, 1, 1, 1]);
	});

	test('calls the refused number and those after it; a Retry of the Retry continues from there', async () => {
		await failSecond({ kind: 'status', status: 403, times: 2 });
		const first = await n8n.runOnce(calling().slice(1));
		const second = await retry(first.id);
		expect([second.status, await dialed()]).toEqual(['error', [1, 2, 0, 0]]);
		expect([(await retry(second.id)).status, await dialed()]).toEqual(['success', [1, 3, 1, 1]]);
	});
});

describe('n8n ends an execution at its time limit, in the middle of its calls', () => {
	/** @returns the ID of the execution that has ended, after it has placed a call and while it places the second */
	async function runsOutOfTime(onError: string): Promise<string> {
		const workflowId = await n8n.chain('Time limit', calling({ onError }));
		await n8n.editor.request('PATCH', `/rest/workflows/${workflowId}`, { settings: { executionTimeout: 4 } });
		await failSecond({ kind: 'latency', ms: 20_000 });
		const { id, status } = await n8n.run(workflowId, 'Start');
		expect([status, await dialed()]).toEqual(['canceled', [1, 1, 0, 0]]);
		// n8n writes it once more.
		await sleep(1000);
		return id;
	}

	test('Retry calls the others, and nobody twice', async () => {
		expect(await retry(await runsOutOfTime('continueRegularOutput'))).toMatchObject({ status: 'success' });
		expect(await dialed()).toEqual([1, 1, 1, 1]);
	});

	test('with On Error set to stop, Retry calls nobody and names who was not called', async () => {
		const { id, status } = await retry(await runsOutOfTime('stopWorkflow'));
		expect([status, await dialed()]).toEqual(['error', [1, 1, 0, 0]]);
		expect((await n8n.editor.execution(id)).data).toContain('2 not tried (sheet rows 4-5)');
	});
});

test('Retry On Fail of Execute Sub-workflow calls everybody again, as the page about sending warns', async () => {
	const [, people, place] = calling();
	const fails = n8n.node('Fails', 'n8n-nodes-base.stopAndError', 1, { errorMessage: 'A node after the calls fails.' });
	const sub = await n8n.subWorkflow([people!, place!, fails]);
	const again = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	expect((await n8n.runOnce([{ ...sub, ...again }])).status).toBe('error');
	expect(await dialed()).toEqual([2, 2, 2, 2]);
});
