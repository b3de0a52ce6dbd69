import { type IExecuteFunctions, type INode, NodeHelpers } from 'n8n-workflow';

import { type Operation } from '../../../nodes/VoiceAgentCalling/operation/operation.ts';
import { resources } from '../../../nodes/VoiceAgentCalling/resources/index.ts';
import { VoiceAgentCalling } from '../../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { readEndpoints } from '../../docs/coverage.mts';

const node = new VoiceAgentCalling();
const all = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({ resource, operation, name: `${resource.name} → ${operation.name}` })),
);
type One = (typeof all)[number];

/** What n8n tells a model about the node, unless the user writes a text. */
function toolText({ resource, operation }: One): string {
	const parameters = { resource: resource.value, operation: operation.value, descriptionType: 'auto' };
	const asNode = { name: 'Voice Agent Calling', typeVersion: 1, parameters } as unknown as INode;
	return NodeHelpers.getToolDescriptionForNode(asNode, node);
}

/** What it says when a model runs it, whatever the values. */
async function refusal({ resource, operation }: One): Promise<string> {
	const parameters: Record<string, string> = { resource: resource.value, operation: operation.value };
	const caller = {
		getNode: () => ({
			name: 'Phone',
			type: 'n8n-nodes-voice-agent-calling.voiceAgentCallingTool',
			typeVersion: 1,
			parameters,
		}),
		getNodeParameter: (parameter: string) => parameters[parameter],
	} as unknown as IExecuteFunctions;
	return await node.execute.call(caller).then(
		() => 'it ran',
		(error: Error) => error.message,
	);
}

/** Whether the editor's list of operations has it where the node is a tool. */
function isOffered({ resource, operation }: One): boolean {
	const lists = node.description.properties.filter(
		({ name, displayOptions }) => name === 'operation' && displayOptions?.show?.resource?.includes(resource.value),
	);
	const options = lists.flatMap(({ options = [] }) => options);
	const own = options.find((option) => 'value' in option && option.value === operation.value);
	return !(own && 'displayOptions' in own && JSON.stringify(own.displayOptions).includes('"@tool":[false]'));
}

const parametersOf = ({ fields, updates, options, filters }: Operation) =>
	[...fields, ...updates, ...options, ...filters].flatMap(({ properties }) => properties);

/** Operations that delete, by the method of their endpoint in docs/coverage.md. */
const deleting = readEndpoints()
	.filter(({ method }) => method === 'DELETE')
	.flatMap(({ operations }) => operations.map(({ name }) => name));

test('the node can be used as a tool', () => {
	expect(node.description.usableAsTool).toBe(true);
});

test('what makes a real phone ring is told to a model, and nothing else is', () => {
	const rings = [
		'Call → Place',
		'Call → Place and Wait',
		'Campaign → Queue Call',
		'Campaign → Queue Call and Wait',
		'Campaign → Set Status',
		'Campaign SFTP → Trigger Import',
		'Campaign SFTP → Update',
		'Service → Make API Request',
	];
	expect(
		all
			.filter((one) => /real phones? rings?/.test(toolText(one)))
			.map(({ name }) => name)
			.sort(),
	).toEqual(rings.sort());
	expect(
		all
			.filter((one) => /\bring/.test(toolText(one)))
			.map(({ name }) => name)
			.sort(),
	).toEqual(rings.sort());
});

test('what a model may let ring is limited by Max Calls per Run, but for a campaign that it makes active', () => {
	const open = all.filter((one) => /ring/.test(toolText(one)) && isOffered(one));
	expect(open.filter(({ operation }) => !operation.placesCall).map(({ name }) => name)).toEqual([
		'Campaign → Set Status',
	]);
});

const closed: Array<[what: string, belongs: (one: One) => boolean]> = [
	['deletes, by its endpoint', ({ name }) => deleting.includes(name)],
	['deletes, removes or ends, by its name', ({ operation }) => /^(Delete|Remove|End|Cancel)/.test(operation.name)],
	[
		'writes a secret',
		({ operation }) =>
			JSON.stringify(parametersOf(operation)).includes('"password":true') || operation.name.includes('Secret'),
	],
	['waits, for hours maybe', ({ operation }) => operation.waits],
	[
		'cannot be limited or undone',
		({ name }) =>
			['Campaign SFTP → Trigger Import', 'Service → Make API Request', 'Agent Flow → Update'].includes(name),
	],
];

test.each(closed)('what %s is not offered to a model, and refused', async (_what, belongs) => {
	const some = all.filter(belongs);
	expect(some.length).toBeGreaterThan(1);
	for (const one of some) {
		expect({ name: one.name, offered: isOffered(one) }).toEqual({ name: one.name, offered: false });
		expect(await refusal(one)).toBe(
			`'${one.operation.name}' is not open to an AI agent. Do this in a workflow of its own, where a person decides.`,
		);
	}
});

test('all the others are offered', async () => {
	const others = all.filter((one) => !closed.some(([, belongs]) => belongs(one)));
	expect(others.filter((one) => !isOffered(one)).map(({ name }) => name)).toEqual([]);
	expect(others.length).toBeGreaterThan(60);
});

test('of the values to choose from, those that are final are not offered', () => {
	const hidden = all
		.filter(isOffered)
		.flatMap(({ operation, name }) =>
			[...operation.fields, ...operation.updates, ...operation.options].flatMap(({ notForTools = [], properties }) =>
				notForTools.map((value) => `${name}: ${properties[0].displayName} ${value}`),
			),
		);
	expect(hidden.sort()).toEqual([
		'Calendar Member → Add: Role owner',
		'Calendar Member → Update: Role owner',
		'Campaign → Set Status: Status cancelled',
		'Campaign → Set Status: Status completed',
	]);
});
