import { join } from 'node:path';
import type { Locator } from 'playwright-core';

import { closeAfterTests, EditorPage, eventually } from './browser.mts';
import type { NodePanel } from './browserPanel.mts';
import { Instance } from './instance.mts';
import { panelOnly, takePicture, themes } from './pictures.mts';

const NODE = 'Voice Agent Calling';

let n8n: Instance;

/** Gives the agent of the seed two variables. */
async function addVariables(): Promise<void> {
	const { published } = (await n8n.service.get('/_sandbox/seed')).data.agents;
	await n8n.givePrompt(published, 'Greet {{first_name}} of {{company}}.');
}

beforeAll(async () => {
	n8n = await Instance.share();
}, 300_000);

afterAll(async () => await n8n?.stop(), 30_000);

describe.each(themes)('In the %s theme', (theme) => {
	let editor: EditorPage;

	beforeAll(async () => {
		editor = await EditorPage.open(n8n, theme);
	}, 300_000);

	closeAfterTests(() => ({ editor }));

	/** Keeps a picture, to look at. */
	async function picture(name: string): Promise<void> {
		await editor.page.screenshot({ path: join(n8n.folder, `first-call-${name}-${theme}.png`) });
	}

	/** Counts the clicks and the typed characters in the page from now on. */
	async function countEffort(): Promise<() => Promise<{ clicks: number; characters: number }>> {
		await editor.page.evaluate(`
			if (!window.effort) {
				addEventListener('click', ({ isTrusted }) => { effort.clicks += isTrusted ? 1 : 0; }, true);
				addEventListener('keydown', ({ key }) => { effort.characters += key.length === 1 ? 1 : 0; }, true);
			}
			window.effort = { clicks: 0, characters: 0 };
		`);
		return async () => await editor.page.evaluate('window.effort');
	}

	/** Chooses the first entry of a picker. */
	async function pickFirst(panel: NodePanel, parameter: string): Promise<void> {
		const entries = await panel.openList(parameter);
		await entries.first().click();
		await eventually(async () => expect(await panel.value(parameter)).not.toBe(''));
	}

	/** Waits until the panel shows the variables of what was chosen: it is drawn anew then. */
	async function variablesShown(): Promise<void> {
		await editor.page.getByTestId('mapping-fields-container').locator('label[for]').first().waitFor();
	}

	/** Drags a field of the input to a parameter, as a person does. */
	async function dragField(field: string, target: Locator): Promise<void> {
		const { page } = editor;
		await target.scrollIntoViewIfNeeded();
		const pill = page.getByTestId('ndv-input-panel').locator('[data-target="mappable"]');
		await pill.filter({ hasText: field }).first().hover();
		await page.mouse.down();
		const box = await target.boundingBox();
		if (!box) {
			throw new Error(`There is no place to drag "${field}" to.`);
		}
		await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 10 });
		await page.mouse.up();
		await eventually(async () => expect(await target.innerText()).toContain(field));
	}

	test('the first test call takes at most five clicks and one number', async () => {
		await n8n.service.post('/_sandbox/reset', {});
		await editor.openEmptyCanvas();
		await picture('canvas');
		await editor.openNodeList();
		const items = await editor.searchNodes(NODE);
		await items.filter({ has: editor.page.getByText(NODE, { exact: true }) }).click();
		// On an empty canvas, the list begins with the triggers.
		await editor.page.getByText(/^Actions \(\d+\)$/).click();
		await picture('actions');
		await items.filter({ has: editor.page.getByText('Place call (rings a phone)', { exact: true }) }).click();
		const panel = await editor.openedPanel();
		await picture('panel');

		const effort = await countEffort();
		await pickFirst(panel, 'agent');
		// The panel is drawn anew when it is known that the agent has no variables.
		await editor.page.getByTestId('empty-fields-notice').waitFor();
		const number = panel.input('phoneNumber').locator('input');
		await number.click();
		await number.fill('+12025550111');
		await number.blur();
		await picture('filled');
		await takePicture(editor, `first-call-filled-${theme}`, panelOnly);
		await panel.execute();
		const hint = '1 test call: no credits used; the phone may still ring.';
		await eventually(async () => expect(await panel.outputText()).toContain(hint));
		await picture('result');
		const { clicks } = await effort();
		expect(clicks).toBeLessThanOrEqual(5);
		await eventually(async () => expect(await panel.outputText('table')).toContain('+12025550111'));
		await takePicture(editor, `first-call-result-${theme}`, panelOnly);
	}, 300_000);

	test('ten contacts are queued with two variables and metadata, and no expression is typed', async () => {
		const jsCode = `return Array.from({ length: 10 }, (_, index) => ({
	json: { phone: '+1202555' + (2000 + index), first_name: 'Ada ' + index, company: 'ACME', contact_id: 'c' + index },
}));`;
		const nodes = [
			n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			n8n.node('Contacts', 'n8n-nodes-base.code', 2, { jsCode }),
			n8n.node('Queue', 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, {
				resource: 'campaign',
				operation: 'queueCall',
			}),
		];
		await n8n.service.post('/_sandbox/reset', {});
		await addVariables();
		await editor.openWorkflow(await n8n.createWorkflow('Ten contacts', nodes, ['Start', 'Contacts', 'Queue']), 3);
		const panel = await editor.openNode('Queue');
		const effort = await countEffort();
		await editor.page.getByTestId('execute-previous-node').click();
		await editor.page
			.getByTestId('ndv-input-panel')
			.locator('[data-target="mappable"]')
			.filter({ hasText: 'phone' })
			.first()
			.waitFor();
		await pickFirst(panel, 'campaign');
		await variablesShown();
		await dragField('phone', panel.input('phoneNumber'));
		await editor.page.getByTestId('mapping-mode-select').click();
		await editor.page
			.locator('.el-select-dropdown__item')
			.filter({ hasText: 'Map Automatically', visible: true })
			.click();
		await panel.addToCollection('options', 'Metadata');
		await panel.addRow('metadataFields');
		await panel.parameters.getByTestId('parameter-input-name').last().click();
		await editor.page.keyboard.type('contact');
		await dragField('contact_id', panel.parameters.getByTestId('parameter-input-value').last());
		await picture('contacts');
		const { length } = await n8n.requests();
		await panel.execute();
		const hint = '10 test calls: no credits used; phones may still ring.';
		await eventually(async () => expect(await panel.outputText()).toContain(hint));
		await panel.showOutputAs('table');
		await picture('queued');
		const sent = (await n8n.requests()).slice(length).filter(({ method }) => method === 'POST');
		// Several are sent at the same time.
		const ordered = sent.sort((one, other) => (String(one.body?.to) < String(other.body?.to) ? -1 : 1));
		expect(ordered.map(({ body }) => [body?.payload, body?.context])).toEqual(
			Array.from({ length: 10 }, (_, index) => [
				{ first_name: `Ada ${index}`, company: 'ACME' },
				{ contact: `c${index}` },
			]),
		);
		const { clicks, characters } = await effort();
		expect(clicks).toBeLessThanOrEqual(12);
		expect(characters).toBe('contact'.length);
	}, 300_000);
});
