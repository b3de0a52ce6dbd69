import { join } from 'node:path';

import { closeAfterTests, EditorPage, eventually } from './browser.mts';
import type { NodePanel } from './browserPanel.mts';
import { Instance } from './instance.mts';

const NODE = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';

let n8n: Instance;
let editor: EditorPage;
/** The names of two agents with variables. */
let names: { greeter: string; asker: string };
let greeter: string;

beforeAll(async () => {
	n8n = await Instance.share();
	const path = '/api/v1/agents?status=published&direction=outbound';
	const list = async () => (await n8n.service.get<{ data: Array<{ id: string; name: string }> }>(path)).data.data;
	const [first] = await list();
	greeter = first.id;
	await n8n.givePrompt(greeter, 'Greet {{first_name}} of {{company}}.');
	const [asker] = (await list()).filter(({ id }) => id !== greeter);
	await n8n.givePrompt(asker.id, 'Ask for {{color}}.');
	names = { greeter: first.name, asker: asker.name };
	editor = await EditorPage.open(n8n);
}, 300_000);

closeAfterTests(() => ({ editor, n8n }));

/** Keeps a picture of the panel, to look at. */
async function picture(name: string): Promise<void> {
	await editor.page.screenshot({ path: join(n8n.folder, `variables-${name}.png`) });
}

/** Opens a workflow whose node places a call for one contact. */
async function open(name: string, parameters: object = {}, credentials?: object): Promise<NodePanel> {
	const contacts = {
		jsCode:
			'return [{ json: { to: "+12025550111", first_name: "Ada", company: "ACME", iban: "x", agent: "' +
			greeter +
			'" } }];',
	};
	const call = n8n.node('Call', NODE, 1, {
		resource: 'call',
		operation: 'place',
		phoneNumber: '={{ $json.to }}',
		testCall: 'always',
		...parameters,
	});
	const nodes = [
		n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		n8n.node('Contacts', 'n8n-nodes-base.code', 2, contacts),
		{ ...call, ...credentials },
	];
	const id = await n8n.createWorkflow(name, nodes, ['Start', 'Contacts', 'Call']);
	await editor.openWorkflow(id, 3);
	return await editor.openNode('Call');
}

const mapper = () => editor.page.getByTestId('resource-mapper-container');
const notice = () => editor.page.getByTestId('empty-fields-notice');
const columns = async () =>
	(await editor.page.getByTestId('mapping-fields-container').locator('label[for]').allInnerTexts()).map(
		(text) => text.trim().split('\n')[0],
	);
const shows = async (...variables: string[]) =>
	await eventually(async () => expect((await columns()).slice(1)).toEqual(variables));
const says = async (text: string) => await eventually(async () => expect(await notice().innerText()).toContain(text));

async function pick(panel: NodePanel, agent: string): Promise<void> {
	const entries = await panel.openList('agent');
	await entries.filter({ hasText: agent }).first().click();
	await eventually(async () => expect(await panel.value('agent')).toContain(agent));
	await picture('picked');
}

async function mapAutomatically(): Promise<void> {
	await editor.page.getByTestId('mapping-mode-select').click();
	await editor.page
		.locator('.el-select-dropdown__item')
		.filter({ hasText: 'Map Automatically', visible: true })
		.click();
}

test('A chosen agent shows its variables as fields; Map Automatically names them and sends only these', async () => {
	const panel = await open('Variables');
	await picture('no-agent');
	expect(await mapper().count()).toBe(0);
	await pick(panel, names.greeter);
	await shows('first_name', 'company');
	await picture('columns');
	await mapAutomatically();
	await says('Variables of the agent: first_name, company.');
	await picture('automatic');
	const { length } = await n8n.requests();
	await panel.execute();
	await eventually(async () => expect(await panel.outputText()).toContain('initiated'));
	const sent = (await n8n.requests()).slice(length).filter(({ method }) => method === 'POST');
	expect(sent.map(({ body }) => (body as { payload: unknown }).payload)).toEqual([
		{ first_name: 'Ada', company: 'ACME' },
	]);
	await picture('automatic-run');
}, 300_000);

test('Another agent shows other variables, also before the previous nodes have run', async () => {
	const panel = await open('Another agent', { phoneNumber: '+12025550111' });
	await pick(panel, names.greeter);
	await shows('first_name', 'company');
	await pick(panel, names.asker);
	await shows('color');
	await editor.closePanel();

	// With an expression that has no value yet, the editor does not read them again until the panel is opened again.
	const other = await open('Another agent, with an expression');
	await pick(other, names.greeter);
	await shows('first_name', 'company');
	await pick(other, names.asker);
	await editor.closePanel();
	await editor.openNode('Call');
	await shows('color');
	await picture('other-agent');
}, 300_000);

test('A chosen campaign shows the variables of its agent', async () => {
	const panel = await open('Campaign', { resource: 'campaign', operation: 'queueCall' });
	expect(await mapper().count()).toBe(0);
	const entries = await panel.openList('campaign');
	await entries.first().click();
	await shows('first_name', 'company');
	await picture('campaign');
}, 300_000);

test('An agent given by its ID shows its variables', async () => {
	const panel = await open('By ID');
	await panel.enterId('agent', greeter);
	await shows('first_name', 'company');
}, 300_000);

test('A variable without a value is named in the error, and nobody is called', async () => {
	const column = (id: string) => ({ id, displayName: id, type: 'string', required: false, display: true });
	const agent = { __rl: true, mode: 'list', value: greeter, cachedResultName: names.greeter };
	const value = { first_name: '={{ $json.firstname }}', company: '={{ $json.company }}' };
	const schema = Object.keys(value).map(column);
	const panel = await open('Missing', { agent, agentVariables: { mappingMode: 'defineBelow', value, schema } });
	const { length } = await n8n.requests();
	await panel.execute();
	await eventually(async () =>
		expect(await panel.outputText()).toContain('variables of the agent have no value: first_name'),
	);
	await picture('missing');
	expect((await n8n.requests()).slice(length).filter(({ method }) => method === 'POST')).toEqual([]);
	editor.takeErrors();
}, 300_000);

test('An agent without variables has a sentence in place of fields', async () => {
	const panel = await open('None');
	await n8n.givePrompt(greeter, 'Say hello.');
	await pick(panel, names.greeter);
	await says('The agent has no variables. For other names, use Options');
	await picture('none');
	await n8n.givePrompt(greeter, 'Greet {{first_name}} of {{company}}.');
}, 300_000);

test('A wrong token has its reason in the field', async () => {
	const id = await n8n.createCredential('Wrong token', 'voiceAgentCallingApi', {
		baseUrl: n8n.sandbox.url,
		environmentToken: 'another',
	});
	const agent = { __rl: true, mode: 'id', value: greeter };
	const credentials = { credentials: { voiceAgentCallingApi: { id, name: 'Wrong token' } } };
	await open('Wrong token', { agent }, credentials);
	await says('The variables cannot be read.');
	expect(await notice().innerText()).toMatch(/token/i);
	await picture('wrong-token');
	editor.takeErrors();
}, 300_000);

test('What is mapped stays when the agent comes from an expression and the workflow runs', async () => {
	const column = (id: string) => ({ id, displayName: id, type: 'string', required: false, display: true });
	const value = { first_name: '={{ $json.first_name }}', company: 'ACME' };
	const agentVariables = { mappingMode: 'defineBelow', value, schema: Object.keys(value).map(column) };
	const agent = { __rl: true, mode: 'id', value: '={{ $json.agent }}' };
	const panel = await open('Expression', { agent, agentVariables });
	const { length } = await n8n.requests();
	await panel.execute();
	await eventually(async () => expect(await panel.outputText()).toContain('initiated'));
	await picture('expression');
	// In the first run, the expression has a value for the first time: the editor must not clear the mapped values.
	await eventually(async () => expect(await mapper().innerText()).toContain('first_name'));
	const values = () => mapper().locator('.cm-content, input').filter({ visible: true });
	await eventually(async () => expect((await values().allInnerTexts()).join(' ')).toContain('$json.first_name'));
	const sent = (await n8n.requests()).slice(length).filter(({ method }) => method === 'POST');
	expect(sent.map(({ body }) => (body as { payload: unknown }).payload)).toEqual([
		{ first_name: 'Ada', company: 'ACME' },
	]);
}, 300_000);
