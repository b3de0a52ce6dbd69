import { comes } from './eventually.mts';
import { authorization, publishForm, submitForm } from './example.mts';
import { Instance } from './instance.mts';

const NAME = 'Amelia in production';

let n8n: Instance;
let workflowId: string;
let form: string;

beforeAll(async () => {
	n8n = await Instance.share();
	({ form, workflowId } = await publishForm(n8n, 'promote-an-agent.json', 'Promote an Agent'));
});

/** Asks for a promotion; gives the ID of the execution, once it has a status. */
async function ask(name: string, phone: string, wanted: string): Promise<string> {
	const count = (await n8n.editor.executions(workflowId)).length + 1;
	expect(await submitForm(form, [name, phone], { authorization })).toBe(200);
	return await comes(async () => {
		const executions = await n8n.editor.executions(workflowId);
		return executions.length === count && executions[0]?.status === wanted && executions[0].id;
	}, `an execution that is ${wanted}`);
}

/** Asks, and decides as Grace. @returns the ID of the execution, and the plan and the page with which she decides */
async function askAndDecide(name: string, phone: string, decision: string) {
	const id = await ask(name, phone, 'waiting');
	const before = (await writes()).length;
	const [{ link, plan } = {}] = await n8n.outputOf(id, 'Tell the Approver');
	const page = await (await fetch(String(link))).text();
	expect(await writes()).toHaveLength(before);
	expect(await submitForm(String(link), [decision, 'Grace'])).toBe(200);
	expect(await n8n.ended(id)).toBe('success');
	return { id, plan, page };
}

/** The requests that change something. */
const writes = async () => (await n8n.requests()).filter(({ method }) => method !== 'GET');

/** The agent in production. */
const promoted = async () => (await n8n.service.get('/api/v1/agents', { params: { search: NAME } })).data.data[0];

test('An agent is created in production once a person has approved the plan, and not before', async () => {
	const { id, plan, page } = await askAndDecide(NAME, '+12025550145', 'Approve');
	expect(plan).toContain('1. Create agent (no agent has the name)');
	expect(page).toContain(`Promote ${NAME} to production?`);
	expect(page).toContain('Create action');
	const [applied] = await n8n.outputOf(id, 'Apply to Production');
	expect(applied).toMatchObject({ dryRun: false, creates: true, changed: true });
	expect(await promoted()).toMatchObject({
		id: applied?.agentId,
		phone_numbers: [{ number: '+12025550145' }],
		actions: [{ name: 'book_appointment' }],
	});
});

test('A change is sent after the approval, and the published agent is published again', async () => {
	const agent = `/api/v1/agents/${(await promoted()).id}`;
	await n8n.service.post(`${agent}/publish`);
	await n8n.service.put(`/api/v1/agents/${n8n.sandbox.agentId}/calling`, { direction: 'inbound' });
	const before = (await writes()).length;
	await askAndDecide(NAME, '', 'Approve');
	const sent = (await writes()).slice(before).map(({ method, path }) => `${method} ${path}`);
	expect(sent).toEqual([`PUT ${agent}/calling`, `POST ${agent}/publish`]);
	const phone_numbers = [{ number: '+12025550145' }];
	expect(await promoted()).toMatchObject({ direction: 'inbound', current_status: 'published', phone_numbers });
});

test('Nothing is sent after a rejection, without a difference, or with a problem', async () => {
	const before = (await writes()).length;
	const rejected = await askAndDecide('Another one', '', 'Reject');
	expect(await n8n.outputOf(rejected.id, 'Rejected')).toHaveLength(1);
	const nothing = async (id: string) => await n8n.outputOf(id, 'Nothing to Approve');
	expect(await nothing(await ask(NAME, '', 'success'))).toMatchObject([{ problems: [], changes: 0 }]);
	const problems = [{ path: 'calling.phone_numbers' }];
	expect(await nothing(await ask('Another one', '+12025550100', 'success'))).toMatchObject([{ problems }]);
	expect(await writes()).toHaveLength(before);
});
