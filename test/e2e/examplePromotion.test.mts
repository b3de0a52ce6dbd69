import { until } from '../../scripts/lib/waiting.mts';
import { importExample, nodeOf, submitForm } from './example.mts';
import { outputOf } from './executionData.mts';
import { Instance, type SandboxRequest } from './instance.mts';

const authorization = `Basic ${Buffer.from('ada:form-2').toString('base64')}`;

let n8n: Instance;
let workflowId: string;
let form: string;

beforeAll(async () => {
	n8n = await Instance.share();
	const data = { user: 'ada', password: 'form-2' };
	const id = await n8n.createCredential('Promotion', 'httpBasicAuth', data);
	workflowId = await importExample(n8n, 'promote-an-agent.json', (workflow) => {
		const node = Object(nodeOf(workflow, 'Promote an Agent'));
		form = `${n8n.n8n.url}/form/${String(node.webhookId)}`;
		node.credentials = { httpBasicAuth: { id, name: 'Promotion' } };
	});
	await n8n.editor.publish(workflowId);
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** Submits a form, which n8n takes. */
async function submit(...form: Parameters<typeof submitForm>): Promise<void> {
	expect(await submitForm(...form)).toBe(200);
}

const ask = async (...values: string[]) => await submit(form, values, { authorization });

/** The newest execution, once it has a status. */
async function newest(count: number, wanted: string): Promise<string> {
	let last: unknown;
	const look = async () => {
		const executions = await n8n.editor.executions(workflowId);
		last = executions;
		const [first] = executions.toSorted((one, other) => Number(other.id) - Number(one.id));
		return executions.length === count && first.status === wanted ? first.id : undefined;
	};
	return await until(look, { seconds: 40, otherwise: () => new Error(`The executions are ${JSON.stringify(last)}`) });
}

/** The requests that change something. */
async function writes(): Promise<SandboxRequest[]> {
	return (await n8n.requests()).filter(({ method }) => method !== 'GET');
}

/** The agent with a name. */
async function agentNamed(name: string): Promise<Record<string, unknown> | undefined> {
	const { data } = await n8n.service.get('/api/v1/agents', { params: { search: name } });
	return data.data[0];
}

test('An agent is created in production once a person has approved the plan, and not before', async () => {
	await ask('Amelia in production', '+12025550145');
	const id = await newest(1, 'waiting');
	expect(await writes()).toEqual([]);
	const [{ link, plan }] = await outputOf(n8n.editor, id, 'Tell the Approver');
	expect(plan).toContain('1. Create agent (no agent has the name)');
	const page = await (await fetch(String(link))).text();
	expect(page).toContain('Promote Amelia in production to production?');
	expect(page).toContain('Create action');
	await submit(String(link), ['Approve', 'Grace']);
	await newest(1, 'success');
	const [applied] = await outputOf(n8n.editor, id, 'Apply to Production');
	expect(applied).toMatchObject({ dryRun: false, creates: true, changed: true });
	const agent = await agentNamed('Amelia in production');
	expect(agent).toMatchObject({
		id: applied.agentId,
		phone_numbers: [{ number: '+12025550145' }],
		actions: [{ name: 'book_appointment' }],
	});
	expect((await writes()).map(({ body }) => body?.speak_on_send).filter(Boolean)).toEqual(['One moment, please.']);
}, 120_000);

test('A change is sent after the approval, and the published agent is published again', async () => {
	const { id: agentId } = Object(await agentNamed('Amelia in production'));
	await n8n.service.post(`/api/v1/agents/${agentId}/publish`);
	await n8n.service.put(`/api/v1/agents/${n8n.sandbox.agentId}/calling`, { direction: 'inbound' });
	const before = (await writes()).length;
	await ask('Amelia in production', '');
	const id = await newest(2, 'waiting');
	const [{ link }] = await outputOf(n8n.editor, id, 'Tell the Approver');
	await submit(String(link), ['Approve', 'Grace']);
	await newest(2, 'success');
	expect((await writes()).slice(before).map(({ method, path }) => [method, path])).toEqual([
		['PUT', `/api/v1/agents/${agentId}/calling`],
		['POST', `/api/v1/agents/${agentId}/publish`],
	]);
	expect(await agentNamed('Amelia in production')).toMatchObject({
		direction: 'inbound',
		current_status: 'published',
		phone_numbers: [{ number: '+12025550145' }],
	});
}, 120_000);

test('Nothing is sent after a rejection, without a difference, or with a problem', async () => {
	const before = (await writes()).length;
	await ask('Another one', '');
	const rejected = await newest(3, 'waiting');
	const [{ link }] = await outputOf(n8n.editor, rejected, 'Tell the Approver');
	await submit(String(link), ['Reject', 'Grace']);
	await newest(3, 'success');
	expect(await outputOf(n8n.editor, rejected, 'Rejected')).toHaveLength(1);

	await ask('Amelia in production', '');
	const same = await newest(4, 'success');
	expect(await outputOf(n8n.editor, same, 'Nothing to Approve')).toMatchObject([{ problems: [], changes: 0 }]);

	await ask('Another one', '+12025550100');
	const wrong = await newest(5, 'success');
	expect(await outputOf(n8n.editor, wrong, 'Nothing to Approve')).toMatchObject([
		{ problems: [{ path: 'calling.phone_numbers' }] },
	]);
	expect((await writes()).slice(before)).toEqual([]);
}, 120_000);
