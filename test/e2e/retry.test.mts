import { waitFor } from '../../scripts/lib/waiting.mts';
import { Instance, type WorkflowNode } from './instance.mts';

let n8n: Instance;

beforeAll(async () => {
	n8n = await Instance.start();
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

const isOver = ({ status }: { status: string }) => !['new', 'running', 'waiting'].includes(status);

/** Waits for an execution to end; gives it. */
async function finished(id: string) {
	const ask = async () => {
		const execution = await n8n.editor.execution(id);
		return isOver(execution) ? execution : undefined;
	};
	return await waitFor(ask, { seconds: 20 });
}

test('Retry in the list of executions dials nobody again whose call was sent', async () => {
	const { agents } = (await n8n.service.get('/_sandbox/seed')).data;
	const numbers = ['+12025550111', '+12025550122', '+12025550133'];
	const nodes: WorkflowNode[] = [
		n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		n8n.node('Numbers', 'n8n-nodes-base.code', 2, {
			jsCode: `return ${JSON.stringify(numbers.map((to) => ({ json: { to } })))};`,
		}),
		n8n.node('Call', 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, {
			resource: 'call',
			operation: 'place',
			agent: { __rl: true, mode: 'id', value: agents.published },
			phoneNumber: '={{ $json.to }}',
		}),
	];
	const id = await n8n.createWorkflow('Retried', nodes, ['Start', 'Numbers', 'Call']);
	const path = `/api/v1/agents/${agents.published}/call`;
	await n8n.service.post('/_sandbox/faults', { match: { path }, kind: 'drop-after' });

	const first = await finished(await n8n.editor.run(id, 'Start'));
	expect(first?.status).toBe('error');
	const { id: retryId } = await n8n.editor.request<{ id: string }>('POST', `/rest/executions/${first?.id}/retry`, { loadWorkflow: false });
	expect((await finished(retryId))?.status).toBe('error');

	const { data: requests } = await n8n.service.get<Array<{ path: string; body: { to: string } }>>('/_sandbox/requests');
	const dialled = requests.filter((request) => request.path === path).map(({ body }) => body.to);
	expect(dialled.sort()).toEqual(numbers);
}, 60_000);
