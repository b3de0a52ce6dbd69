import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type INode, type INodeParameters, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { VoiceAgentCallingTrigger } from '../../nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts';
import { root } from '../../scripts/lib/places.mts';
import { contactsOf, readExample, type WorkflowFile, withChoices } from '../../scripts/quickstart/examples.mts';
import { assertKnown } from '../integration/knownParameters.mts';
import { type Connections, crossings, overlaps } from './canvas.mts';

type ExampleNode = WorkflowFile['nodes'][number];

const files = readdirSync(join(root, 'examples'));

const descriptions: Record<string, INodeTypeDescription> = {
	'n8n-nodes-voice-agent-calling.voiceAgentCalling': new VoiceAgentCalling().description,
	// As n8n names the node that an AI agent uses.
	'n8n-nodes-voice-agent-calling.voiceAgentCallingTool': new VoiceAgentCalling().description,
	'n8n-nodes-voice-agent-calling.voiceAgentCallingTrigger': new VoiceAgentCallingTrigger().description,
};

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

/** The credential that each node of n8n needs; null where it needs none. */
const credentials: Record<string, string | null> = {
	...Object.fromEntries(
		[
			...['aggregate', 'code', 'convertToFile', 'dataTable', 'dateTime', 'executeWorkflow'],
			...['executeWorkflowTrigger', 'extractFromFile', 'filter', 'git', 'if'],
			...['limit', 'manualTrigger', 'merge', 'noOp', 'readWriteFile', 'respondToWebhook', 'scheduleTrigger', 'set'],
			...['sort', 'splitInBatches', 'splitOut', 'stickyNote', 'stopAndError', 'summarize', 'switch', 'wait'],
		].map((name) => [`n8n-nodes-base.${name}`, null]),
	),
	'@n8n/n8n-nodes-langchain.agent': null,
	'@n8n/n8n-nodes-langchain.chatTrigger': null,
	'@n8n/n8n-nodes-langchain.informationExtractor': null,
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
	'@n8n/n8n-nodes-langchain.outputParserStructured': null,
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.googleSheets': 'googleSheetsOAuth2Api',
	'n8n-nodes-base.googleSheetsTrigger': 'googleSheetsTriggerOAuth2Api',
};

/** The nodes of n8n that need a credential if Authentication says so. */
const byAuthentication = ['formTrigger', 'httpRequest', 'webhook'].map((name) => `n8n-nodes-base.${name}`);

/** The type of credential that a node needs, or null. @throws if the type of the node is not listed */
function credentialOf({ type, parameters }: ExampleNode): string | null {
	if (type in descriptions) {
		return 'voiceAgentCallingApi';
	}
	if (byAuthentication.includes(type)) {
		const { authentication = 'none' } = parameters;
		return authentication === 'none' ? null : String(authentication);
	}
	const credential = credentials[type];
	if (credential === undefined) {
		throw new Error(`Say in this test which credential ${type} needs.`);
	}
	return credential;
}

/** Whether phones ring when a node runs. */
function placesCalls({ type, parameters }: ExampleNode): boolean {
	if (!(type in descriptions) || parameters.operation === undefined) {
		return false;
	}
	const { resource = '', operation = '' } = parameters as { resource?: string; operation?: string };
	const operations = descriptions[type]?.properties.filter(({ name }) => name === 'operation') ?? [];
	return operations
		.filter(({ displayOptions }) => displayOptions?.show?.resource?.includes(resource))
		.flatMap(({ options = [] }) => options as Array<{ value: string; action?: string }>)
		.some(({ value, action = '' }) => value === operation && action.includes('rings a phone'));
}

/** The IDs in parameters that were chosen from a list or entered as such. */
function chosenIds(value: unknown): unknown[] {
	if (typeof value !== 'object' || value === null) {
		return [];
	}
	const { __rl, mode, value: chosen } = value as Record<string, unknown>;
	// The name of a table, or of a model that everybody has, is no ID of somebody.
	const isPublic = mode === 'name' || /^gpt-/.test(String(chosen));
	const isId = __rl === true && !isPublic && (chosen ?? '') !== '' && !String(chosen).startsWith('=');
	return [...(isId ? [chosen] : []), ...Object.values(value).flatMap(chosenIds)];
}

const isExpression = (locator: unknown) => String(Object(locator).value).startsWith('={{ $json.');

describe.each(files)('%s', (file) => {
	const workflow = readExample(file);

	test("uses only parameters that the package's nodes have", () => {
		const own = workflow.nodes.filter(({ type }) => type in descriptions);
		// Only an example that starts another one may have none of them.
		const starts = workflow.nodes.filter(({ type }) => type === 'n8n-nodes-base.executeWorkflow');
		expect([...own, ...starts]).not.toEqual([]);
		for (const { type, parameters } of own) {
			const names = descriptions[type]?.properties.map(({ name }) => name);
			expect(names).toEqual(expect.arrayContaining(Object.keys(parameters)));
			if (type.endsWith('.voiceAgentCalling')) {
				assertKnown(parameters);
			}
		}
	});

	test('chooses only what those parameters offer', () => {
		for (const { type, parameters } of workflow.nodes) {
			const properties = descriptions[type]?.properties ?? [];
			for (const [name, value] of Object.entries(parameters)) {
				const offered = properties
					.filter((property) => property.name === name && /ptions$/.test(property.type))
					.flatMap(({ options = [] }) => options.map((option) => Object(option).value));
				if (offered.length > 0) {
					expect({ name, offered }).toEqual({ name, offered: expect.arrayContaining([value].flat()) });
				}
			}
		}
	});

	test('leaves the credential, the campaign and the agent to whoever imports it', () => {
		for (const { type, parameters, credentials } of workflow.nodes) {
			expect(credentials).toBeUndefined();
			const chosen = parameters.campaign ?? parameters.agent;
			// An expression takes it from each item.
			if (type in descriptions && !isExpression(chosen)) {
				expect(Object(chosen).value ?? '').toBe('');
			}
		}
		expect(workflow).not.toHaveProperty('id');
	});

	test('keeps every value when it is imported, also the mapped variables of an agent that is not chosen yet', () => {
		for (const node of workflow.nodes.filter(({ type }) => type in descriptions)) {
			// The editor shows the fields of a tool by the name of its type.
			const description = { ...descriptions[node.type], name: node.type };
			// As the editor does with a workflow that it loads: values of hidden parameters are removed.
			const kept = NodeHelpers.getNodeParameters(
				description.properties,
				node.parameters as INodeParameters,
				true,
				false,
				node as INode,
				description,
			);
			expect(Object.keys(kept ?? {})).toEqual(expect.arrayContaining(Object.keys(node.parameters)));
		}
	});

	test('connects only nodes that are there', () => {
		const names = workflow.nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		const connections = workflow.connections as Record<string, Record<string, Array<Array<{ node: string }>>>>;
		for (const [from, outputs] of Object.entries(connections)) {
			expect(names).toContain(from);
			for (const { node } of Object.values(outputs).flat(2)) {
				expect(names).toContain(node);
			}
		}
	});

	test('has an output for every item that comes to a Switch', () => {
		for (const { name, parameters } of workflow.nodes.filter(({ type }) => type === 'n8n-nodes-base.switch')) {
			expect([name, parameters.options]).toEqual([name, expect.objectContaining({ fallbackOutput: 'extra' })]);
		}
	});

	test('tries again to make a table that another execution makes at the same moment', () => {
		const makesTable = ({ type, parameters: { resource, operation } }: ExampleNode) =>
			type === 'n8n-nodes-base.dataTable' && resource === 'table' && operation === 'create';
		const once = workflow.nodes.filter((node) => makesTable(node) && !('retryOnFail' in node));
		expect(once.map(({ name }) => name)).toEqual([]);
	});

	test('says on the canvas what it does, what to set, and whether a phone rings', () => {
		const notes = workflow.nodes.filter(({ type }) => type === STICKY_NOTE);
		expect(notes.length).toBeGreaterThan(2);
		const contents = notes.map(({ parameters }) => String(parameters.content));
		expect(contents[0]).toMatch(/^## .+\n.+/);
		const text = contents.join('\n');
		// What whoever imports it has to choose.
		const toSet = workflow.nodes.filter((node) => credentialOf(node) !== null).map(({ name }) => name);
		expect(toSet.filter((name) => !text.includes(name))).toEqual([]);
		expect(text).toMatch(workflow.nodes.some(placesCalls) ? /\brings?\b/ : /\b(calls nobody|no phone rings)\b/i);
		if (workflow.nodes.some(placesCalls)) {
			expect(text).toMatch(/\b(costs?|credits)\b/);
		}
	});

	test('has no note over a node or over another note', () => {
		expect(overlaps(workflow.nodes)).toEqual([]);
	});

	test('has no line through the text of a note, through another node or through its name', () => {
		expect(crossings(workflow.nodes, workflow.connections as Connections)).toEqual([]);
	});

	test('needs two credentials at most', () => {
		const needed = workflow.nodes.flatMap((node) => credentialOf(node) ?? []);
		expect([...new Set(needed)].length).toBeLessThanOrEqual(2);
		expect(needed.length).toBeGreaterThan(0);
	});

	test('has no ID of somebody: no UUID, and nothing chosen from a list', () => {
		const parameters = workflow.nodes.map((node) => node.parameters);
		// The editor gives each condition and each assigned field an ID of its own.
		const text = JSON.stringify(parameters, (key, value: unknown) => (key === 'id' ? undefined : value));
		expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-/i);
		expect(chosenIds(parameters)).toEqual([]);
	});

	test('is in the list of examples, which names every node that needs a credential', () => {
		const text = readFileSync(join(root, 'docs', 'examples', 'README.md'), 'utf8');
		const row = text.split('\n').find((line) => line.includes(`](../../examples/${file})`)) ?? '';
		expect(row).not.toBe('');
		const toSet = workflow.nodes.filter((node) => credentialOf(node) !== null).map(({ name }) => name);
		expect(toSet.filter((name) => !row.includes(`*${name}*`))).toEqual([]);
	});

	test('takes the choices of the quick start in the nodes of the package, and there only', () => {
		const credential = { id: 'one', name: 'Sandbox' };
		const chosen = withChoices(workflow, 'some-id', { credential, campaignId: 'campaign-1', agentId: 'agent-1' });
		expect(chosen.id).toBe('some-id');
		const changed = chosen.nodes.filter(({ credentials }) => credentials !== undefined);
		expect(changed.map(({ name }) => name)).toEqual(
			workflow.nodes.filter(({ type }) => type in descriptions).map(({ name }) => name),
		);
		for (const node of changed) {
			expect(node.credentials).toEqual({ voiceAgentCallingApi: credential });
			for (const [name, value] of Object.entries({ campaign: 'campaign-1', agent: 'agent-1' })) {
				if (name in node.parameters && !isExpression(node.parameters[name])) {
					expect(node.parameters[name]).toEqual({ __rl: true, mode: 'id', value });
				}
			}
		}
	});
});

test('the contacts have numbers that nobody has, one for each outcome', () => {
	const workflow = readExample('queue-calls-for-contacts.json');
	const node = workflow.nodes.find(({ name }) => name === 'Contacts');
	const { contacts } = JSON.parse(String(node?.parameters.jsonOutput)) as {
		contacts: Array<{ id: string; name: string; phone: string }>;
	};
	expect(contactsOf(workflow)).toBe(5);
	expect(contacts.map(({ phone }) => phone.slice(-4))).toEqual(['0001', '0002', '0003', '0004', '0123']);
	// The range that the British regulator keeps for film and television.
	for (const { phone } of contacts) {
		expect(phone).toMatch(/^\+442079460\d{3}$/);
	}
});

/** The data tables that the examples create, each with its columns. */
function createdTables(): Array<{ name: string; columns: string }> {
	return files
		.flatMap((file) => readExample(file).nodes)
		.filter(({ type, parameters }) => type === 'n8n-nodes-base.dataTable' && parameters.operation === 'create')
		.map(({ parameters }) => ({ name: String(parameters.tableName), columns: JSON.stringify(parameters.columns) }));
}

test('examples that share a data table create it with the same columns, whichever of them runs first', () => {
	const tables = createdTables();
	const columnsOf = new Map(tables.map(({ name, columns }) => [name, columns]));
	expect(tables.filter(({ name, columns }) => columnsOf.get(name) !== columns)).toEqual([]);
	expect(tables.filter(({ name }) => name === 'Do-Not-Call List').length).toBeGreaterThan(2);
});

test('no name of a data table is part of that of another one, because n8n searches by parts of names', () => {
	const names = [...new Set(createdTables().map(({ name }) => name))];
	const parts = names.flatMap((name) =>
		names.filter((other) => other !== name && other.toLowerCase().includes(name.toLowerCase())),
	);
	expect(names.length).toBeGreaterThan(5);
	expect(parts).toEqual([]);
});

test('a note over a node, over its name or over another note is found', () => {
	const note = (position: [number, number], content: string) => {
		return { name: 'Note', type: STICKY_NOTE, parameters: { content, width: 400, height: 300 }, position };
	};
	const node = (position: [number, number]) => ({ name: 'Node', type: 'some.node', parameters: {}, position });
	expect(overlaps([note([0, 0], '### Short'), node([40, 150])])).toEqual([]);
	expect(overlaps([note([0, 0], '### Short'), node([420, 150])])).toEqual([]);
	expect(overlaps([note([0, 0], '### Short'), node([350, 150])])).toEqual(['The edge of "Note" goes through "Node"']);
	expect(overlaps([note([0, 0], '### Short'), node([40, 190])])).toEqual(['The edge of "Note" goes through "Node"']);
	expect(overlaps([note([0, 0], 'Many words. '.repeat(50)), node([40, 150])])).toEqual([
		'The text of "Note" is behind "Node"',
	]);
	expect(overlaps([note([0, 0], 'One'), note([390, 0], 'Two')])).toEqual(['"Note" overlaps "Note"']);
	expect(overlaps([note([0, 0], 'Many words. '.repeat(150))])).toEqual(['The text of "Note" is longer than the note']);
});

test('a line through a node, through its name or through the text of a note is found', () => {
	const node = (name: string, position: [number, number], type = 'some.node') => {
		return { name, type, parameters: {}, position };
	};
	const to = (name: string) => ({ A: { main: [[{ node: name, index: 0 }]] } });
	const [start, end, back] = [node('A', [0, 0]), node('B', [600, 0]), node('C', [-400, 0])];
	expect(crossings([start, end, node('Aside', [300, 60])], to('B'))).toEqual([]);
	expect(crossings([start, end, node('Between', [300, 40])], to('B'))).toEqual([
		'The line from "A" to "B" goes through "Between"',
	]);
	expect(crossings([start, end, node('Above', [300, -70])], to('B'))).toEqual([
		'The line from "A" to "B" goes through the name of "Above"',
	]);
	const content = 'Many words. '.repeat(12);
	const note = {
		...node('Note', [250, 0], 'n8n-nodes-base.stickyNote'),
		parameters: { content, width: 300, height: 200 },
	};
	expect(crossings([start, end, note], to('B'))).toEqual(['The line from "A" to "B" goes through the text of "Note"']);
	// A line that leads back goes around below its start.
	expect(crossings([start, back, node('Below', [-200, 120])], to('C'))).toEqual([
		'The line from "A" to "C" goes through "Below"',
	]);
	expect(crossings([start, back, node('Further Down', [-200, 200])], to('C'))).toEqual([]);
	// The second of four outputs is higher than the input that it leads to.
	const rules = { values: [1, 2, 3, 4] };
	const many = { ...start, type: 'n8n-nodes-base.switch', parameters: { rules } };
	const second = { A: { main: [null, [{ node: 'B', index: 0 }]] } };
	expect(crossings([many, { ...end, position: [600, 400] }, node('Between', [150, 20])], second)).toEqual([
		'The line from "A" to "B" goes through "Between"',
	]);
});
