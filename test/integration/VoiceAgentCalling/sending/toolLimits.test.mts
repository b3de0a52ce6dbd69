import { randomUUID } from 'node:crypto';

import { type CallTool, harness } from '../../harness.mts';
import { actionNode, goesOn, to, useService } from '../../service.mts';

const service = useService();
afterAll(() => harness.restoreTime());

const phones = ['+12025550111', '+12025550122', '+12025550133', '+12025550144'] as const;
const post = { match: { method: 'POST' } };
const place = (more: object = {}) => service.place({}, { phoneNumber: "={{ $fromAI('phone') }}", ...more });
const dialed = async () => await service.dialed();

/** The circumstances of a tool, in a workflow that no other test uses. */
const given = (workflowId: string = randomUUID()) => ({ credentials: service.credentials(), workflowId });

/** The node as a tool of the MCP Server Trigger. */
const tool = async (parameters: object, node: object = {}, workflowId?: string): Promise<CallTool> =>
	await harness.mcpTool({ parameters: parameters as never, ...node }, given(workflowId));

async function callAll(call: CallTool, numbers: readonly string[] = phones): Promise<string[]> {
	const answers: string[] = [];
	for (const phone of numbers) {
		answers.push(await call({ phone }));
	}
	return answers;
}

describe('As a tool of the MCP Server Trigger in regular mode, which runs it outside of an execution', () => {
	test('it places the call that the client asks for, and again at its next request', async () => {
		const [answer] = await callAll(await tool(place()), [phones[0], phones[0]]);
		expect(answer).toContain(phones[0]);
		expect(await dialed()).toEqual([phones[0], phones[0]]);
	});

	test('Retry On Fail does not call again where the outcome of the first try is unknown', async () => {
		await service.fault({ ...post, kind: 'drop-after' });
		const call = await tool(place(), { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 });
		expect(await call({ phone: phones[0] })).toContain('Outcome unknown');
		expect(await dialed()).toEqual([phones[0]]);
	});
});

test('As a tool of the MCP Server Trigger in queue mode, Max Calls per Hour holds over the executions of a worker', async () => {
	const parameters = place({ maxCallsPerHour: 2 });
	const answers = await callAll(await harness.queuedMcpTool({ parameters }, given()));
	expect(answers[2]).toContain('limit of 2 calls per hour');
	expect(await dialed()).toEqual(phones.slice(0, 2));
});

test('Max Calls per Run counts the calls of all tools of an execution', async () => {
	const limits = { maxCalls: 1, maxCallsPerHour: 99, allowedPrefixes: '' };
	const nodes = [service.place, service.queue, service.place].map((of, index) => ({
		name: `Tool ${index}`,
		type: `${actionNode}Tool`,
		...goesOn,
		parameters: of.call(service, {}, { ...limits, phoneNumber: phones[index] }),
	}));
	const workflow = { nodes: [harness.sourceOf([{}]), ...nodes], credentials: service.credentials() };
	await harness.runWorkflow(workflow, { package: await harness.packageWithTool() });
	expect(await dialed()).toEqual(phones.slice(0, 1));
});

describe('An agent that works on several items at the same moment', () => {
	/** The answers to a call of each number, each by the tool of another item. */
	async function callByItem(isAtOnce: boolean): Promise<string[]> {
		const tools = await harness.batchTools(phones.length, { parameters: place({ maxCalls: 9 }) }, given());
		const numbers = [...phones.entries()];
		if (isAtOnce) {
			return await Promise.all(numbers.map(async ([item, phone]) => await tools[item]!({ phone })));
		}
		const answers: string[] = [];
		for (const [item, phone] of numbers) {
			answers.push(await tools[item]!({ phone }));
		}
		return answers;
	}

	test.each([true, false])(
		'calls nobody with the arguments that n8n has of another item: at once %j',
		async (isAtOnce) => {
			const [first, ...others] = await callByItem(isAtOnce);
			expect(await dialed()).toEqual([phones[0]]);
			expect(first).toContain(phones[0]);
			for (const answer of others) {
				expect(answer).toContain("Set 'Batch Size' of the AI Agent to 1");
			}
		},
	);

	test('calls each number of one item once, in whatever order the calls begin', async () => {
		const [tool] = await harness.batchTools(1, { parameters: place({ maxCalls: 9 }) }, given());
		await Promise.all(phones.slice(0, 3).map(async (phone) => await tool!({ phone })));
		await tool!({ phone: phones[3] });
		expect((await dialed()).toSorted()).toEqual([...phones]);
	});
});

describe('Max Calls per Hour', () => {
	test('is 10 unless a person sets it', async () => {
		const numbers = Array.from({ length: 12 }, (_, index) => `+120255501${String(index).padStart(2, '0')}`);
		await callAll(await tool(place()), numbers);
		expect(await dialed()).toHaveLength(10);
	});

	test.each(['webhook', 'manual'] as const)(
		'holds across executions, as of a chat or by hand, and does not concern a node that is no tool: %s',
		async (mode) => {
			const own = { package: await harness.packageWithTool(), workflowId: `chat-${mode}`, mode };
			for (const phoneNumber of phones) {
				const node = { type: `${actionNode}Tool` };
				await service.run(place({ phoneNumber, maxCallsPerHour: 2 }), [{}], { node, ...own });
			}
			expect(await dialed()).toEqual(phones.slice(0, 2));
			await service.run(service.place({}, { maxCallsPerHour: 1 }), to(...phones), own);
			expect(await dialed()).toHaveLength(2 + phones.length);
		},
	);
});

describe('No model sets a limit or chooses what the tool does', () => {
	const values = { maxCalls: 100, maxCallsPerHour: 100, allowedPrefixes: '+', resource: 'call', operation: 'place' };
	test.each(Object.entries(values))('an expression in %s is refused, and nothing is sent', async (parameter, value) => {
		// n8n takes the equals sign off all expressions but $fromAI where a field allows none: a text is left.
		const text = /is an expression|cannot be|There is no (resource|operation)/;
		for (const [expression, message] of [
			[`={{ $fromAI('it', '', '${typeof value}') }}`, /must be a fixed value/],
			['={{ $json.it }}', text],
			[`={{ ${JSON.stringify(value)} }}`, text],
		] as const) {
			const call = await tool(place({ [parameter]: expression }));
			expect(await call({ phone: phones[0], it: value })).toMatch(message);
		}
		expect(await service.requests()).toEqual([]);
	});

	test('a limit that is no positive whole number is refused, and nothing is sent', async () => {
		const call = await tool(place({ maxCallsPerHour: 0 }));
		expect(await call({ phone: phones[0] })).toContain('Max Calls per Hour');
		expect(await service.requests()).toEqual([]);
	});
});
