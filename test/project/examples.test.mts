import assert from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type INode, type INodeParameters, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { VoiceAgentCallingTrigger } from '../../nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts';
import { readExample, type WorkflowFile } from '../../scripts/lib/examples.mts';
import { root } from '../../scripts/lib/places.mts';
import { workflowsIn } from '../docs/pageWorkflows.mts';
import { assertKnown } from '../integration/knownParameters.mts';
import { overlaps } from './canvas.mts';
import { numberReadings } from './numberReading.mts';
import { filesIn } from './sources.mts';

type ExampleNode = WorkflowFile['nodes'][number];
const files = readdirSync(join(root, 'examples'));

const descriptions: Record<string, INodeTypeDescription> = {
	'n8n-nodes-voice-agent-calling.voiceAgentCalling': new VoiceAgentCalling().description,
	// As n8n names the node that an AI agent uses.
	'n8n-nodes-voice-agent-calling.voiceAgentCallingTool': new VoiceAgentCalling().description,
	'n8n-nodes-voice-agent-calling.voiceAgentCallingTrigger': new VoiceAgentCallingTrigger().description,
};

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

const AI = '@n8n/n8n-nodes-langchain';

/** The credential that each node of n8n needs; null where it needs none. */
const credentials: Record<string, string | null> = {
	...Object.fromEntries(
		[
			'aggregate',
			'code',
			'convertToFile',
			'dataTable',
			'dateTime',
			'evaluation',
			'evaluationTrigger',
			'executeWorkflow',
			'executeWorkflowTrigger',
			'extractFromFile',
			'filter',
			'form',
			'git',
			'if',
			'limit',
			'manualTrigger',
			'merge',
			'noOp',
			'readWriteFile',
			'respondToWebhook',
			'scheduleTrigger',
			'set',
			'sort',
			'splitInBatches',
			'splitOut',
			'stickyNote',
			'stopAndError',
			'summarize',
			'switch',
			'wait',
		].map((name) => [`n8n-nodes-base.${name}`, null]),
	),
	...Object.fromEntries(
		['agent', 'chatTrigger', 'informationExtractor', 'outputParserStructured'].map((name) => [`${AI}.${name}`, null]),
	),
	[`${AI}.lmChatOpenAi`]: 'openAiApi',
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.googleSheets': 'googleSheetsOAuth2Api',
	'n8n-nodes-base.googleSheetsTrigger': 'googleSheetsTriggerOAuth2Api',
};

/** The nodes of n8n that need a credential if Authentication says so. */
const byAuthentication = ['formTrigger', 'httpRequest', 'webhook'].map((name) => `n8n-nodes-base.${name}`);

/** The type of credential that a node needs, or null. @throws if the type of the node is not listed */
function credentialOf({ type, parameters }: ExampleNode): string | null {
	const { authentication = 'none' } = parameters;
	if (byAuthentication.includes(type)) {
		return authentication === 'none' ? null : String(authentication);
	}
	const credential = type in descriptions ? 'voiceAgentCallingApi' : credentials[type];
	assert(credential !== undefined, `Say in this test which credential ${type} needs.`);
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
		.flatMap(({ options = [] }) => options as Array<{ value: string; description?: string }>)
		.some(({ value, description = '' }) => value === operation && description.includes('A real phone rings'));
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
		// Only an example that starts another one, or evaluates what calls have left, may have none of them.
		const withoutOwn = ['n8n-nodes-base.executeWorkflow', 'n8n-nodes-base.evaluationTrigger'];
		const others = workflow.nodes.filter(({ type }) => withoutOwn.includes(type));
		expect([...own, ...others]).not.toEqual([]);
		for (const { parameters } of own.filter(({ type }) => type.endsWith('.voiceAgentCalling'))) {
			assertKnown(parameters);
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
			const given = [description.properties, node.parameters as INodeParameters, true, false] as const;
			const kept = NodeHelpers.getNodeParameters(...given, node as INode, description);
			expect(Object.keys(kept ?? {})).toEqual(expect.arrayContaining(Object.keys(node.parameters)));
		}
	});

	test('connects only nodes that are there', () => {
		const names = workflow.nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		// n8n refuses a workflow with two nodes of one ID.
		expect(new Set(workflow.nodes.map((node) => Object(node).id)).size).toBe(names.length);
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

	test('needs two credentials at most', () => {
		const needed = workflow.nodes.flatMap((node) => credentialOf(node) ?? []);
		expect([...new Set(needed)].length).toBeLessThanOrEqual(2);
		expect(needed.length).toBeGreaterThan(0);
	});

	test('contains no ID of an account: no UUID, and nothing chosen from a list', () => {
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
});

test('the contacts have numbers that nobody has: the range that the British regulator keeps for film and television', () => {
	const node = readExample('queue-calls-for-contacts.json').nodes.find(({ name }) => name === 'Contacts');
	const { contacts } = JSON.parse(String(node?.parameters.jsonOutput)) as { contacts: Array<{ phone: string }> };
	expect(contacts.length).toBeGreaterThan(3);
	expect(contacts.filter(({ phone }) => !/^\+442079460\d{3}$/.test(phone))).toEqual([]);
});

test('no example and no page waits for a sub-workflow, or runs it in the mode that n8n 3 removes', () => {
	const workflows = [...files.map(readExample), ...filesIn(['docs'], /\.md$/).flatMap(workflowsIn)];
	const nodes = workflows.flatMap((workflow) => workflow.nodes.filter(({ type }) => type.endsWith('.executeWorkflow')));
	expect(nodes.length).toBeGreaterThan(0);
	for (const { name, parameters } of nodes) {
		expect([name, parameters.mode ?? 'once', parameters.options]).toEqual([
			name,
			'once',
			{ waitForSubWorkflow: false },
		]);
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
	const holds = (whole: string, name: string) => whole !== name && whole.toLowerCase().includes(name.toLowerCase());
	expect(names.length).toBeGreaterThan(5);
	expect(names.filter((name) => names.some((whole) => holds(whole, name)))).toEqual([]);
});

const textsIn = (value: unknown): string[] =>
	typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn);

/** The arguments of a call in a text. @param start after the parenthesis that opens */
function argumentsAt(text: string, start: number): string {
	let [end, open] = [start, 1];
	for (; open > 0 && end < text.length; end++) {
		open += { '(': 1, ')': -1 }[text[end]!] ?? 0;
	}
	return text.slice(start, end - 1);
}

/** Times that an example or this package's node has written, with a zone. */
const WRITTEN_WITH_ZONE = /(\b(asked_at|lastSuccessAt|nextAllowedAt|sentAt|since|start)|\$json\.(from|to))\)+$/;

/** Fields of the service that are times. */
const TIME_OF_SERVICE = /\b(created_at|updated_at|start_at|end_at|scheduled_at|timestamp)\b/;

/** Where nodes read times of the service without saying that they are in UTC, or hand them to a table like that. */
function timesWithoutZone(nodes: readonly ExampleNode[]): string[] {
	const read = nodes
		.flatMap(({ parameters }) => textsIn(parameters))
		.flatMap((text) =>
			[...text.matchAll(/(?:Date\.parse|new Date|DateTime\.from(?!Millis)\w+)\(/g)].map(
				({ 0: call, index }) => `${call}${argumentsAt(text, index + call.length)})`,
			),
		)
		.filter((call) => call !== 'new Date()' && !/\bzone\b/.test(call) && !WRITTEN_WITH_ZONE.test(call));
	const stored = nodes
		.filter(({ type }) => type === 'n8n-nodes-base.dataTable')
		.flatMap(({ parameters }) => textsIn(Object(parameters.columns).value))
		.filter((value) => TIME_OF_SERVICE.test(value) && !/\bzone\b/.test(value));
	return [...read, ...stored];
}

test.each(files)('times of the service are read in UTC, whatever the time zone of n8n: %s', (file) => {
	expect(timesWithoutZone(readExample(file).nodes)).toEqual([]);
});

test.each<[code: string, isFound: boolean]>([
	['DateTime.fromISO($json.created_at)', true],
	["DateTime.fromISO(rows.find(({ id }) => id === '7').start_at)", true],
	["DateTime.fromISO(String($json.created_at).replace(' ', 'T'), { zone: 'utc' })", false],
	['Date.parse($json.start_at)', true],
	['new Date($json.created_at)', true],
	['DateTime.fromISO($json.asked_at)', false],
])('a time that is read in the time zone of n8n is found: %s', (code, isFound) => {
	const node = { name: 'N', type: 'x', position: [0, 0] as [number, number], parameters: { value: `={{ ${code} }}` } };
	expect(timesWithoutZone([node])).toHaveLength(isFound ? 1 : 0);
});

test('a time that a table would read in the time zone of n8n is found', () => {
	const parameters = { columns: { value: { at: '={{ $json.created_at }}' } } };
	const node = { name: 'N', type: 'n8n-nodes-base.dataTable', position: [0, 0] as [number, number], parameters };
	expect(timesWithoutZone([node])).toEqual(['={{ $json.created_at }}']);
});

const noteAt = (position: [number, number], content: string) => ({
	name: 'Note',
	type: STICKY_NOTE,
	parameters: { content, width: 400, height: 300 },
	position,
});
const nodeAt = (...position: [number, number]) => ({ name: 'Node', type: 'some.node', parameters: {}, position });
const short = noteAt([0, 0], '### Short');

test.each([
	['Inside', [short, nodeAt(40, 150)], []],
	['Beside', [short, nodeAt(420, 150)], []],
	['On the edge', [short, nodeAt(350, 150)], ['The edge of "Note" goes through "Node"']],
	['With its name on the edge', [short, nodeAt(40, 190)], ['The edge of "Note" goes through "Node"']],
	['Over text', [noteAt([0, 0], 'Words '.repeat(100)), nodeAt(40, 150)], ['The text of "Note" is behind "Node"']],
	['Over a note', [short, noteAt([390, 0], 'Two')], ['"Note" overlaps "Note"']],
	['Too long', [noteAt([0, 0], 'Words '.repeat(300))], ['The text of "Note" is longer than the note']],
])('what is wrong on a canvas is found: %s', (_what, nodes, found) => {
	expect(overlaps(nodes)).toEqual(found);
});

const expression = (code: string) => ({
	name: 'N',
	type: 'n8n-nodes-base.set',
	parameters: { value: `={{ ${code} }}` },
});
const script = (jsCode: string) => ({ name: 'N', type: 'n8n-nodes-base.code', parameters: { jsCode } });
const phoneCondition = (keyValue: string, condition = 'eq') => ({
	name: 'N',
	type: 'n8n-nodes-base.dataTable',
	parameters: { filters: { conditions: [{ keyName: 'phone', condition, keyValue }] } },
});
const setsPhone = (value: string) => ({
	name: 'Set',
	type: 'n8n-nodes-base.set',
	parameters: { assignments: { assignments: [{ name: 'whom', value, type: 'string' }] } },
});

test.each([
	['what is dropped from it', [expression("String($json.phone ?? '').replace(/[\\s().-]/g, '')")]],
	["a pattern of one's own", [expression('/^\\+[1-9]\\d{6,14}$/.test($json.phone)')]],
	[
		'under another name',
		[script('const { Phone: given } = $json; const text = String(given).trim(); return text.slice(1);')],
	],
	['in a function', [script("const digits = (text) => text.replace(/\\D/g, ''); return digits($json.number);")]],
	['in a function for each', [script('const f = (x) => x.match(/\\d+/); return phones.map(f);')]],
	['in a loop', [script("for (const one of phones) out.push(one['replaceAll'](' ', ''));")]],
	['digit by digit', [script('return [...$json.phone].filter((one) => /\\d/.test(one));')]],
	['as an element', [script("return $json['Phone Number'].split(' ').join('');")]],
	['as a number', [expression('Number($json.phone)')]],
	['with a prefix', [expression("'+' + $json.number")]],
	['with a prefix in a text', [expression('`+44${$json.number}`')]],
	[
		'with a prefix before the expression',
		[{ name: 'N', type: 'x', parameters: { phoneNumber: '=+{{ $json.phone }}' } }],
	],
	['the sender of a message', [expression("$json.body.from.startsWith('+')")]],
	['also what the node has read', [expression('$json.normalizedTo.slice(1)')]],
	['through another node', [setsPhone('={{ $json.phone }}'), expression("$json.whom.replace('0', '')")]],
	['typed numbers compared', [script('return rows.filter(({ phone }) => phone === $json.phone);')]],
	['typed numbers in a set', [script('const known = new Set(); return rows.filter((row) => !known.has(row.number));')]],
	[
		'a typed number among the calls that the service has',
		[script('const called = new Set(calls.map(({ to }) => to)); return called.has($json.number);')],
	],
	['typed numbers in a list', [script('return phones.includes($json.phone);')]],
	['a typed number searched in a table', [phoneCondition('={{ $json.phone }}')]],
	['a part of a number searched in a table', [phoneCondition('={{ $json.normalizedTo }}', 'like')]],
	['in Python', [{ name: 'N', type: 'n8n-nodes-base.code', parameters: { pythonCode: 'return []' } }]],
])('a workflow that reads numbers itself is found: %s', (_what, nodes) => {
	expect(numberReadings(nodes)).not.toEqual([]);
});

test.each([
	['a name without HTML', [expression("String($json.name).replace(/[<>&]/g, '')")]],
	['whether there is one', [expression("String($json.phone ?? '').trim() !== ''")]],
	['one in a sentence', [expression("'Call ' + $json.name + ' (' + $json.phone + ')'")]],
	[
		'a sentence with one, escaped',
		[script("const lines = [$json.phone + ' is blocked']; return lines[0].replace(/</g, '');")],
	],
	['the number that was read, compared', [script('return calls.filter(({ to }) => to === $json.normalizedTo);')]],
	[
		'the calls that the service has',
		[
			script('return [{ json: { number: $json.normalizedTo } }];'),
			script('const called = new Set(calls.map(({ to }) => to)); return called.has($json.number);'),
		],
	],
	['the number that was read, searched in a table', [phoneCondition("={{ $('Check').first().json.normalizedTo }}")]],
	['a list of numbers', [expression("form['Phone Numbers'].split(',').map((one) => one.trim()).filter(Boolean)")]],
	['an interval', [script('const { from, to } = $json; return to - from;')]],
	['a type', [expression("typeof $json.price === 'number' && Number.isFinite($json.price)")]],
	['a row number', [expression('$json.row_number + 1 === 2')]],
])('what is no reading of a number is allowed: %s', (_what, nodes) => {
	expect(numberReadings(nodes)).toEqual([]);
});

test.each(files)('%s leaves phone numbers to the node: it changes none, and compares none as text', (file) => {
	expect(numberReadings(readExample(file).nodes)).toEqual([]);
});
