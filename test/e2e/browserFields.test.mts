import { NodeHelpers, type INodeProperties, type INodeParameters } from 'n8n-workflow';
import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { eventually, EditorPage } from './browser.mts';
import type { NodePanel } from './browserPanel.mts';
import { Instance } from './instance.mts';

// An editor in a browser has its moments: what fails is shown and tried once more, what fails twice has failed.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

const { description } = new VoiceAgentCalling();
const { properties } = description;
const defaults = Object.fromEntries(properties.map(({ name, default: value }) => [name, value])) as INodeParameters;

interface Choice {
	name: string;
	value: string | number | boolean;
}

function choices({ options = [] }: INodeProperties): Choice[] {
	return options.flatMap((option) => ('value' in option ? [{ name: option.name, value: option.value }] : []));
}

const resourceNames = new Map(choices(properties[0]).map(({ name, value }) => [value, name]));

/** Every operation that the node describes, with the words of its lists. */
const operations = properties
	.filter(({ name }) => name === 'operation')
	.flatMap((property) => {
		const resource = String(property.displayOptions?.show?.resource?.[0]);
		return choices(property).map(({ name, value }) => ({
			resource,
			operation: value,
			resourceName: String(resourceNames.get(resource)),
			operationName: name,
			nodeName: `${String(resourceNames.get(resource))} ${name}`,
		}));
	});

/** The parameters that the description shows for these values. */
function shownFor(values: INodeParameters): INodeProperties[] {
	return properties.filter((property) => NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, description));
}

const namesOf = (shown: INodeProperties[]) => shown.map(({ displayName }) => displayName);

/** Whether other parameters come and go with this one. */
function steers({ name }: INodeProperties): boolean {
	return properties.some(({ displayOptions }) => displayOptions?.show && name in displayOptions.show);
}

/** Required, and not filled in yet: n8n marks these. */
function isMissing({ required, default: value }: INodeProperties): boolean {
	return required === true && (value === '' || (typeof value === 'object' && value !== null && 'mode' in value));
}

let n8n: Instance;
let editor: EditorPage;

beforeAll(async () => {
	n8n = await Instance.start();
	editor = await EditorPage.open(n8n);
	const type = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';
	const nodes = operations.map(({ nodeName }, index) => ({
		...n8n.node(nodeName, type, 1, {}),
		position: [(index % 5) * 260, Math.floor(index / 5) * 220] as [number, number],
	}));
	await editor.openWorkflow(await n8n.createWorkflow('Every operation', nodes), nodes.length);
}, 180_000);

// A panel that a failed test left open would hide the canvas from the next one.
afterEach(async () => await editor.closePanel());

afterAll(async () => {
	await editor?.close();
	await n8n?.stop();
}, 30_000);

/** Goes through all that other parameters depend on, and back. */
async function switchAll(panel: NodePanel, values: INodeParameters): Promise<void> {
	const showsAsDescribed = async (changed: INodeParameters) => await eventually(async () => {
		expect(await panel.labels()).toEqual(namesOf(shownFor({ ...values, ...changed })));
	});
	const switches = shownFor(values).filter((property) => steers(property) && !(property.name in { resource: 1, operation: 1 }));
	for (const property of switches) {
		const { name, default: first } = property;
		if (property.type === 'boolean') {
			for (const value of [!first, first]) {
				await panel.toggle(name);
				await showsAsDescribed({ [name]: value as boolean });
			}
			continue;
		}
		const others = choices(property).filter(({ value }) => value !== first);
		const back = choices(property).filter(({ value }) => value === first);
		expect(back).toHaveLength(1);
		for (const choice of [...others, ...back]) {
			await panel.choose(name, choice.name);
			await showsAsDescribed({ [name]: choice.value });
		}
	}
}

/** Adds every entry of a collection, and a row to each of its lists. */
async function openCollection(panel: NodePanel, { name, options = [] }: INodeProperties): Promise<void> {
	for (const entry of options as INodeProperties[]) {
		await panel.addToCollection(name, entry.displayName);
		await eventually(async () => expect(await panel.labels()).toContain(entry.displayName));
		if (entry.type === 'fixedCollection') await openRow(panel, entry);
	}
}

/** Adds a row to a list of values and finds its fields. */
async function openRow(panel: NodePanel, { name, options = [] }: INodeProperties): Promise<void> {
	const before = (await panel.labels()).length;
	const fields = options.flatMap((row) => ('values' in row ? namesOf(row.values) : []));
	await panel.addRow(name);
	await eventually(async () => {
		const labels = await panel.labels();
		expect(labels).toEqual(expect.arrayContaining(fields));
		expect(labels).toHaveLength(before + fields.length);
	});
}

test('the description has operations to open', () => {
	expect(operations.length).toBeGreaterThanOrEqual(11);
	expect(operations.map(({ nodeName }) => nodeName)).not.toContain('undefined');
});

test.each(operations)('$resourceName → $operationName opens with every field and option', async ({ nodeName, resource, operation, resourceName, operationName }) => {
	const panel = await editor.openNode(nodeName);
	if ((await panel.value('resource')) !== resourceName) await panel.choose('resource', resourceName);
	if ((await panel.value('operation')) !== operationName) await panel.choose('operation', operationName);
	const values = { ...defaults, resource, operation };
	const shown = shownFor(values);
	await eventually(async () => expect(await panel.labels()).toEqual(namesOf(shown)));

	await switchAll(panel, values);
	for (const list of shown.filter(({ type }) => type === 'fixedCollection')) await openRow(panel, list);
	for (const collection of shown.filter(({ type }) => type === 'collection')) await openCollection(panel, collection);

	const missing = namesOf(shown.filter(isMissing));
	expect(missing).toEqual(expect.arrayContaining(await panel.issues()));
	await panel.close();
	const again = await editor.openNode(nodeName);
	await eventually(async () => expect(await again.issues()).toEqual(missing));
	await again.close();
	expect(await editor.alarms()).toEqual([]);
	expect(editor.takeErrors()).toEqual([]);
}, 60_000);
