// Which item the expressions of a tool are about, by version of the AI Agent node: in any version of n8n.

import { createAgent, NEWEST_AGENT, OLDER_AGENT } from './agentWorkflow.mts';
import { modelFor } from './example.mts';
import type { Turn } from './fakeModel.mts';
import { byId, Instance, type WorkflowNode } from './instance.mts';
import { toolNode } from './mcpServer.mts';
import { doesN8n } from './olderN8n.mts';

let n8n: Instance;

beforeAll(async () => {
	n8n = await Instance.share();
});

beforeEach(async () => {
	await n8n.service.post('/_sandbox/reset');
});

/** What a tool can say about a person. What is of the whole run, or from the model, is right in every agent. */
const OF_ITEM = ['{{ $json.name }}'];
const OF_NODE = ["{{ $('People').item.json.name }}", "{{ $('People').itemMatching($itemIndex).json.name }}"];
const OF_RUN = ["{{ $('People').first().json.greeting }}", '{{ $workflow.name }}', "{{ $fromAI('name') }}"];
const all = [...OF_ITEM, ...OF_NODE, ...OF_RUN];

const people = ['Ada', 'Ben'];

/** A number that each person has for each tool. */
const numberOf = (person: string, expression: string) =>
	`+120255501${all.indexOf(expression)}${people.indexOf(person)}`;

const hasValue = (expression: string) => doesN8n('findsNodesInTools') || !expression.includes("$('");

/** What is said of a person if it is right. */
function rightValue(person: string, expression: string): string {
	if (expression === '{{ $workflow.name }}') {
		return 'Agent';
	}
	return expression.includes('name') ? person : 'Hello';
}

/** The calls that say what is right. */
const calls = (persons: string[], expressions: string[]) =>
	persons
		.flatMap((person) =>
			expressions.filter(hasValue).map((expression) => ({
				to: numberOf(person, expression),
				context: { value: rightValue(person, expression) },
			})),
		)
		.toSorted((one, other) => one.to.localeCompare(other.to));

const place = (more: object) => ({
	resource: 'call',
	operation: 'place',
	agent: byId(n8n.sandbox.agentId),
	phoneNumber: "={{ $fromAI('phone') }}",
	maxCalls: 99,
	maxCallsPerHour: 999,
	...more,
});

/** A tool that places a call with a value in the metadata. */
const saying = (value: string) =>
	place({ options: { metadataFields: { values: [{ name: 'value', value: `=${value}` }] } } });

interface Scene {
	version: number;
	batchSize?: number;
	names?: string[];
	/** The node before the agent, whose second output leads there. */
	last?: WorkflowNode;
	isLoop?: boolean;
}

/** Lets an agent use each tool once for each person. @returns the calls, by number, and what the tools have answered last */
async function callsOf(scene: Scene, tools: Array<[expression: string, parameters: Record<string, unknown>]>) {
	const { names = people, last } = scene;
	const turns = new Map<string, number>();
	const model = await modelFor(n8n, (name): Turn => {
		const turn = turns.get(name) ?? 0;
		turns.set(name, turn + 1);
		const [expression] = tools[turn] ?? [];
		return expression === undefined
			? { say: 'Done.' }
			: { tool: `Tool_${turn}`, args: { phone: numberOf(name, expression), name } };
	});
	// No model passes this number.
	const given = names.map((name) => ({ name, greeting: 'Hello', phone: '+12025550199' }));
	const before = [n8n.given('People', given), ...(last ? [last] : [])];
	const workflowId = await createAgent(
		n8n,
		Object.fromEntries(
			tools.map(([, parameters], index) => {
				const name = `Tool_${index}`;
				// The agent goes on after a refusal, and in all versions of n8n it learns the reason.
				return [name, { ...toolNode(n8n, name, parameters), onError: 'continueRegularOutput' }];
			}),
		),
		{
			...scene,
			model,
			start: n8n.manualStart(),
			prompt: { promptType: 'define', text: '={{ $json.name }}' },
			batchSize: scene.batchSize ?? 1,
			before,
			output: last ? 1 : 0,
		},
	);
	await n8n.run(workflowId, 'Start');
	const dialed = (await n8n.dialed()).map(({ to, context }) => ({ to: String(to), context }));
	return {
		dialed: dialed.toSorted((one, other) => one.to.localeCompare(other.to)),
		answers: model.toolAnswers.join('\n'),
	};
}

const sayAll = async (scene: Scene) =>
	await callsOf(
		scene,
		all.map((expression) => [expression, saying(expression)]),
	);

describe.each([
	['2', OLDER_AGENT],
	['3', NEWEST_AGENT],
])('An AI agent of version %s', (_name, version) => {
	const isNewest = version === NEWEST_AGENT;

	test('that works on one item sends every value of it', async () => {
		const { dialed } = await sayAll({ version, names: ['Ada'] });
		expect(dialed).toEqual(calls(['Ada'], all));
	});

	test('that works on several items never sends the value of another one', async () => {
		const { dialed } = await sayAll({ version });
		expect(dialed).toEqual(calls(people, isNewest ? [...OF_ITEM, ...OF_RUN] : OF_RUN));
	});

	test('that works on several items at the same moment never sends the value of another one', async () => {
		const { dialed } = await sayAll({ version, batchSize: 2 });
		const right = calls(people, isNewest ? [...OF_ITEM, ...OF_RUN] : OF_RUN);
		if (isNewest) {
			expect(dialed).toEqual(right);
		} else {
			// It also refuses what n8n has passed from another item.
			expect(right).toEqual(expect.arrayContaining(dialed));
			expect(dialed.length).toBeGreaterThan(0);
		}
	});

	test('in a loop sends every value that n8n finds', async () => {
		const last = n8n.node('Loop', 'n8n-nodes-base.splitInBatches', 3, { batchSize: 1, options: {} });
		const { dialed } = await sayAll({ version, last, isLoop: true });
		expect(dialed).toEqual(calls(people, isNewest ? [...OF_ITEM, ...OF_RUN] : all));
	});

	test('behind an IF never sends the value of a person of the other branch', async () => {
		const conditions = { string: [{ value1: '={{ $json.name }}', value2: 'Ada' }] };
		const last = n8n.node('Is Ada', 'n8n-nodes-base.if', 1, { conditions });
		const { dialed } = await sayAll({ version, last });
		expect(dialed).toEqual(calls(['Ben'], isNewest ? [...OF_ITEM, ...OF_RUN] : all));
	});

	test('that works on several items is refused in whatever field the value is, and told what to do', async () => {
		const wrong = "={{ $('People').item.json.phone }}";
		const { dialed, answers } = await callsOf({ version }, [
			[all[0]!, place({ phoneNumber: wrong })],
			[all[1]!, place({ agent: byId(wrong) })],
			[all[2]!, place({ agentVariables: { mappingMode: 'defineBelow', value: { first_name: wrong } } })],
			[all[3]!, place({ options: { variablesJson: wrong } })],
			[all[4]!, place({ sending: { requestTimeout: wrong } })],
			[all[5]!, { resource: 'agent', operation: 'get', agent: byId(wrong) }],
		]);
		expect(dialed).toEqual([]);
		expect((await n8n.requests()).filter(({ path }) => path.includes('/agents/'))).toEqual([]);
		for (const field of ['Phone Number', 'Agent', 'Agent Variables', 'Variables (JSON)', 'Request Timeout']) {
			expect(answers).toContain(`${isNewest ? 'another item' : 'the first one'} for '${field}`);
		}
		expect(answers).toContain(isNewest ? 'Use $json' : 'Put Loop Over Items before the agent');
	});
});

test('A model cannot replace what a tool has from the item, by passing what it was not asked for', async () => {
	const tool = place({ phoneNumber: '={{ $json.phone }}' });
	const tried = await callsOf({ version: NEWEST_AGENT, names: ['Ada'] }, [['{{ $json.name }}', tool]]);
	expect(tried.dialed).toEqual([]);
	expect(tried.answers).toContain("'Phone Number' is from the item, and the model has passed another value for it");
});
