import { harness } from '../../harness.mts';
import { actionNode, useService } from '../../service.mts';

const service = useService();

const people = [
	{ name: 'Ada', to: '+12025550111' },
	{ name: 'Ben', to: '+12025550122' },
	{ name: 'Eva', to: '+12025550133' },
];
const wrong = expect.stringMatching(/another item for 'Phone Number'.*Use \$json/s);

interface Scene {
	items: object[];
	/** Whether the agent is behind the second output of a node. */
	isBehind?: boolean;
	executeOnce?: boolean;
}

/**
 * Lets n8n's engine run a tool for an agent, as for the AI Agent node of version 3: in the first turn for each item, in
 * another one for the first.
 *
 * @param passed what the model passes
 * @returns what the service was asked to call, and what the tool has answered
 */
async function callsOf(phoneNumber: string, { items, isBehind, executeOnce }: Scene, passed: object = {}) {
	const call = (itemIndex: number) => ({ tool: 'Phone', input: { called: 'for it', ...passed }, itemIndex });
	const turns = [items.slice(0, executeOnce ? 1 : undefined).map((_item, index) => call(index)), [call(0)]];
	const parameters = service.place({}, { phoneNumber, maxCalls: 99, maxCallsPerHour: 999, allowedPrefixes: '' });
	const nodes = [
		harness.sourceOf(items as never),
		{ name: 'Loop', type: 'harness.loop', parameters: { rounds: 1 } },
		{ name: 'Agent', type: 'harness.agent', parameters: { turns: turns as never, failingTries: 0 }, executeOnce },
		{ name: 'Phone', type: `${actionNode}Tool`, parameters },
	];
	const connections = { Source: [[isBehind ? 'Loop' : 'Agent']], Loop: [[], ['Agent']] };
	const tools = { Phone: 'Agent' };
	const workflow = { nodes, connections, tools, credentials: service.credentials() };
	const run = await harness.runWorkflow(workflow, { package: await harness.packageWithTool() });
	const answers = run.stored.data.resultData.runData.Phone!.map(({ data }) => JSON.stringify(data?.ai_tool));
	return { dialed: await service.dialed(), answers };
}

const numbers = people.map(({ to }) => to);

test('For several items, a tool calls the number of each by $json', async () => {
	const { dialed } = await callsOf('={{ $json.to }}', { items: people });
	expect(new Set(dialed)).toEqual(new Set(numbers));
});

test.each(["={{ $('Source').item.json.to }}", "={{ $('Source').all()[$itemIndex].json.to }}"])(
	'For several items, a tool calls nobody by %s, which is the first item for all of them',
	async (phoneNumber) => {
		const { dialed, answers } = await callsOf(phoneNumber, { items: people });
		expect(dialed).toEqual([]);
		expect(answers).toEqual(Array(4).fill(wrong));
	},
);

test.each([{ items: people.slice(1, 2) }, { items: people.slice(1), executeOnce: true }])(
	'For one item, a tool calls its number by the item of another node: %j',
	async (scene) => {
		const { dialed } = await callsOf("={{ $('Source').item.json.to }}", scene);
		expect(new Set(dialed)).toEqual(new Set([numbers[1]]));
	},
);

test('Behind the second output of a node, a tool calls nobody by the item of another node', async () => {
	const scene = { items: people.slice(0, 1), isBehind: true };
	const { answers } = await callsOf("={{ $('Source').item.json.to }}", scene);
	// n8n finds the item at first, and loses the output when the agent goes on.
	expect(answers).toEqual([expect.stringContaining(numbers[0]!), wrong]);
	expect(await service.dialed()).toEqual([numbers[0]]);
	const byJson = await callsOf('={{ $json.to }}', scene);
	expect(new Set(byJson.dialed)).toEqual(new Set([numbers[0]]));
});

describe('What the model passes without being asked', () => {
	const stranger = '+12025550199';

	test('replaces no property of the item', async () => {
		const { dialed, answers } = await callsOf('={{ $json.to }}', { items: people.slice(0, 1) }, { to: stranger });
		expect(dialed).toEqual([]);
		expect(answers[0]).toContain("'Phone Number' is from the item, and the model has passed another value for it");
	});

	test('is no property that the item lacks', async () => {
		const { dialed } = await callsOf(
			'={{ $json.mobile ?? $json.to }}',
			{ items: people.slice(0, 1) },
			{ mobile: stranger },
		);
		expect(dialed).toEqual([]);
	});

	test('does not matter where it is the same, or for another property', async () => {
		const { dialed } = await callsOf(
			'={{ $json.to }}',
			{ items: people.slice(0, 1) },
			{ ...people[0], mobile: stranger },
		);
		expect(new Set(dialed)).toEqual(new Set([numbers[0]]));
	});
});
