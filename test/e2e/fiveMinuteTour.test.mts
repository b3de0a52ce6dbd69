import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { WorkflowFile } from '../../scripts/lib/examples.mts';
import { cache } from '../../scripts/lib/places.mts';
import { type EditorPage, withEditor } from './browser.mts';
import type { NodePanel } from './browserPanel.mts';
import { eventually } from './eventually.mts';
import { importExample } from './example.mts';
import { Film } from './film.mts';
import type { Instance } from './instance.mts';
import { images } from './pictures.mts';

const NODE = 'Voice Agent Calling';
const PACKAGE = 'n8n-nodes-voice-agent-calling';
const longestSeconds = 300;
/** It is a part of the documentation. */
const largestBytes = 3_000_000;

let n8n: Instance;
let editor: EditorPage;
let film: Film;
let campaign: { __rl: true; mode: 'list'; value: string; cachedResultName: string };

withEditor(async (...opened) => {
	[editor, n8n] = opened;
	const { published } = (await n8n.service.get('/_sandbox/seed')).data.agents;
	await n8n.givePrompt(published, 'Greet {{name}}.');
	const { data } = (await n8n.service.get(`/api/v1/campaigns/${n8n.sandbox.campaignId}`)).data;
	campaign = { __rl: true, mode: 'list', value: n8n.sandbox.campaignId, cachedResultName: data.name };
	// The tour enters its own.
	await n8n.editor.request('DELETE', `/rest/credentials/${n8n.credential.id}`);
	editor.page.setDefaultTimeout(30_000);
	film = new Film(editor.page, join(cache, 'tour'));
	await film.start();
});

/** Uses the credential that was entered in the editor from now on. */
async function useNewCredential(): Promise<void> {
	[n8n.credential] = await n8n.editor.request<Array<typeof n8n.credential>>('GET', '/rest/credentials');
}

/** Chooses the first entry of a picker. */
async function pickFirst(panel: NodePanel, parameter: string): Promise<void> {
	await film.pointAt(panel.input(parameter).getByTestId('rlc-input'));
	const entries = await panel.openList(parameter);
	await film.click(entries.first());
	await eventually(async () => expect(await panel.value(parameter)).not.toBe(''));
}

/** Chooses the campaign by its name, as a person does. */
function choose(nodes: WorkflowFile['nodes']): void {
	for (const { parameters } of nodes.filter(({ parameters }) => 'campaign' in parameters)) {
		parameters.campaign = campaign;
	}
}

/** Opens a workflow, and shows all of it. */
async function show(id: string, nodes: number): Promise<void> {
	await editor.openWorkflow(id, nodes);
	await editor.page.getByTestId('zoom-to-fit').click();
	await editor.page.waitForLoadState('networkidle');
}

async function close(panel: NodePanel): Promise<void> {
	await film.click(editor.page.getByTestId('ndv-close-button'));
	await panel.parameters.waitFor({ state: 'hidden' });
}

test('the whole way from the installation to a campaign', async () => {
	const { page } = editor;
	await film.say(
		'Voice Agent Calling for n8n, in a few minutes. Everything here runs against a sandbox: no phone rings.',
	);

	const install = page.getByRole('button', { name: /install/i }).first();
	await film.cut(async () => {
		await page.goto(`${n8n.n8n.url}/settings/community-nodes`);
		await install.waitFor();
		await page.waitForLoadState('networkidle');
	});
	await film.say('1. Install: open Settings, then Community nodes, and select Install.');
	await film.click(install);
	await film.type(page.locator('input[name="packageNameInput"]'), PACKAGE);
	await film.click(page.getByRole('dialog').getByRole('checkbox'));
	await film.pointAt(page.getByTestId('install-community-package-button'));
	await film.say('Enter the name of the package, agree, and select Install.');
	await film.picture('install');
	await film.say('This n8n has the package already: it was installed from the folder of the project.');
	await page.keyboard.press('Escape');

	const types = page.getByTestId('new-credential-type-select');
	await film.cut(async () => {
		await page.goto(`${n8n.n8n.url}/home/credentials/create`);
		await types.waitFor();
		await page.waitForLoadState('networkidle');
	});
	await film.say('2. Credential: create one for the Voice Agent Calling API.');
	await film.type(types.locator('input'), 'Voice Agent');
	await film.click(page.getByTestId('new-credential-type-select-option').first());
	await film.click(page.getByTestId('new-credential-type-button'));
	const credential = page.getByTestId('editCredential-modal');
	await credential.waitFor();
	const field = (name: string) => credential.getByTestId(`parameter-input-${name}`).locator('input').first();
	await film.say('Enter the address of the service and the token of your environment. Here it is the sandbox.');
	await film.type(field('baseUrl'), n8n.sandbox.url);
	await film.type(field('environmentToken'), n8n.sandbox.token);
	await film.click(page.getByTestId('credential-save-button'));
	await credential.getByText('Connection tested successfully').waitFor();
	await film.pointAt(credential.getByText('Connection tested successfully'));
	await film.say('n8n tests address and token when you save the credential.');
	await film.picture('credential');
	await useNewCredential();

	await film.cut(async () => await editor.openEmptyCanvas());
	await film.say('3. First call: add the node, and choose the action Place call.');
	await film.click(page.getByTestId('node-creator-plus-button'));
	const search = page.getByTestId('node-creator-search-bar');
	await film.type(search, NODE);
	const items = page.getByTestId('item-iterator-item');
	await film.click(items.filter({ has: page.getByText(NODE, { exact: true }) }));
	await film.click(page.getByText(/^Actions \(\d+\)$/));
	await film.picture('actions');
	await film.click(items.filter({ has: page.getByText('Place call (rings a phone)', { exact: true }) }));
	const call = await editor.openedPanel();
	await film.say('Choose the agent that speaks.');
	await pickFirst(call, 'agent');
	await page.getByTestId('resource-mapper-container').waitFor();
	await page.waitForLoadState('networkidle');
	await film.say('Each placeholder of its prompt is a field below Agent Variables.');
	await film.type(page.getByTestId('mapping-fields-container').locator('input').last(), 'Ada');
	const number = call.input('phoneNumber').locator('input');
	await film.type(number, '+12025550111');
	await number.blur();
	await film.say('Enter a phone number with its country code, and execute the step.');
	await film.picture('first-call-filled');
	await film.click(page.getByTestId('node-execute-button'));
	await call.says('1 test call: no credits used');
	await film.say('Executed by hand, it is a test call: it uses no credits. The output says what was placed.');
	await film.picture('first-call-result');
	await close(call);

	const react = await film.cut(async () => {
		const id = await importExample(n8n, 'react-to-campaign-events.json', ({ nodes }) => choose(nodes));
		await show(id, 5);
		return id;
	});
	await film.say('4. Trigger: this example starts with each event of a campaign.');
	await film.picture('trigger-workflow');
	await film.pointAt(editor.node('Campaign Events'));
	const trigger = await editor.openNode('Campaign Events');
	await film.say('Choose the campaign and its events. The trigger registers its own webhook.');
	await film.say('It refuses what the service has not signed.');
	await film.picture('trigger');
	await close(trigger);
	await film.click(page.getByTestId('workflow-open-publish-modal-button'));
	await film.click(page.getByTestId('workflow-publish-button'));
	await n8n.webhooksWhen(n8n.sandbox.campaignId, (webhooks) => webhooks.length > 0);
	await film.say('Published, it listens for events.');
	await page.keyboard.press('Escape');

	await film.cut(async () => {
		await show(await importExample(n8n, 'queue-calls-for-contacts.json', ({ nodes }) => choose(nodes)), 4);
	});
	await film.say('5. Campaign: another example queues a call for each contact of a list.');
	await film.picture('campaign');
	await film.click(page.getByTestId('execute-workflow-button'));
	await editor.node('Queue Call').getByTestId('canvas-node-status-success').waitFor();
	await film.pointAt(editor.node('Queue Call'));
	const queue = await editor.openNode('Queue Call');
	await film.click(queue.output.getByTestId('radio-button-table'));
	await queue.says('+442079460123');
	await film.say('Five contacts, five calls. The campaign dials them by its own schedule.');
	await film.picture('campaign-result');
	await close(queue);

	await film.cut(async () => {
		await n8n.finished(react, 5);
		await page.goto(`${n8n.n8n.url}/workflow/${react}/executions`);
		await page.waitForLoadState('networkidle');
	});
	await film.say('What happens in each call comes back as an event, and starts the other workflow.');
	await film.picture('events');
	await film.say('Next: more examples, and a page for each task, in the documentation.');

	const { file, seconds } = await film.finish(process.env.FFMPEG_PATH ?? 'ffmpeg');
	console.log(`${file}: ${Math.round(seconds)} seconds, ${Math.round(statSync(file).size / 1000)} kB`);
	expect(seconds).toBeLessThan(longestSeconds);
	expect(statSync(file).size).toBeGreaterThan(100_000);
	expect(statSync(file).size).toBeLessThan(largestBytes);
	copyFileSync(file, join(images, 'tour.webm'));
}, 900_000);
