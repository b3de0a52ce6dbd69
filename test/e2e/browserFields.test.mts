import { type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';

import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { EditorPage, eventually } from './browser.mts';
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
	return properties.filter((property) =>
		NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, description),
	);
}

/** The labels of parameters; a list of values that begins with a row shows the row's too. */
function namesOf(shown: INodeProperties[]): string[] {
	return shown.flatMap(({ displayName, type, default: first, options = [] }) => {
		const rows = type === 'fixedCollection' ? Object.keys(Object(first)) : [];
		const values = options.flatMap((row) => ('values' in row && rows.includes(row.name) ? row.values : []));
		return [displayName, ...values.map((value) => value.displayName)];
	});
}

/** Whether other parameters come and go with this one. */
function steers({ name }: INodeProperties): boolean {
	return properties.some(({ displayOptions }) => displayOptions?.show && name in displayOptions.show);
}

/** Required, or a menu with nothing chosen, and not filled in yet: n8n marks these. */
function isMissing({ required, default: value, type }: INodeProperties): boolean {
	if (type === 'options') {
		return value === '';
	}
	return required === true && (value === '' || (typeof value === 'object' && value !== null && 'mode' in value));
}

let n8n: Instance;
let editor: EditorPage;

beforeAll(async () => {
	n8n = await Instance.share();
	editor = await EditorPage.open(n8n);
	const type = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';
	const chosen = operations.map(({ nodeName, resource, operation }) => {
		const values = { ...defaults, resource, operation };
		return n8n.node(nodeName, type, 1, everythingAdded(values));
	});
	const byHand = toClick.map((nodeName) => n8n.node(`${nodeName} by hand`, type, 1, {}));
	const nodes = [...chosen, ...byHand].map((node, index) => ({
		...node,
		position: [(index % 12) * 260, Math.floor(index / 12) * 220] as [number, number],
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
	const showsAsDescribed = async (changed: INodeParameters) =>
		await eventually(async () => {
			expect(await panel.labels()).toEqual(namesOf(shownFor({ ...values, ...changed })));
		});
	const switches = shownFor(values).filter(
		(property) => steers(property) && !(property.name in { resource: 1, operation: 1 }),
	);
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

/** What a collection lets be added beside these values. */
function offeredBy({ options = [] }: INodeProperties, values: INodeParameters): INodeProperties[] {
	return (options as INodeProperties[]).filter((entry) =>
		NodeHelpers.displayParameter({}, entry, { typeVersion: 1 }, description, values),
	);
}

/** Adds every entry of a collection that these values let be added, and a row to each of its lists. */
async function openCollection(panel: NodePanel, collection: INodeProperties, values: INodeParameters): Promise<void> {
	for (const entry of offeredBy(collection, values)) {
		await panel.addToCollection(collection.name, entry.displayName);
		await eventually(async () => expect(await panel.labels()).toContain(entry.displayName));
		if (entry.type === 'fixedCollection') {
			await openRow(panel, entry);
		}
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
	expect(operations.length).toBeGreaterThanOrEqual(90);
	expect(operations.map(({ nodeName }) => nodeName)).toEqual(expect.arrayContaining(toClick));
	expect(operations.map(({ nodeName }) => nodeName)).not.toContain('undefined');
});

/** The values of a node with everything that a collection offers added, each as it begins. */
function everythingAdded(values: INodeParameters): INodeParameters {
	const collections = shownFor(values).filter(({ type }) => type === 'collection');
	const added = collections.map((collection) => {
		const entries = offeredBy(collection, values).map(({ name, default: value }) => [name, value] as const);
		return [collection.name, Object.fromEntries(entries)] as const;
	});
	return { ...values, ...Object.fromEntries(added) } as INodeParameters;
}

test.each(operations)(
	'$resourceName → $operationName opens with every field, and with every option added',
	async ({ nodeName, resource, operation }) => {
		const values = { ...defaults, resource, operation };
		const shown = shownFor(values);
		const collections = shown.filter(({ type }) => type === 'collection');
		const panel = await editor.openNode(nodeName);
		const labels = [...namesOf(shown), ...collections.flatMap((collection) => namesOf(offeredBy(collection, values)))];
		await eventually(async () => expect((await panel.labels()).sort()).toEqual(labels.sort()));
		await panel.close();
		expect(await editor.alarms()).toEqual([]);
		expect(editor.takeErrors()).toEqual([]);
	},
	60_000,
);

/** The ones with the most to click: of each kind of field, and of each way in which one depends on another, there is one. */
const toClick = [
	'Call Place',
	'Campaign Queue Call',
	'Campaign Create',
	'Campaign Webhook Update',
	'Agent Action Create or Update',
	'Availability Create Rule',
	'Calendar Event Create',
	'Voice Template Get Demo',
	'Campaign SFTP Create',
	'Service Make API Request',
];

test.each(operations.filter(({ nodeName }) => toClick.includes(nodeName)))(
	'$resourceName → $operationName can be chosen, and its fields and options clicked through',
	async ({ nodeName, resource, operation, resourceName, operationName }) => {
		const panel = await editor.openNode(`${nodeName} by hand`);
		if ((await panel.value('resource')) !== resourceName) {
			await panel.choose('resource', resourceName);
		}
		if ((await panel.value('operation')) !== operationName) {
			await panel.choose('operation', operationName);
		}
		const values = { ...defaults, resource, operation };
		const shown = shownFor(values);
		await eventually(async () => expect(await panel.labels()).toEqual(namesOf(shown)));

		await switchAll(panel, values);
		for (const list of shown.filter(({ type }) => type === 'fixedCollection')) {
			await openRow(panel, list);
		}
		for (const collection of shown.filter(({ type }) => type === 'collection')) {
			await openCollection(panel, collection, values);
		}

		const added = shown
			.filter(({ type }) => type === 'collection')
			.flatMap((collection) => offeredBy(collection, values));
		const missing = namesOf([...shown, ...added].filter(isMissing));
		expect(missing).toEqual(expect.arrayContaining(await panel.issues()));
		await panel.close();
		const again = await editor.openNode(`${nodeName} by hand`);
		await eventually(async () => expect(await again.issues()).toEqual(missing));
		await again.close();
		expect(await editor.alarms()).toEqual([]);
		expect(editor.takeErrors()).toEqual([]);
	},
	60_000,
);
