import type { INodeParameters } from 'n8n-workflow';

import { closeAfterTests, EditorPage, eventually } from './browser.mts';
import { defaults, namesOf, offeredBy, operations, shownFor } from './describedFields.mts';
import { Instance } from './instance.mts';

/** So many nodes are on a canvas at a time: with more of them the editor gets slow. */
const NODES = 12;

let n8n: Instance;
let editor: EditorPage;
/** The place of the first node of the open workflow in the list of operations. */
let opened = -1;

beforeAll(async () => {
	n8n = await Instance.share();
	editor = await EditorPage.open(n8n);
}, 300_000);

closeAfterTests(() => ({ editor, n8n }));

/** The values of a node with every entry of its collections added, each with its default. */
function everythingAdded(values: INodeParameters): INodeParameters {
	const collections = shownFor(values).filter(({ type }) => type === 'collection');
	const added = collections.map((collection) => {
		const entries = offeredBy(collection, values).map(({ name, default: value }) => [name, value] as const);
		return [collection.name, Object.fromEntries(entries)] as const;
	});
	return { ...values, ...Object.fromEntries(added) } as INodeParameters;
}

/** Opens the workflow with the node of an operation, if it is not open yet. */
async function openWorkflowWith(nodeName: string): Promise<void> {
	const index = operations.findIndex((operation) => operation.nodeName === nodeName);
	const first = index - (index % NODES);
	if (first === opened) {
		return;
	}
	const nodes = operations.slice(first, first + NODES).map(({ nodeName: name, resource, operation }, place) => ({
		...n8n.node(name, 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, {
			...everythingAdded({ ...defaults, resource, operation }),
		}),
		position: [(place % 6) * 260, Math.floor(place / 6) * 220] as [number, number],
	}));
	await editor.openWorkflow(await n8n.createWorkflow(`Operations from ${nodes[0].name}`, nodes), nodes.length);
	opened = first;
}

test.each(operations)(
	'$resourceName → $operationName opens with every field, and with every option added',
	async ({ nodeName, resource, operation }) => {
		await openWorkflowWith(nodeName);
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
	300_000,
);
