import { randomUUID } from 'node:crypto';

import { type CallTool, harness } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());
afterAll(() => harness.restoreTime());

const place = (more: object = {}) => ({
	resource: 'call',
	operation: 'place',
	agent: byId(service.seed.agents.published),
	phoneNumber: "={{ $fromAI('phone') }}",
	...more,
});

/** The node as a tool of the MCP Server Trigger, in a workflow that no other test uses. */
const tool = async (parameters: object, node: object = {}, workflowId: string = randomUUID()): Promise<CallTool> =>
	await harness.mcpTool(
		{ parameters: parameters as never, ...node },
		{ credentials: service.credentials(), workflowId },
	);

/** The numbers that the service was asked to call. */
const dialed = async () => (await service.requests('POST', '/call')).map(({ body }) => (body as { to: string }).to);

const phones = ['+12025550111', '+12025550122', '+12025550133', '+12025550144'];

async function callAll(call: CallTool, numbers: string[] = phones): Promise<string[]> {
	const answers: string[] = [];
	for (const phone of numbers) {
		answers.push(await call({ phone }));
	}
	return answers;
}

describe('As a tool of the MCP Server Trigger in regular mode, which runs it outside of an execution', () => {
	test('it places the call that the client asks for', async () => {
		const call = await tool(place());
		expect(await call({ phone: phones[0] })).toContain(phones[0]);
		expect(await dialed()).toEqual(phones.slice(0, 1));
	});

	test('Max Calls per Hour holds from one tool call to the next', async () => {
		const answers = await callAll(await tool(place({ maxCallsPerHour: 2 })));
		expect(await dialed()).toEqual(phones.slice(0, 2));
		expect(answers[2]).toMatch(/limit of 2 calls per hour.*in 60 minutes.*'Max Calls per Hour'/);
	});

	test('Retry On Fail does not call again where the outcome of the first try is unknown', async () => {
		await service.fault({ match: { method: 'POST' }, kind: 'drop-after', times: 1 });
		const call = await tool(place(), { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 });
		expect(await call({ phone: phones[0] })).toContain('Outcome unknown');
		expect(await dialed()).toEqual(phones.slice(0, 1));
	});

	test('two requests of a client are two runs: the same number may be called again', async () => {
		await callAll(await tool(place()), [phones[0]!, phones[0]!]);
		expect(await dialed()).toEqual([phones[0], phones[0]]);
	});
});

test('As a tool of the MCP Server Trigger in queue mode, Max Calls per Hour holds over the executions of a worker', async () => {
	const parameters = place({ maxCallsPerHour: 2 }) as never;
	const options = { credentials: service.credentials(), workflowId: randomUUID() };
	const answers = await callAll(await harness.queuedMcpTool({ parameters }, options));
	expect(answers[2]).toContain('limit of 2 calls per hour');
	expect(await dialed()).toEqual(phones.slice(0, 2));
});

describe('Max Calls per Hour', () => {
	test('is 10 unless a person sets it', async () => {
		const numbers = Array.from({ length: 12 }, (_, index) => `+120255501${String(index).padStart(2, '0')}`);
		await callAll(await tool(place()), numbers);
		expect(await dialed()).toHaveLength(10);
	});

	test('is a sliding hour', async () => {
		const call = await tool(place({ maxCallsPerHour: 2 }));
		await callAll(call, phones.slice(0, 1));
		harness.skipTime(40 * 60_000);
		expect((await callAll(call, phones.slice(1, 3)))[1]).toContain('in 20 minutes');
		harness.skipTime(20 * 60_000 + 1000);
		expect((await callAll(call, phones.slice(2)))[1]).toContain('in 40 minutes');
		expect(await dialed()).toEqual(phones.slice(0, 3));
	});

	test('does not count a call that the service certainly refused, and counts one with an unknown outcome', async () => {
		const call = await tool(place({ maxCallsPerHour: 2 }));
		await service.fault({ match: { method: 'POST' }, kind: 'status', status: 402, times: 3 });
		await callAll(call, phones.slice(0, 3));
		await service.fault({ match: { method: 'POST' }, kind: 'drop-before', times: 1 });
		const answers = await callAll(call, phones.slice(0, 3));
		expect(answers[0]).toContain('Outcome unknown');
		expect(answers[1]).toContain(phones[1]);
		expect(answers[2]).toContain('limit of 2 calls per hour');
	});

	test('counts all tools of a workflow with the same credential together, and other workflows apart', async () => {
		const workflowId = randomUUID();
		const queue = {
			...place(),
			resource: 'campaign',
			operation: 'queueCall',
			campaign: byId(service.seed.campaigns.active),
		};
		const limit = { maxCallsPerHour: 1 };
		await callAll(await tool({ ...queue, ...limit }, {}, workflowId), phones.slice(0, 1));
		await callAll(await tool(place(limit), {}, workflowId), phones.slice(1, 2));
		await callAll(await tool(place(limit)), phones.slice(2, 3));
		expect(await dialed()).toEqual([phones[0], phones[2]]);
	});

	test.each([
		['an execution of its own for each message of a chat', 'webhook'],
		['a run by hand', 'manual'],
	] as const)('holds across executions: %s', async (_what, mode) => {
		const run = async (phone: string) =>
			await service.run(place({ phoneNumber: phone, maxCallsPerHour: 2 }), [{}], {
				node: { type: 'n8n-nodes-voice-agent-calling.voiceAgentCallingTool' },
				package: await harness.packageWithTool(),
				workflowId: `chat-${mode}`,
				mode,
			});
		for (const phone of phones) {
			await run(phone);
		}
		expect(await dialed()).toEqual(phones.slice(0, 2));
	});

	test('does not concern a node that is no tool', async () => {
		await service.run(
			place({ phoneNumber: '={{ $json.to }}', maxCallsPerHour: 1 }),
			phones.map((to) => ({ to })),
		);
		expect(await dialed()).toHaveLength(phones.length);
	});
});

describe('No model sets a limit or chooses what the tool does', () => {
	test.each([
		['maxCalls', 100],
		['maxCallsPerHour', 100],
		['allowedPrefixes', '+'],
		['resource', 'call'],
		['operation', 'place'],
	])('an expression in %s is refused, and nothing is sent', async (parameter, value) => {
		for (const expression of [
			`={{ $fromAI('it', '', '${typeof value}') }}`,
			'={{ $json.it }}',
			`={{ ${JSON.stringify(value)} }}`,
		]) {
			const call = await tool(place({ [parameter]: expression }));
			expect(await call({ phone: phones[0], it: value })).toMatch(
				// n8n takes the equals sign off all expressions but $fromAI where a field allows none: a text is left.
				expression.includes('$fromAI')
					? /must be a fixed value/
					: /is an expression|cannot be|There is no operation|Could not get/,
			);
		}
		expect(await service.requests()).toEqual([]);
	});

	test('a limit that is no positive whole number is refused, and nothing is sent', async () => {
		for (const maxCallsPerHour of [0, -1, 1.5, 'many', null]) {
			expect(await (await tool(place({ maxCallsPerHour })))({ phone: phones[0] })).toContain('Max Calls per Hour');
		}
		expect(await service.requests()).toEqual([]);
	});
});
