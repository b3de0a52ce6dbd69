import { until } from '../../scripts/lib/waiting.mts';
import { Instance, type WorkflowNode } from './instance.mts';

let n8n: Instance;
let agent: string;
let table: string;

const numbers = ['+12025550111', '+12025550122', '+12025550133', '+12025550144', '+12025550155'];

beforeAll(async () => {
	n8n = await Instance.start();
	agent = (await n8n.service.get('/_sandbox/seed')).data.agents.published;
	const project = await n8n.editor.request<{ id: string }>('GET', '/rest/projects/personal');
	const tables = `/rest/projects/${project.id}/data-tables`;
	const columns = [{ name: 'phone', type: 'string' }];
	({ id: table } = await n8n.editor.request<{ id: string }>('POST', tables, { name: 'Cases', columns }));
	const data = numbers.map((phone) => ({ phone }));
	await n8n.editor.request('POST', `${tables}/${table}/insert`, { data, returnType: 'count' });
}, 120_000);
beforeEach(async () => await n8n.service.post('/_sandbox/reset'));
afterAll(async () => await n8n?.stop(), 30_000);

const call = (more = {}) => n8n.placing(agent, { phoneNumber: '={{ $json.phone }}', ...more });

/** Evaluates nodes with one case for each number; gives the status of each case. */
async function evaluate(nodes: WorkflowNode[]): Promise<string[]> {
	const dataTableId = { __rl: true, mode: 'id', value: table };
	const all = [
		n8n.node('Cases', 'n8n-nodes-base.evaluationTrigger', 4.7, { source: 'dataTable', dataTableId }),
		...nodes,
		n8n.node('Metrics', 'n8n-nodes-base.evaluation', 4.7, {
			operation: 'setMetrics',
			metric: 'customMetrics',
			metrics: { assignments: [{ id: 'one', name: 'calls', value: 1, type: 'number' }] },
		}),
	];
	const workflowId = await n8n.createWorkflow(
		'Evaluated',
		all,
		all.map((node) => node.name),
	);
	const runs = `/rest/workflows/${workflowId}/test-runs`;
	await n8n.editor.request('POST', `${runs}/new`, {});
	return await until(
		async () => {
			const [run] = await n8n.editor.request<Array<{ id: string; status: string }>>('GET', runs);
			if (run === undefined || ['new', 'running'].includes(run.status)) {
				return undefined;
			}
			const cases = await n8n.editor.request<Array<{ status: string }>>('GET', `${runs}/${run.id}/test-cases`);
			return cases.map(({ status }) => status);
		},
		{ seconds: 60, otherwise: () => new Error('The evaluation does not end') },
	);
}

/** The number and whether it is a test call, of each call that was sent. */
async function sent(): Promise<unknown[]> {
	return (await n8n.placed()).map(({ body }) => [body?.to, body?.is_testing]);
}

const testCalls = numbers.map((number) => [number, true]);

test('An evaluation places a test call for each case', async () => {
	expect(await evaluate([call()])).toEqual(numbers.map(() => 'success'));
	expect(await sent()).toEqual(testCalls);
}, 90_000);

test('A sub-workflow of an evaluation places test calls, too', async () => {
	const begins = n8n.node('Begins', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
	const value = await n8n.createWorkflow('Sub-workflow', [begins, call()], ['Begins', 'Call']);
	await n8n.editor.publish(value);
	const workflowId = { __rl: true, mode: 'id', value };
	await evaluate([n8n.node('Run it', 'n8n-nodes-base.executeWorkflow', 1.2, { workflowId, options: {} })]);
	expect(await sent()).toEqual(testCalls);
}, 90_000);

test('A node that would wait by event fails in an evaluation before it calls anybody', async () => {
	expect(await evaluate([call({ operation: 'placeAndWait', waitBy: 'event' })])).toEqual(numbers.map(() => 'error'));
	expect(await sent()).toEqual([]);
}, 90_000);
