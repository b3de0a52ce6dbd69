import { WAITING_TOOLTIP } from '../../nodes/VoiceAgentCalling/waiting/resume.ts';
import { contactsOf, readExample } from '../../scripts/lib/examples.mts';
import { type EditorPage, withEditor } from './browser.mts';
import { eventually } from './eventually.mts';
import { importExample, nodeOf } from './example.mts';
import { byId, type Instance } from './instance.mts';
import { type Clip, panelOnly, takePicture, themes, withoutInput } from './pictures.mts';

const NODE = 'Voice Agent Calling';
const example = 'queue-calls-for-contacts.json';
/** Where a workflow lies on the canvas, between n8n's own buttons. */
const canvas: Clip = { x: 110, y: 120, width: 1260, height: 690 };

describe.each(themes)('In the %s theme', (theme) => {
	let n8n: Instance;
	let editor: EditorPage;
	let campaign: { __rl: true; mode: 'list'; value: string; cachedResultName: string };

	withEditor(async (...opened) => {
		[editor, n8n] = opened;
		const { campaignId: value } = n8n.sandbox;
		const { data } = await n8n.service.get(`/api/v1/campaigns/${value}`);
		campaign = { __rl: true, mode: 'list', value, cachedResultName: data.data.name };
	}, theme);

	afterEach(() => expect(editor.takeErrors()).toEqual([]));

	/** Runs the workflow from the canvas; gives the panel of a node that has its status then. */
	async function run(name: string, status: string) {
		await editor.page.getByTestId('execute-workflow-button').click();
		await editor
			.node(name)
			.locator(status)
			.or(editor.node(name).and(editor.page.locator(status)))
			.first()
			.waitFor();
		return await editor.openNode(name);
	}

	test('the first test call takes at most five clicks and one number', async () => {
		await editor.openEmptyCanvas();
		await editor.openNodeList();
		const items = await editor.searchNodes(NODE);
		await items.filter({ has: editor.page.getByText(NODE, { exact: true }) }).click();
		// On an empty canvas, the list begins with the triggers.
		await editor.page.getByText(/^Actions \(\d+\)$/).click();
		await items.filter({ has: editor.page.getByText('Place call', { exact: true }) }).click();
		const panel = await editor.openedPanel();
		await editor.page.evaluate(`
			window.clicks = 0;
			addEventListener('click', ({ isTrusted }) => { clicks += isTrusted ? 1 : 0; }, true);
		`);
		await panel.pick('agent');
		// The panel is drawn anew when it is known that the agent has no variables.
		await editor.page.getByTestId('empty-fields-notice').waitFor();
		const number = panel.input('phoneNumber').locator('input');
		await number.click();
		await number.fill('+12025550111');
		await number.blur();
		await takePicture(editor, `first-call-filled-${theme}`, withoutInput);
		await panel.execute();
		await panel.says('1 test call placed: no credits used; the phone may still ring.');
		expect(await editor.page.evaluate('clicks')).toBeLessThanOrEqual(5);
		editor.takeErrors();
	}, 300_000);

	test('the example that queues calls shows one for each contact, as a table and as JSON, and a hint with their number', async () => {
		const id = await importExample(n8n, example, (workflow) => {
			nodeOf(workflow, 'Queue Call').parameters.campaign = campaign;
		});
		await editor.openWorkflow(id, 4);
		expect(await editor.page.getByTestId('node-issues').count()).toBe(0);
		await takePicture(editor, `queue-calls-${theme}`, canvas);
		const panel = await run('Queue Call', '[data-test-id="canvas-node-status-success"]');
		const contacts = contactsOf(readExample(example));
		const rows = panel.output.locator('tbody tr').filter({ hasText: 'queued' });
		await eventually(async () => {
			await panel.showOutputAs('table');
			expect(await rows.count()).toBe(contacts);
		});
		await takePicture(editor, `queue-call-${theme}`, panelOnly);
		await panel.says(`${contacts} test calls queued: no credits used`);
		const numbers = (await n8n.dialed()).slice(-contacts).map(({ to }) => String(to));
		expect(new Set(numbers).size).toBe(contacts);
		// n8n renders only the part of the JSON that is in view.
		const text = await panel.says(new RegExp(`${contacts} items([^]*"to": "\\+){2}`), 'json');
		expect(numbers).toEqual(expect.arrayContaining([...text.matchAll(/"to": "(.*?)"/g)].map(([, to]) => to)));
	}, 300_000);

	test('a waiting node says what it waits for, and that stopping the execution ends no call', async () => {
		const { agents } = (await n8n.service.get('/_sandbox/seed')).data;
		const agent = byId(agents.published);
		const events = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
		const trigger = n8n.trigger(campaign.value, { source: 'agent', agent, events });
		await n8n.editor.publish(await n8n.createWorkflow('Ends of calls', [trigger]));
		const call = { resource: 'call', operation: 'placeAndWait', agent, phoneNumber: '+12025550111' };
		const name = 'Place and Wait';
		await (await editor.openOperation({ ...call, options: { delay: 3600 } }, [], { name })).close();
		const panel = await run(name, '.waiting');
		await panel.says(WAITING_TOOLTIP);
		await panel.parameters.getByText('Stopping the execution does not end its calls').scrollIntoViewIfNeeded();
		await takePicture(editor, `waiting-${theme}`, withoutInput);
	}, 300_000);
});
