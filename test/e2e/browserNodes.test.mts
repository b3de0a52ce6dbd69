import type { Locator } from 'playwright-core';

import { agentEvents, campaignEvents } from '../../nodes/shared/fields/eventKinds.ts';
import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { closeAfterTests, EditorPage, eventually } from './browser.mts';
import { Instance } from './instance.mts';

const nodeName = 'Voice Agent Calling';

/** What the list of nodes calls the operation that queues a call. */
const queueAction = String(
	new VoiceAgentCalling().description.properties
		.flatMap(({ options = [] }) => options)
		.flatMap((option) => ('action' in option && option.value === 'queueCall' ? [option.action] : []))[0],
);

let n8n: Instance;
let editor: EditorPage;

beforeAll(async () => {
	n8n = await Instance.share();
	editor = await EditorPage.open(n8n);
}, 300_000);

closeAfterTests(() => ({ editor, n8n }));

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

function expectNoComplaints(): void {
	expect(editor.takeErrors()).toEqual([]);
}

describe('In the list of nodes', () => {
	beforeAll(async () => {
		await editor.openEmptyCanvas();
		await editor.openNodeList();
	}, 300_000);

	test.each([
		...[nodeName, 'voice', 'dial', 'phone', 'telephony', 'ai call', 'outbound', 'voip', 'call center', 'appointment'],
		'ring',
	])(
		'a search for "%s" finds the nodes, with their icon',
		async (text) => {
			// The results of the previous search have to be gone.
			await entryIn(await editor.searchNodes('zqxj')).waitFor({ state: 'hidden' });
			const entry = entryIn(await editor.searchNodes(text));
			await entry.waitFor();
			await expectIcon(entry);
			expectNoComplaints();
		},
		300_000,
	);

	test('the trigger of agents and that of campaigns are added by a click, the action node by dragging an action', async () => {
		await editor.openEmptyCanvas();
		await editor.openNodeList();
		const items = await editor.searchNodes(nodeName);
		await entryIn(items).click();
		const triggers = items.filter({ hasText: /^On / });
		await eventually(async () =>
			expect(await triggers.allInnerTexts()).toEqual(['On agent call event', 'On campaign event']),
		);
		await triggers.first().click();

		const trigger = await editor.openedPanel();
		await eventually(async () => expect(await trigger.value('source')).toBe('Agent Call Event'));
		const byDefault = agentEvents.filter(({ name }) => /^Phone Call (Did|Ended|Error)/.test(name));
		expect((await trigger.input('events').innerText()).split(/\s*\n\s*/)).toEqual(byDefault.map(({ name }) => name));
		await trigger.close();
		await expectIcon(await onCanvas('voiceAgentCallingTrigger'));

		await editor.openNodeList();
		await entryIn(await editor.searchNodes(nodeName)).click();
		const action = items.filter({ has: editor.page.getByText(queueAction, { exact: true }) });
		await action.waitFor();
		const actions = await items.allInnerTexts();
		expect(actions.indexOf('Place call (rings a phone)')).toBeLessThan(8);
		await action.dragTo(editor.page.getByTestId('canvas-wrapper'), { targetPosition: { x: 700, y: 650 } });
		const panel = await editor.openedPanel();
		await eventually(async () =>
			expect([await panel.value('resource'), await panel.value('operation')]).toEqual(['Campaign', 'Queue Call']),
		);
		await panel.close();
		await expectIcon(await onCanvas('voiceAgentCalling'));
		expectNoComplaints();
	}, 300_000);
});

test('the trigger shows its test and production URLs, and its events are chosen from a list', async () => {
	const { active } = (await n8n.service.get('/_sandbox/seed')).data.campaigns;
	const trigger = n8n.trigger(active);
	await editor.openWorkflow(await n8n.createWorkflow('Trigger', [trigger]));
	const panel = await editor.openNode(trigger.name);
	await panel.parameters.getByText('Webhook URLs').click();
	const shown = panel.parameters.locator('.webhook-url');
	for (const [form, path] of [
		['production', 'webhook'],
		['test', 'webhook-test'],
	]) {
		await panel.parameters.getByTestId(`radio-button-${form}`).click();
		const url = `${n8n.n8n.url}/${path}/${String(trigger.webhookId)}/webhook`;
		await eventually(async () => expect((await shown.innerText()).trim()).toBe(url));
	}
	expect(await panel.labels()).toEqual(expect.arrayContaining(['Trigger On', 'Campaign', 'Events']));
	expect(await panel.chooseAnother('events', 'Call Transcript Ready')).toEqual([
		'Campaign Call Completed',
		'Campaign Call Failed',
		'Call Transcript Ready',
	]);
	expect(await panel.issues()).toEqual([]);
	expectNoComplaints();
}, 300_000);

test('the list of events shows the type and the meaning of each, and the canvas their names', async () => {
	const { active } = (await n8n.service.get('/_sandbox/seed')).data.campaigns;
	const trigger = n8n.trigger(active);
	await editor.openWorkflow(await n8n.createWorkflow('Events', [trigger]));
	await eventually(async () =>
		expect(await editor.node(trigger.name).innerText()).toContain('Campaign Call Completed, Campaign Call Failed'),
	);
	const panel = await editor.openNode(trigger.name);
	await panel.input('events').locator('.el-select__caret').click();
	const entries = editor.page.locator('.el-select-dropdown__item').filter({ visible: true });
	await entries.first().waitFor();
	const texts = (await entries.allInnerTexts()).map((text) => text.trim().split(/\s*\n\s*/));
	expect(texts).toEqual(campaignEvents.map(({ name, description }) => [name, description]));
	await editor.page.keyboard.press('Escape');
	expectNoComplaints();
}, 300_000);

test('a trigger of a finished campaign can be published, and the panel says what still arrives', async () => {
	const { completed } = (await n8n.service.get('/_sandbox/seed')).data.campaigns;
	const trigger = n8n.trigger(completed);
	const id = await n8n.createWorkflow('Finished', [trigger]);
	await editor.openWorkflow(id);
	const panel = await editor.openNode(trigger.name);
	await editor.page.getByText('only events of calls in progress still arrive').waitFor();
	await panel.execute();
	await eventually(async () => expect(await n8n.webhooks(completed)).toHaveLength(1));
	await n8n.editor.publish(id);
	await eventually(async () => {
		const urls = (await n8n.webhooks(completed)).map(({ webhook_url: url }) => String(url));
		expect(urls).toContainEqual(expect.stringContaining('/webhook/'));
	});
	await panel.close();
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
	await eventually(async () => {
		expect(await panel.labels()).toEqual(
			expect.arrayContaining(['Tool Description', 'Resource', 'Operation', 'Agent', 'Phone Number']),
		);
	});
	const letTheModelDecide = panel.item('phoneNumber').getByTestId('from-ai-override-button');
	await letTheModelDecide.click();
	await panel.item('phoneNumber').getByText('Defined automatically by the model').waitFor();
	await panel.close();
	const name = await (await onCanvas('voiceAgentCallingTool')).getAttribute('data-node-name');
	const connection = `[data-test-id="edge"][data-source-node-name="${name}"][data-target-node-name="AI Agent"]`;
	await editor.page.locator(connection).waitFor({ state: 'attached' });
	expectNoComplaints();
}, 300_000);
