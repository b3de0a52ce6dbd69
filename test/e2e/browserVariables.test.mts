import { type EditorPage, withEditor } from './browser.mts';
import type { NodePanel } from './browserPanel.mts';
import { eventually } from './eventually.mts';
import { byId, type Instance, type WorkflowNode } from './instance.mts';

let n8n: Instance;
let editor: EditorPage;
/** The names of two agents with variables. */
let names: { greeter: string; asker: string };
let greeter: string;

withEditor(async (...opened) => {
	[editor, n8n] = opened;
	const path = '/api/v1/agents?status=published&direction=outbound';
	const list = async () => (await n8n.service.get<{ data: Array<{ id: string; name: string }> }>(path)).data.data;
	const [first] = await list();
	greeter = first.id;
	await n8n.givePrompt(greeter, 'Greet {{first_name}} of {{company}}.');
	const [asker] = (await list()).filter(({ id }) => id !== greeter);
	await n8n.givePrompt(asker.id, 'Ask for {{color}}.');
	names = { greeter: first.name, asker: asker.name };
});

/** Opens a node that places a call for one contact. */
async function open(parameters: object = {}, more?: Partial<WorkflowNode>): Promise<NodePanel> {
	const contact = { to: '+12025550111', first_name: 'Ada', company: 'ACME', iban: 'x', agent: greeter };
	const call = { resource: 'call', operation: 'place', phoneNumber: '={{ $json.to }}', testCall: 'always' };
	const contacts = n8n.given('Contacts', [contact]);
	return await editor.openOperation({ ...call, ...parameters }, [contacts], more);
}

const mapper = () => editor.page.getByTestId('resource-mapper-container');
const shows = async (...variables: string[]) => {
	const labels = editor.page.getByTestId('mapping-fields-container').locator('label[for]');
	await eventually(async () => {
		const columns = (await labels.allInnerTexts()).map((text) => text.trim().split('\n')[0]);
		expect(columns.slice(1)).toEqual(variables);
	});
};
const says = async (text: string | RegExp) =>
	await eventually(async () => expect(await editor.page.getByTestId('empty-fields-notice').innerText()).toMatch(text));

/** Executes the step; gives the variables of the calls that were placed. */
async function placedBy(panel: NodePanel): Promise<unknown[]> {
	const { length } = await n8n.placed();
	await panel.execute();
	await panel.says('initiated');
	return (await n8n.placed()).slice(length).map(({ body }) => body?.payload);
}

test('A chosen agent shows its variables as fields; Map Automatically names them and sends only these', async () => {
	const panel = await open();
	expect(await mapper().count()).toBe(0);
	await panel.pick('agent', names.greeter);
	await shows('first_name', 'company');
	await editor.page.getByTestId('mapping-mode-select').click();
	const modes = editor.page.locator('.el-select-dropdown__item');
	await modes.filter({ hasText: 'Map Automatically', visible: true }).click();
	await says(`Variables of ${names.greeter}: first_name, company.`);
	expect(await placedBy(panel)).toEqual([{ first_name: 'Ada', company: 'ACME' }]);
}, 300_000);

test('Another agent and a campaign show their variables, also before the previous nodes have run', async () => {
	const panel = await open();
	await panel.pick('agent', names.greeter);
	await shows('first_name', 'company');
	await panel.pick('agent', names.asker);
	await editor.closePanel();
	// With an expression that has no value yet, the editor does not read them again until the panel is opened again.
	await editor.openNode('Calling');
	await shows('color');
	await editor.closePanel();
	const queue = await open({ resource: 'campaign', operation: 'queueCall' });
	await queue.pick('campaign');
	await shows('first_name', 'company');
}, 300_000);

test('What is mapped stays when the agent comes from an expression and the workflow runs', async () => {
	const value = { first_name: '={{ $json.first_name }}', company: 'ACME' };
	const schema = Object.keys(value).map((id) => {
		return { id, displayName: id, type: 'string', required: false, display: true };
	});
	const panel = await open({
		agent: byId('={{ $json.agent }}'),
		agentVariables: { mappingMode: 'defineBelow', value, schema },
	});
	expect(await placedBy(panel)).toEqual([{ first_name: 'Ada', company: 'ACME' }]);
	// In the first run, the expression has a value for the first time: the editor must not clear the mapped values.
	const values = () => mapper().locator('.cm-content, input').filter({ visible: true });
	await eventually(async () => expect((await values().allInnerTexts()).join(' ')).toContain('$json.first_name'));
}, 300_000);
