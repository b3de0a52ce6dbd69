import { type IExecuteFunctions, type INode, NodeHelpers } from 'n8n-workflow';

import { notOffered } from '../../../nodes/shared/fields/field.ts';
import type { Operation } from '../../../nodes/VoiceAgentCalling/operation/operation.ts';
import { resources } from '../../../nodes/VoiceAgentCalling/resources/index.ts';
import { VoiceAgentCalling } from '../../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { readEndpoints } from '../../docs/coverage.mts';

const node = new VoiceAgentCalling();
const all = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({ resource, operation, name: `${resource.name} → ${operation.name}` })),
);
type Entry = (typeof all)[number];

/** The description of the node as a tool, as n8n names it. */
const asTool = { ...node.description, name: `${node.description.name}Tool` };

/** What n8n tells AI agents about the tool, before it evaluates expressions. */
function toolText({ resource, operation }: Entry): string {
	const tool = { name: 'Phone', typeVersion: 1, parameters: {} } as unknown as INode;
	const chosen = { resource: resource.value, operation: operation.value };
	const parameters = NodeHelpers.getNodeParameters(asTool.properties, chosen, true, false, tool, asTool);
	return NodeHelpers.getToolDescriptionForNode({ ...tool, parameters: parameters ?? {} }, node);
}

/** Runs the operation as a tool, without values. @returns the error message */
async function refusal({ resource, operation }: Entry): Promise<string> {
	const parameters: Record<string, string> = { resource: resource.value, operation: operation.value };
	const type = 'n8n-nodes-voice-agent-calling.voiceAgentCallingTool';
	const caller = {
		getNode: () => ({ name: 'Phone', type, typeVersion: 1, parameters }),
		getNodeParameter: (parameter: string) => parameters[parameter],
	} as unknown as IExecuteFunctions;
	return await node.execute.call(caller).then(
		() => 'it ran',
		(error: Error) => error.message,
	);
}

/** Whether the editor offers the operation when the node is a tool. */
function isOffered({ resource, operation }: Entry): boolean {
	const lists = node.description.properties.filter(
		({ name, displayOptions }) => name === 'operation' && displayOptions?.show?.resource?.includes(resource.value),
	);
	const options = lists.flatMap(({ options = [] }) => options);
	const own = options.find((option) => 'value' in option && option.value === operation.value);
	return !(own && 'displayOptions' in own && JSON.stringify(own.displayOptions).includes('"@tool":[false]'));
}

const parametersOf = ({ fields, updates, options, filters }: Operation) =>
	[...fields, ...updates, ...options, ...filters].flatMap(({ properties }) => properties);

/** Operations whose endpoint in docs/contributing/coverage.md has the method DELETE. */
const deleting = readEndpoints()
	.filter(({ method }) => method === 'DELETE')
	.flatMap(({ operations }) => operations.map(({ name }) => name));

test('AI agents are told exactly which operations make a real phone ring, and that this costs money', () => {
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
	for (const text of [/real phones? rings?/, /calls? costs? money/]) {
		const told = all.filter((entry) => text.test(toolText(entry))).map(({ name }) => name);
		expect(told.sort()).toEqual(rings.sort());
	}
});

test('the descriptions of the same operations tell it to people', () => {
	const silent = all.filter(
		({ operation }) => operation.toolDescription && !/phones? rings?/.test(operation.description),
	);
	expect(silent.map(({ name }) => name)).toEqual([]);
});

test('AI agents are told the limits of the operations that place calls', () => {
	for (const { operation, ...entry } of all.filter(({ operation: { placesCall } }) => placesCall)) {
		const text = toolText({ operation, ...entry });
		for (const limit of ['maxCalls', 'maxCallsPerHour', 'allowedPrefixes']) {
			expect(text).toContain(`$parameter["${limit}"]`);
		}
	}
});

test('an operation that rings no phone is described by its action', () => {
	const quiet = all.filter(({ operation }) => operation.toolDescription === undefined);
	expect(quiet.length).toBeGreaterThan(80);
	for (const entry of quiet) {
		expect(toolText(entry)).toBe(`${entry.operation.action} in Voice Agent Calling`);
	}
});

test('what a model may let ring is limited by Max Calls per Run, but for a campaign that it makes active', () => {
	const open = all.filter((one) => /rings?,/.test(toolText(one)) && isOffered(one));
	expect(open.filter(({ operation }) => !operation.placesCall).map(({ name }) => name)).toEqual([
		'Campaign → Set Status',
	]);
});

const closed: Array<[what: string, belongs: (entry: Entry) => boolean]> = [
	['deletes something, according to its endpoint', ({ name }) => deleting.includes(name)],
	[
		'deletes, removes or ends something, according to its name',
		({ operation }) => /^(Delete|Remove|End|Cancel|Stop)/.test(operation.name),
	],
	[
		'writes a secret',
		({ operation }) =>
			JSON.stringify(parametersOf(operation)).includes('"password":true') || operation.name.includes('Secret'),
	],
	[
		'takes an agent out of service',
		({ name, operation }) =>
			name === 'Agent → Unpublish' || operation.fields.some(({ key }) => key === 'publishAfterwards'),
	],
	['may wait for hours', ({ operation }) => operation.waitsFor !== undefined],
	['decides where events are sent', ({ operation }) => / (to|From) Trigger$/.test(operation.name)],
	[
		'cannot be limited or undone',
		({ name }) =>
			[
				'Campaign SFTP → Trigger Import',
				'Service → Make API Request',
				'Agent → Apply',
				'Agent → Set Callback Sources',
				'Agent Flow → Update',
			].includes(name),
	],
];

test.each(closed)('an operation that %s is neither offered nor allowed to an AI agent', async (_what, belongs) => {
	const entries = all.filter(belongs);
	expect(entries.length).toBeGreaterThan(1);
	for (const entry of entries) {
		expect({ name: entry.name, offered: isOffered(entry) }).toEqual({ name: entry.name, offered: false });
		expect(await refusal(entry)).toBe(
			`'${entry.operation.name}' is not available to AI agents. Use it in a separate workflow, where a person decides.`,
		);
	}
});

test('all other operations are offered to AI agents', async () => {
	const others = all.filter((entry) => !closed.some(([, belongs]) => belongs(entry)));
	expect(others.filter((entry) => !isOffered(entry)).map(({ name }) => name)).toEqual([]);
	expect(others.length).toBeGreaterThan(55);
});

test('these fields and values hold in a tool only if a person has set them', () => {
	const guarded = all.filter(isOffered).flatMap(({ operation, name }) =>
		[...operation.fields, ...operation.updates, ...operation.options].flatMap((field) => {
			const label = `${name}: ${field.properties[0].displayName}`;
			return [
				...(field.ai === 'fixed' ? [label] : []),
				...(typeof field.ai === 'object' ? field.ai.not : []).map((value) => `${label} ${String(value)}`),
			];
		}),
	);
	const doNotCall = ['List', 'Numbers']
		.map((what) => `Do Not Call ${what}`)
		.concat(
			['Numbers After Call Errors', 'Numbers After Call Statuses', 'Numbers to Do-Not-Call List'].map(
				(what) => `Add ${what}`,
			),
			'Skip Do-Not-Call Numbers',
		);
	const cooldowns = ['Busy', 'Failed', 'No Answer', 'Retry', 'Success', 'Voicemail'].map(
		(of) => `${of} Cooldown (Hours)`,
	);
	const whenAndHowOften = [
		...cooldowns,
		'Cooldown After Completion',
		'Cooldown After Completion (Hours)',
		'First Call Delay (Seconds)',
		'Agent',
		'Call Time Ranges',
		'Days of the Week',
		'Start Date',
		'End Date',
		'Time Zone Name or ID',
		'Complete Automatically',
		'Max Retries',
		'Retry If Not Converted',
	];
	const rules = ['Blocked Numbers', 'Calling Hours', 'Consent', 'Frequency Cap', 'Missing Variables'];
	expect(guarded.sort()).toEqual(
		[
			...rules.flatMap((rule) =>
				['Call → Check Before Calling', 'Call → Place', 'Campaign → Check Before Calling', 'Campaign → Queue Call'].map(
					(operation) => `${operation}: ${rule}`,
				),
			),
			'Availability → Create Rule: Available false',
			'Availability → Update Rule: Available false',
			'Calendar → Update: Metadata',
			'Calendar Event → Create: Status cancelled',
			'Calendar Event → Update: Attendees',
			'Calendar Event → Update: Owner ID',
			'Calendar Event → Update: Owner Type',
			'Calendar Event → Update: Status cancelled',
			'Campaign → Create: Connect to Trigger',
			...['Catch Up', 'Check Registration', 'Get', 'Get Deliveries', 'Get Many', 'Redeliver', 'Test'].map(
				(operation) => `Webhook → ${operation}: Source`,
			),
			...doNotCall.map((label) => `Campaign → Create: ${label}`),
			...[...doNotCall, ...whenAndHowOften].map((label) => `Campaign → Update: ${label}`),
		].sort(),
	);
});

test('options that cannot be undone are not offered to AI agents', () => {
	const hidden = all
		.filter(isOffered)
		.flatMap(({ operation, name }) =>
			[...operation.fields, ...operation.updates, ...operation.options].flatMap((field) =>
				notOffered(field).map((value) => `${name}: ${field.properties[0].displayName} ${value}`),
			),
		);
	expect(hidden.sort()).toEqual([
		'Calendar Member → Add: Role owner',
		'Calendar Member → Update: Role owner',
		'Campaign → Set Status: Status cancelled',
		'Campaign → Set Status: Status completed',
	]);
});
