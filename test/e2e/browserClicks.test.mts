import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { closeAfterTests, EditorPage, eventually } from './browser.mts';
import type { NodePanel } from './browserPanel.mts';
import { choices, defaults, isMissing, namesOf, offeredBy, operations, shownFor, steers } from './describedFields.mts';
import { Instance } from './instance.mts';

/** Together these have every kind of field, and every kind of dependency between fields. */
const toClick = [
	'Call Place',
	'Campaign Queue Call',
	'Campaign Create',
	'Webhook Update',
	'Agent Action Create or Update',
	'Availability Create Rule',
	'Calendar Event Create',
	'Voice Template Get Demo',
	'Campaign SFTP Create',
	'Service Make API Request',
];

let n8n: Instance;
let editor: EditorPage;

beforeAll(async () => {
	n8n = await Instance.share();
	editor = await EditorPage.open(n8n);
	const nodes = toClick.map((nodeName, place) => ({
		...n8n.node(`${nodeName} by hand`, 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, {}),
		position: [(place % 5) * 260, Math.floor(place / 5) * 220] as [number, number],
	}));
	await editor.openWorkflow(await n8n.createWorkflow('By hand', nodes), nodes.length);
}, 300_000);

closeAfterTests(() => ({ editor, n8n }));

/** Changes each parameter that others depend on, and changes it back. */
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

/** Adds every entry that a collection offers for these values, and a row to each of its lists. */
async function openCollection(panel: NodePanel, collection: INodeProperties, values: INodeParameters): Promise<void> {
	for (const entry of offeredBy(collection, values)) {
		await panel.addToCollection(collection.name, entry.displayName);
		await eventually(async () => expect(await panel.labels()).toContain(entry.displayName));
		if (entry.type === 'fixedCollection') {
			await openRow(panel, entry);
		}
	}
}

/** Adds a row to a list of values, unless its default has one, and finds its fields. */
async function openRow(panel: NodePanel, { name, options = [], default: first }: INodeProperties): Promise<void> {
	const fields = options.flatMap((row) => ('values' in row ? namesOf(row.values) : []));
	if (Object.keys(first as object).length > 0) {
		return await eventually(async () => expect(await panel.labels()).toEqual(expect.arrayContaining(fields)));
	}
	const before = (await panel.labels()).length;
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

test.each(operations.filter(({ nodeName }) => toClick.includes(nodeName)))(
	'$resourceName → $operationName can be chosen, and its fields and options can be changed by hand',
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
	300_000,
);
