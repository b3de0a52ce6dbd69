import type { Locator } from 'playwright-core';

import { agentEvents, campaignEvents } from '../../nodes/shared/events/eventTypes.ts';
import { type EditorPage, withEditor } from './browser.mts';
import { eventually } from './eventually.mts';
import { byId, type Instance } from './instance.mts';

const nodeName = 'Voice Agent Calling';

let n8n: Instance;
let editor: EditorPage;
let campaigns: { active: string; completed: string };

withEditor(async (...opened) => {
	[editor, n8n] = opened;
	({ campaigns } = (await n8n.service.get('/_sandbox/seed')).data);
});

afterEach(async () => await editor.expectNoErrors());

/** The entry for this package in a list of nodes. */
function entryIn(items: Locator): Locator {
	return items.filter({ has: editor.page.getByText(nodeName, { exact: true }) });
}

/** Expects n8n to serve the icon of a node in a list or on the canvas. */
async function expectIcon(place: Locator): Promise<void> {
	const source = await place.locator('img').first().getAttribute('src');
	const picture = await editor.page.request.get(new URL(String(source), n8n.n8n.url).href);
	expect(picture.status()).toBe(200);
	expect(picture.headers()['content-type']).toContain('image/svg+xml');
	expect(await picture.text()).toContain('<svg');
}

async function onCanvas(type: string): Promise<Locator> {
	const node = editor.page.locator(
		`[data-test-id="canvas-node"][data-node-type="n8n-nodes-voice-agent-calling.${type}"]`,
	);
	await node.waitFor();
	return node;
}

describe('In the list of nodes', () => {
	beforeEach(async () => {
		await editor.openEmptyCanvas();
		await editor.openNodeList();
	}, 300_000);

	test('a search for what people call it finds the nodes, with their icon', async () => {
		for (const text of [
			nodeName,
			'dial',
			'ai call',
			'call center',
			'ring',
			'stop calls',
			'hang up',
			'cancel calls',
			'emergency',
		]) {
			// The results of the previous search have to be gone.
			await entryIn(await editor.searchNodes('zqxj')).waitFor({ state: 'hidden' });
			await entryIn(await editor.searchNodes(text)).waitFor();
		}
		await expectIcon(entryIn(await editor.searchNodes('ring')));
	}, 300_000);

	test('the trigger of agents and that of campaigns are added by a click', async () => {
		const items = await editor.searchNodes(nodeName);
		await entryIn(items).click();
		const triggers = items.filter({ hasText: /^On / });
		await eventually(async () =>
			expect(await triggers.allInnerTexts()).toEqual(['On agent call event', 'On campaign event']),
		);
		await triggers.first().click();
		const trigger = await editor.openedPanel();
		await eventually(async () => expect(await trigger.value('source')).toBe('Agent Call Event'));
		const byDefault = agentEvents.filter(({ name }) => /^(Phone Call (Did|Ended|Error)|Voicemail Detected)/.test(name));
		expect((await trigger.input('events').innerText()).split(/\s*\n\s*/)).toEqual(byDefault.map(({ name }) => name));
		await trigger.close();
		await expectIcon(await onCanvas('voiceAgentCallingTrigger'));
	}, 300_000);
});

test('the trigger shows its test and production URLs, and its events are chosen from a list with their meanings', async () => {
	const trigger = n8n.trigger(campaigns.active);
	await editor.openWorkflow(await n8n.createWorkflow('Trigger', [trigger]));
	const chosen = ['Campaign Call Completed', 'Campaign Call Failed'];
	await eventually(async () => expect(await editor.node(trigger.name).innerText()).toContain(chosen.join(', ')));
	const panel = await editor.openNode(trigger.name);
	await panel.parameters.getByText('Webhook URLs').click();
	const shown = panel.parameters.locator('.webhook-url');
	for (const [form, path] of Object.entries({ production: 'webhook', test: 'webhook-test' })) {
		await panel.parameters.getByTestId(`radio-button-${form}`).click();
		const url = `${n8n.n8n.url}/${path}/${String(trigger.webhookId)}/webhook`;
		await eventually(async () => expect((await shown.innerText()).trim()).toBe(url));
	}
	await panel.input('events').locator('.el-select__caret').click();
	const entries = editor.page.locator('.el-select-dropdown__item').filter({ visible: true });
	await entries.first().waitFor();
	const texts = (await entries.allInnerTexts()).map((text) => text.trim().split(/\s*\n\s*/));
	expect(texts).toEqual(campaignEvents.map(({ name, description }) => [name, description]));
	await editor.page.keyboard.press('Escape');
	const another = 'Call Transcript Ready';
	expect(await panel.chooseAnother('events', another)).toEqual([...chosen, another]);
	expect(await panel.issues()).toEqual([]);
}, 300_000);

test.each(['resource', 'operation'])(
	'Custom API Call, which n8n adds to the list %s, hides the fields and refers to the HTTP Request node',
	async (list) => {
		const call = n8n.action('Call', { resource: 'call', operation: 'place', agent: byId(n8n.sandbox.agentId) });
		await editor.openWorkflow(await n8n.createWorkflow('Custom', [call]));
		const panel = await editor.openNode(call.name);
		expect(await panel.labels()).toContain('Phone Number');
		await panel.choose(list, 'Custom API Call');
		await panel.parameters.getByText('node to make a custom API call').waitFor();
		await eventually(async () => expect(await panel.labels()).not.toContain('Phone Number'));
	},
	300_000,
);

test('a trigger of a finished campaign can be published, and the panel says what still arrives', async () => {
	const trigger = n8n.trigger(campaigns.completed);
	const id = await n8n.createWorkflow('Finished', [trigger]);
	await editor.openWorkflow(id);
	await editor.openNode(trigger.name);
	await editor.page.getByText('only events of calls in progress still arrive').waitFor();
	await n8n.editor.publish(id);
	await n8n.soleWebhook(campaigns.completed);
	editor.takeErrors();
}, 300_000);

test('the node can be added to an AI agent as a tool, with the number left to the model', async () => {
	const agent = {
		...n8n.node('AI Agent', '@n8n/n8n-nodes-langchain.agent', 3, {}),
		position: [300, 0] as [number, number],
	};
	const start = n8n.node('Chat', '@n8n/n8n-nodes-langchain.chatTrigger', 1.4, {});
	await editor.openWorkflow(await n8n.createWorkflow('Agent', [start, agent], ['Chat', 'AI Agent']), 2);
	const toolInput = editor.node('AI Agent').locator('[data-connection-type="ai_tool"]');
	await toolInput.getByTestId('canvas-handle-plus').click();
	const tool = editor.page.getByTestId('item-iterator-item').filter({ hasText: `${nodeName} Tool` });
	// The list opens at once, and clears its search when it turns into the list of tools.
	await eventually(async () => {
		await editor.searchNodes('');
		await editor.searchNodes(nodeName);
		await tool.waitFor({ timeout: 2_000 });
	});
	await expectIcon(tool);
	await tool.click();

	const panel = await editor.openedPanel();
	await panel.item('toolDescription').waitFor();
	await panel.item('phoneNumber').getByTestId('from-ai-override-button').click();
	await panel.item('phoneNumber').getByText('Defined automatically by the model').waitFor();
	await panel.close();
	await onCanvas('voiceAgentCallingTool');
}, 300_000);
