import { contactsOf, readExample, withChoices } from '../../scripts/quickstart/examples.mts';
import { closeAfterTests, EditorPage, eventually } from './browser.mts';
import { Instance, type WorkflowNode } from './instance.mts';

const own = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';
const example = readExample('queue-calls-for-contacts.json');

/** More than the picker loads at a time. */
const moreCampaigns = 60;

let n8n: Instance;
let editor: EditorPage;
let seed: { agents: { published: string }; campaigns: { active: string } };

beforeAll(async () => {
	n8n = await Instance.share();
	editor = await EditorPage.open(n8n);
	seed = (await n8n.service.get('/_sandbox/seed')).data;
	for (let number = 1; number <= moreCampaigns; number++) {
		await createCampaign(`Regional offer ${number}`);
	}
}, 300_000);

closeAfterTests(() => ({ editor, n8n }));

async function createCampaign(name: string): Promise<void> {
	await n8n.service.post('/api/v1/campaigns', {
		name,
		campaign_type: 'sales',
		agent_id: seed.agents.published,
		start_date: '2027-01-01',
		days_of_week: [1, 2, 3, 4, 5],
		timezone: 'UTC',
		call_time_ranges: [{ start: '09:00', end: '17:00' }],
	});
}

/** Opens a workflow of a start and one node of this package, and that node's panel. */
async function openWith(parameters: Record<string, unknown>) {
	const start = n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {});
	const node: WorkflowNode = { ...n8n.node('Calling', own, 1, parameters), position: [300, 0] };
	await editor.openWorkflow(await n8n.createWorkflow('Pickers', [start, node], ['Start', 'Calling']), 2);
	return await editor.openNode('Calling');
}

/** Opens the example with its campaign chosen, and with a change in its text if wanted. */
async function openExample(change: (text: string) => string = (text) => text): Promise<void> {
	const choices = { credential: n8n.credential, campaignId: seed.campaigns.active };
	const workflow = withChoices(example, '', choices);
	const { id: _none, ...body } = JSON.parse(change(JSON.stringify(workflow)));
	const { id } = await n8n.editor.request<{ id: string }>('POST', '/rest/workflows', body);
	await editor.openWorkflow(id, 4);
}

/** The numbers that the sandbox was asked to call. */
async function queuedNumbers(): Promise<string[]> {
	const { data } =
		await n8n.service.get<Array<{ method: string; path: string; body: { to: string } }>>('/_sandbox/requests');
	return data.filter(({ method, path }) => method === 'POST' && path.endsWith('/call')).map(({ body }) => body.to);
}

describe('A picker', () => {
	test('loads more campaigns when its list is scrolled to the end', async () => {
		const panel = await openWith({ resource: 'campaign', operation: 'get' });
		const entries = await panel.openList('campaign');
		// n8n reads the second page by itself where the first one leaves room.
		const first = await entries.count();
		expect([50, 100]).toContain(first);
		await entries.last().scrollIntoViewIfNeeded();
		await eventually(async () => expect(await entries.count()).toBeGreaterThan(first));
		await eventually(async () => {
			await entries.last().scrollIntoViewIfNeeded();
			expect(await entries.filter({ hasText: `Regional offer ${moreCampaigns}` }).count()).toBe(1);
		});
		expect(editor.takeErrors()).toEqual([]);
	}, 300_000);

	test('finds a campaign by text, and the choice survives a change of the operation', async () => {
		const panel = await openWith({ resource: 'campaign', operation: 'get' });
		const entries = await panel.openList('campaign');
		await panel.searchList('Regional offer 42');
		await eventually(async () => expect(await entries.allInnerTexts()).toEqual(['Regional offer 42']));
		await entries.click();
		await eventually(async () => expect(await panel.value('campaign')).toBe('Regional offer 42'));

		for (const operation of ['Set Status', 'Queue Call', 'Get']) {
			await panel.choose('operation', operation);
			await eventually(async () => expect(await panel.value('campaign')).toBe('Regional offer 42'));
		}
		await eventually(async () => expect(await panel.issues()).toEqual([]));
		await panel.execute();
		await eventually(async () => expect(await panel.outputText('json')).toContain('"name": "Regional offer 42"'));
		expect(editor.takeErrors()).toEqual([]);
	}, 300_000);

	test('keeps the phone number when Queue Call is changed to Place', async () => {
		const panel = await openWith({ resource: 'campaign', operation: 'queueCall', phoneNumber: '+12025550111' });
		await panel.choose('resource', 'Call');
		await eventually(async () => expect(await panel.value('operation')).toBe('Place'));
		await eventually(async () => expect(await panel.value('phoneNumber')).toBe('+12025550111'));
		expect(editor.takeErrors()).toEqual([]);
	}, 300_000);

	test('finds an agent by text, and offers only published agents for placing a call', async () => {
		const { data } = await n8n.service.get(`/api/v1/agents/${seed.agents.published}`);
		const list = await n8n.service.get('/api/v1/agents?status=published&direction=outbound&per_page=100');
		const names = (list.data.data as Array<{ name: string }>).map(({ name }) => name);
		const panel = await openWith({ resource: 'call', operation: 'place' });
		const entries = await panel.openList('agent');
		await panel.searchList(data.data.name);
		await eventually(async () => {
			const found = (await entries.allInnerTexts()).map((text) => text.trim());
			expect(found.length).toBeGreaterThan(0);
			expect(names).toEqual(expect.arrayContaining(found));
		});
		await entries.first().click();
		await eventually(async () => expect(await panel.value('agent')).toContain(data.data.name));
		expect(editor.takeErrors()).toEqual([]);
	}, 300_000);

	test('takes an ID instead of a choice', async () => {
		const panel = await openWith({ resource: 'campaign', operation: 'get' });
		await panel.enterId('campaign', seed.campaigns.active);
		await eventually(async () => expect(await panel.issues()).toEqual([]));
		await panel.execute();
		await eventually(async () => expect(await panel.outputText('json')).toContain(`"id": "${seed.campaigns.active}"`));
		expect(editor.takeErrors()).toEqual([]);
	}, 300_000);
});

describe('The example that queues calls, run from the editor', () => {
	test('shows one queued call for each contact, as a table and as JSON', async () => {
		await openExample();
		await editor.page.getByTestId('execute-workflow-button').click();
		await editor.node('Queue Call').getByTestId('canvas-node-status-success').waitFor();
		const panel = await editor.openNode('Queue Call');
		const contacts = contactsOf(example);
		const rows = panel.output.locator('tbody tr').filter({ hasText: 'queued' });
		await eventually(async () => {
			await panel.showOutputAs('table');
			expect(await rows.count()).toBe(contacts);
		});
		const numbers = await queuedNumbers();
		expect(numbers).toHaveLength(contacts);
		await eventually(async () => {
			// n8n renders only the part of the JSON that is in view.
			const text = await panel.outputText('json');
			expect(text).toContain(`${contacts} items`);
			expect(numbers.filter((number) => text.includes(`"to": "${number}"`)).length).toBeGreaterThan(1);
		});
		expect(await editor.alarms()).toEqual([]);
		expect(editor.takeErrors()).toEqual([]);
	}, 300_000);

	test('names the invalid number and the fix, and calls nobody', async () => {
		const before = await queuedNumbers();
		await openExample((text) => text.replace('+442079460003', '020 7946 0003'));
		await editor.page.getByTestId('execute-workflow-button').click();
		await editor.node('Queue Call').getByTestId('canvas-node-status-mark-error').waitFor();
		const panel = await editor.openNode('Queue Call');
		const message = panel.output.getByTestId('node-error-message');
		await eventually(async () => expect(await message.innerText()).toMatch(/Phone Number.*020 7946 0003.*\[item 2\]/));
		expect(await panel.output.getByTestId('node-error-description').innerText()).toContain(
			'with + and the country code',
		);
		expect(await queuedNumbers()).toEqual(before);
		expect(editor.takeErrors()).toEqual([]);
	}, 300_000);
});
