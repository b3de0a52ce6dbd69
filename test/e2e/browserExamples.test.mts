import { WAITING_TOOLTIP } from '../../nodes/VoiceAgentCalling/waiting/resumeWebhooks.ts';
import { readExample, withChoices } from '../../scripts/quickstart/examples.mts';
import { closeAfterTests, EditorPage, eventually } from './browser.mts';
import { Instance, type WorkflowNode } from './instance.mts';
import { type Clip, panelOnly, takePicture, themes } from './pictures.mts';

type Picture = 'queue-calls' | 'queue-call' | 'trigger' | 'summary' | 'waiting';

/** Where a workflow lies on the canvas, between n8n's own buttons. */
const canvas: Clip = { x: 110, y: 120, width: 1260, height: 690 };

let n8n: Instance;
let campaign: { __rl: true; mode: 'list'; value: string; cachedResultName: string };
let queueId: string;
let triggerId: string;
let manyId: string;
let agentId: string;

beforeAll(async () => {
	n8n = await Instance.share();
	const { active } = (await n8n.service.get('/_sandbox/seed')).data.campaigns;
	const { data } = await n8n.service.get(`/api/v1/campaigns/${active}`);
	campaign = { __rl: true, mode: 'list', value: active, cachedResultName: data.data.name };
	queueId = await save('queue-calls-for-contacts.json');
	triggerId = await save('react-to-campaign-events.json');
	manyId = await saveMany();
	agentId = await saveAgent();
}, 300_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** Saves an example with the campaign chosen from the list, as a person does. */
async function save(example: string): Promise<string> {
	const choices = { credential: n8n.credential, campaignId: campaign.value };
	const { id: _none, ...workflow } = withChoices(readExample(example), '', choices);
	const nodes = workflow.nodes.map((node) => {
		return node.parameters.campaign ? { ...node, parameters: { ...node.parameters, campaign } } : node;
	});
	const { id } = await n8n.editor.request<{ id: string }>('POST', '/rest/workflows', { ...workflow, nodes });
	return id;
}

/** A long list of contacts, with a duplicate and an invalid number. */
async function saveMany(): Promise<string> {
	const jsCode = `const numbers = Array.from({ length: 60 }, (_, index) => '+120255510' + String(index + 10));
return ['+12025551001', '+12025551001', '030 1234', ...numbers].map((phone) => ({ json: { phone } }));`;
	const nodes = [
		n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		n8n.node('Contacts', 'n8n-nodes-base.code', 2, { jsCode }),
		n8n.node('Queue Call', 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, {
			resource: 'campaign',
			operation: 'queueCall',
			campaign,
			phoneNumber: '={{ $json.phone }}',
			sending: { maxConcurrentRequests: 20 },
		}),
	];
	return await n8n.createWorkflow(
		'Many contacts',
		nodes.map((node) => ({ ...node, onError: 'continueRegularOutput' })),
		['Start', 'Contacts', 'Queue Call'],
	);
}

/** A call that begins late, and a published trigger that would receive its end. */
async function saveWaiting(): Promise<string> {
	const { published } = (await n8n.service.get('/_sandbox/seed')).data.agents;
	const agent = { __rl: true, mode: 'id', value: published };
	const events = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
	const trigger = n8n.trigger(campaign.value, { source: 'agent', agent, events });
	await n8n.editor.publish(await n8n.createWorkflow('Ends of calls', [trigger]));
	const call = n8n.node('Place and Wait', 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, {
		...{ resource: 'call', operation: 'placeAndWait', agent, phoneNumber: '+12025550111' },
		options: { delay: 3600 },
	});
	const start = n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {});
	return await n8n.createWorkflow('A call that is awaited', [start, call], ['Start', 'Place and Wait']);
}

/** An AI agent that may call a customer; no model answers here. */
async function saveAgent(): Promise<string> {
	const at = (node: WorkflowNode, x: number, y: number): WorkflowNode => ({ ...node, position: [x, y] });
	const nodes = [
		at(n8n.node('When a Customer Asks', '@n8n/n8n-nodes-langchain.chatTrigger', 1.4, {}), 0, 0),
		at(n8n.node('AI Agent', '@n8n/n8n-nodes-langchain.agent', 3, {}), 300, 0),
		at(
			n8n.node('Call the Customer', 'n8n-nodes-voice-agent-calling.voiceAgentCallingTool', 1, {
				resource: 'campaign',
				operation: 'queueCall',
				campaign,
				phoneNumber: "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Phone_Number', ``, 'string') }}",
			}),
			420,
			240,
		),
	];
	const connections = {
		'When a Customer Asks': { main: [[{ node: 'AI Agent', type: 'main', index: 0 }]] },
		'Call the Customer': { ai_tool: [[{ node: 'AI Agent', type: 'ai_tool', index: 0 }]] },
	};
	const body = { name: 'An agent that can call', nodes, connections, settings: {} };
	return (await n8n.editor.request<{ id: string }>('POST', '/rest/workflows', body)).id;
}

describe.each(themes)('In the %s theme', (theme) => {
	let editor: EditorPage;

	beforeAll(async () => {
		editor = await EditorPage.open(n8n, theme);
	}, 300_000);

	closeAfterTests(() => ({ editor }));

	const take = async (picture: Picture, clip: Clip) => await takePicture(editor, `${picture}-${theme}`, clip);

	test('the example that queues calls opens without a warning', async () => {
		await editor.openWorkflow(queueId, 4);
		expect(await editor.page.getByTestId('node-issues').count()).toBe(0);
		await take('queue-calls', canvas);
	}, 300_000);

	test('Queue Call shows its output as a table, and finds campaigns by text', async () => {
		// An earlier theme's calls would be there already.
		await n8n.service.post('/_sandbox/reset', {});
		await editor.openWorkflow(queueId, 4);
		await editor.page.getByTestId('execute-workflow-button').click();
		await editor.node('Queue Call').getByTestId('canvas-node-status-success').waitFor();
		const panel = await editor.openNode('Queue Call');
		await eventually(async () => expect(await panel.outputText('table')).toContain('+442079460123'));
		await take('queue-call', panelOnly);

		const entries = await panel.openList('campaign');
		await panel.searchList('Spring offer, B');
		await eventually(async () => {
			const found = await entries.allInnerTexts();
			expect(found.length).toBeGreaterThan(1);
			expect(found.filter((text) => !text.startsWith('Spring offer, B'))).toEqual([]);
		});
	}, 300_000);

	test('the hint above the output counts the calls and names the items that were not called', async () => {
		await n8n.service.post('/_sandbox/reset', {});
		await editor.openWorkflow(manyId, 3);
		await editor.page.getByTestId('execute-workflow-button').click();
		await editor.node('Queue Call').getByTestId('canvas-node-status-success').waitFor();
		const panel = await editor.openNode('Queue Call');
		await eventually(async () => expect(await panel.outputText('table')).toContain('+12025551001'));
		await take('summary', panelOnly);
		const text = await panel.outputText();
		expect(text).toContain(
			'61 test calls: no credits used; phones may still ring. 1 of 63 with the number of another item: item 1.',
		);
		expect(text).toContain('1 of 63 failed: item 2 (counted from 0).');
	}, 300_000);

	test('a waiting node says what it waits for, and what an event requires', async () => {
		await editor.openWorkflow(await saveWaiting(), 2);
		await editor.page.getByTestId('execute-workflow-button').click();
		await editor.node('Place and Wait').and(editor.page.locator('.waiting')).waitFor();
		const panel = await editor.openNode('Place and Wait');
		await eventually(async () => expect(await panel.outputText()).toContain(WAITING_TOOLTIP));
		expect(await panel.parameters.innerText()).toContain('needs a published Voice Agent Calling Trigger');
		await panel.parameters.getByText('An event needs a').first().scrollIntoViewIfNeeded();
		await take('waiting', panelOnly);
	}, 300_000);

	test('the trigger shows its webhook URLs', async () => {
		await editor.openWorkflow(triggerId, 1);
		const name = await editor.page
			.locator('[data-node-type$="voiceAgentCallingTrigger"]')
			.first()
			.getAttribute('data-node-name');
		const panel = await editor.openNode(String(name));
		await panel.parameters.getByText('Webhook URLs').click();
		await panel.parameters.locator('.webhook-url').waitFor();
		await take('trigger', panelOnly);
	}, 300_000);

	test("an AI agent's tool leaves the phone number to the model", async () => {
		await editor.openWorkflow(agentId, 3);
		const panel = await editor.openNode('Call the Customer');
		await panel.item('phoneNumber').getByText('Defined automatically by the model').waitFor();
	}, 300_000);
});
