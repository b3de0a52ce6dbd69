import { harness } from '../../harness.mts';
import {
	actionNode,
	byId,
	type Fault,
	goesOn,
	jsonOf,
	loopAround,
	retried,
	to,
	until,
	useService,
} from '../../service.mts';

const numbers = ['+12025550111', '+12025550122', '+12025550133'];
const unknown = { result: 'unknown', code: 'OUTCOME_UNKNOWN' };
const notTried = { result: 'notTried', code: 'NOT_TRIED' };

const service = useService();
/** Two agents and two campaigns. */
let agents: [string, string];
let campaigns: [string, string];
beforeAll(async () => {
	const two = async (path: string, first: string): Promise<[string, string]> => {
		const list = (await service.api('GET', path)).body.data as Array<{ id: string }>;
		return [first, list.find(({ id }) => id !== first)!.id];
	};
	agents = await two('agents?status=published&direction=outbound', service.seed.agents.published);
	campaigns = await two('campaigns?status=active', service.seed.campaigns.active);
});

/** The second item has another agent or campaign than the others, so that a fault can match it alone. */
const either = ([first, second]: [string, string], isSecond = '$json.to === "+12025550122"') =>
	byId(`={{ ${isSecond} ? '${second}' : '${first}' }}`);
const dialing = {
	place: (options = {}, isSecond?: string) => service.place(options, { agent: either(agents, isSecond) }),
	queueCall: (options = {}, isSecond?: string) =>
		service.queue({ ifAlreadyQueued: 'queueAgain', ...options }, { campaign: either(campaigns, isSecond) }),
};
const operations = ['place', 'queueCall'] as const;
const refused = { kind: 'status', status: 403 } as const;

/** Makes the second item's next request fail. */
async function failSecond(operation: (typeof operations)[number], fault: Omit<Fault, 'match'>): Promise<void> {
	const path = operation === 'place' ? `agents/${agents[1]}` : `campaigns/${campaigns[1]}`;
	await service.fault({ match: { method: 'POST', path: `/api/v1/${path}/call` }, ...fault });
}

const inLoop = (rounds: number, node: object, items: Array<Record<string, unknown>> = to(...numbers)) => ({
	...loopAround(rounds, node, items),
	credentials: service.credentials(),
});

/** How often each number was sent to the service, or accepted by it. */
async function dialed(isAccepted = false): Promise<number[]> {
	const all = await service.dialed(isAccepted);
	return numbers.map((number) => all.filter((one) => one === number).length);
}

describe.each(operations)('%s', (operation) => {
	test.each([
		['once for each round', undefined],
		['for its own round only in another try', refused],
	])('in a loop dials each number %s', async (_what, fault) => {
		if (fault) {
			await failSecond(operation, fault);
		}
		const { status, nodes } = await harness.runWorkflow(inLoop(3, { parameters: dialing[operation](), ...retried }));
		expect([status, nodes.Call?.length, await dialed(true)]).toEqual(['success', 3, [3, 3, 3]]);
	});

	const toolType = { type: `${actionNode}Tool` };
	const limits = { maxCalls: 99, maxCallsPerHour: 999 };
	test.each<[string, Omit<Fault, 'match'>, object, object, number, object]>([
		['a node in a loop, without an answer', { kind: 'drop-after' }, {}, {}, 12, notTried],
		[
			'a tool, with an answer that says nothing',
			{ kind: 'status', status: 200, body: { data: [] } },
			toolType,
			limits,
			1,
			unknown,
		],
	])(
		'is not sent again in any of eleven later runs if its outcome is unknown: %s',
		async (_what, fault, type, more, others, said) => {
			await failSecond(operation, fault);
			const workflow = inLoop(12, { parameters: { ...dialing[operation](), ...more }, ...goesOn, ...type });
			const { nodes } = await harness.runWorkflow(workflow, { package: await harness.packageWithTool() });
			// A node calls the others in each round, a tool once.
			expect(await dialed()).toEqual([others, 1, others]);
			expect(nodes.Call?.at(-1)?.outputs[0]?.[1]?.json).toMatchObject(said);
		},
	);

	test('a phone is not called in the next round if its outcome is unknown, with another owner and number either', async () => {
		await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
		const parameters = dialing[operation]({}, '$runIndex === 1');
		parameters.phoneNumber = "={{ $runIndex === 0 ? '+970591234567' : '+972591234567' }}";
		const { nodes } = await harness.runWorkflow(inLoop(2, { parameters, ...goesOn }, [{}]));
		expect(await service.dialed()).toHaveLength(1);
		expect(nodes.Call?.flatMap(jsonOf)).toMatchObject([unknown, notTried]);
	});
});

test.each<[string, (to: string) => object]>([
	['the body', (to) => ({ id: 'a', agent_id: 'b', to, status: 'initiated' })],
	['data', (to) => ({ success: true, data: { id: 'a', to, status: 'queued' } })],
	['data as a UUID', (to) => ({ success: true, data: { uuid: 'a', to, status: 'queued' } })],
])('where the ID of a call is in %s, the next try has that call and goes on', async (_where, body) => {
	for (const parameters of [service.place(), service.queue()]) {
		await service.reset();
		const post = { method: 'POST' };
		await service.fault({ match: post, kind: 'status', status: 200, body: body(numbers[0]!) });
		await service.fault({ match: post, ...refused });
		const inTurn = { ...parameters, sending: { maxConcurrentRequests: 1 } };
		const ran = await service.run(inTurn, to(...numbers), { node: retried });
		expect([ran.tries, await dialed()]).toEqual([2, [1, 2, 1]]);
		expect(jsonOf(ran)).toMatchObject([{ to: numbers[0], alreadySent: true }, { to: numbers[1] }, { to: numbers[2] }]);
	}
});

test('a number that had a call before is not called at the next try, even if that call has ended', async () => {
	const [first, second] = numbers as [string, string];
	await service.api('POST', `campaigns/${campaigns[0]}/call`, { to: first });
	await failSecond('queueCall', refused);
	const parameters = dialing.queueCall({ ifAlreadyQueued: 'returnExisting' });
	const running = service.run(parameters, to(first, second), { node: { ...retried, waitBetweenTries: 1000 } });
	await until(async () => (await service.requests('POST', `${campaigns[1]}/call`)).length === 1);
	await service.advance(120);
	const ran = await running;
	expect(ran.tries).toBe(2);
	expect(jsonOf(ran)).toMatchObject([
		{ id: expect.any(String), to: first, result: 'alreadyQueued', isTest: null },
		{ to: second, result: 'queued' },
	]);
	expect(await service.requests('POST', `${campaigns[0]}/call`)).toHaveLength(2);
});
