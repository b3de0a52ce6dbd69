import { evaluate } from './evaluations.mts';
import { makeTable } from './example.mts';
import { byId, Instance, type WorkflowNode } from './instance.mts';

const numbers = ['+12025550111', '+12025550122', '+12025550133'];

let n8n: Instance;
let table: string;

beforeAll(async () => {
	n8n = await Instance.share();
	table = await makeTable(
		n8n,
		'Cases',
		numbers.map((phone) => ({ phone })),
	);
});

const call = () => n8n.placing(n8n.sandbox.agentId, { phoneNumber: '={{ $json.phone }}' });

/** Evaluates a node with one case for each number; gives the status of each case, and the calls. */
async function evaluated(node: WorkflowNode) {
	const metrics = { assignments: [{ id: 'one', name: 'calls', value: 1, type: 'number' }] };
	const source = { source: 'dataTable', dataTableId: byId(table) };
	const workflowId = await n8n.chain('Evaluated', [
		n8n.node('Cases', 'n8n-nodes-base.evaluationTrigger', 4.7, source),
		node,
		n8n.node('Metrics', 'n8n-nodes-base.evaluation', 4.7, {
			operation: 'setMetrics',
			metric: 'customMetrics',
			metrics,
		}),
	]);
	const { cases } = await evaluate(n8n, workflowId);
	const calls = (await n8n.dialed()).map(({ to, is_testing }) => [to, is_testing]);
	return { statuses: cases.map(({ status }) => status), calls };
}

const testCalls = numbers.map((number) => [number, true]);

test('An evaluation places a test call for each case, and so does its sub-workflow', async () => {
	expect(await evaluated(call())).toEqual({ statuses: Array(3).fill('success'), calls: testCalls });
	await n8n.service.post('/_sandbox/reset');
	expect((await evaluated(await n8n.subWorkflow([call()]))).calls).toEqual(testCalls);
});
