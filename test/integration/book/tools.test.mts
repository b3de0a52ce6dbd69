import { harness } from '../harness.mts';
import { byId, goesOn, retried, useService } from '../service.mts';
import { AGENTS, agentWorkflow, idsIn, phone, phoneTool, runAgent, saidByTool, type Use } from './kit.mts';

const service = useService();
const [ada, bob, cleo, dan] = ['+12025550111', '+12025550122', '+12025550133', '+12025550144'] as const;
const eachTime = { repeatedNumber: 'callEachTime' };
/** Other metadata at each use make no other call. */
const changing = { metadataJson: '={{ { at: Math.random() } }}' };
const post = { method: 'POST' };
const refused = { match: post, kind: 'status', status: 403 } as const;
const cut = { match: post, kind: 'drop-after' } as const;
const sorted = async (isAccepted = false) => (await service.dialed(isAccepted)).toSorted();

describe.each(AGENTS)('a tool of an AI agent (%s)', (kind) => {
	const run = async (turns: Use[][], tools = [phoneTool(service, {}, changing, goesOn)], more = {}) =>
		await runAgent(agentWorkflow(service, kind, turns, tools, more));

	test('calls a phone once, however often and in whatever notation the model asks for it, and says so', async () => {
		const ran = await run([[phone(ada), phone(ada), phone('+1 (202) 555-0111')], [phone(bob)], [phone(ada)]]);
		expect(await sorted()).toEqual([ada, bob]);
		const said = saidByTool(ran).filter(({ to }) => to !== bob);
		expect(said.map(({ to }) => to)).toEqual([ada, ada, ada, ada]);
		expect(idsIn(said)).toHaveLength(1);
		const repeats = said.filter(({ alreadySent }) => alreadySent === true);
		expect(repeats).toHaveLength(3);
		for (const { message } of repeats) {
			expect(message).toContain('Not called again');
		}
	});

	test('calls nobody again if the model fails afterwards and n8n runs the agent again', async () => {
		const ran = await run([[phone(ada)], [phone(bob)]], undefined, { failingTries: 2 });
		expect([ran.status, await sorted()]).toEqual(['success', [ada, bob]]);
		expect(idsIn(saidByTool(ran))).toHaveLength(2);
	});

	test('calls nobody again who is called by another tool', async () => {
		const tools = ['Phone', 'Other'].map((name) => ({ ...phoneTool(service, {}, changing, goesOn), name }));
		const other = { tool: 'Other', input: { phone: ada } };
		const ran = await run([[phone(ada), other], [other]], tools, { failingTries: 1 });
		expect(await sorted()).toEqual([ada]);
		expect(idsIn([...saidByTool(ran), ...saidByTool(ran, 'Other')])).toHaveLength(1);
	});

	test('calls again only where a person has set Call Each Time', async () => {
		const ran = await run([[phone(ada), phone(ada)], [phone(ada)]], [phoneTool(service, {}, eachTime, goesOn)]);
		expect(await sorted()).toEqual([ada, ada, ada]);
		expect(idsIn(saidByTool(ran))).toHaveLength(3);
	});

	test('does not call in another try of the tool what may have been called, with Call Each Time either', async () => {
		await service.fault(cut);
		const ran = await run([[phone(ada)]], [phoneTool(service, {}, eachTime, retried)]);
		expect(await sorted()).toEqual([ada]);
		expect(JSON.stringify(saidByTool(ran))).toContain('nknown');
	});

	test('calls in another try of the tool whom the service has refused', async () => {
		await service.fault(refused);
		await run([[phone(ada)]], [phoneTool(service, {}, eachTime, retried)]);
		expect([await sorted(), await sorted(true)]).toEqual([[ada, ada], [ada]]);
	});

	test('calls no phone whose outcome is unknown, by no tool, owner or agent above that is run again', async () => {
		await service.fault(cut);
		const campaign = { operation: 'queueCall', resource: 'campaign', campaign: byId(service.seed.campaigns.active) };
		const tools = [
			phoneTool(service, {}, changing, goesOn),
			{ ...phoneTool(service, {}, {}, goesOn), name: 'Other' },
			{ ...phoneTool(service, campaign, {}, goesOn), name: 'Queue' },
			{ ...phoneTool(service, {}, eachTime, goesOn), name: 'Each' },
		];
		const turns = tools.map(({ name }) => [{ tool: name, input: { phone: ada } }, phone(bob)]);
		const ran = await run(turns, tools, { failingTries: 1 });
		expect(await sorted()).toEqual([ada, bob]);
		const said = tools.flatMap(({ name }) => saidByTool(ran, name)).filter(({ to }) => to !== bob);
		expect(said.length).toBeGreaterThanOrEqual(4);
		for (const one of said) {
			expect(JSON.stringify(one)).toMatch(/unknown/i);
			expect(one.result).not.toBe('sameNumber');
			expect(one.result).not.toBe('placed');
		}
	});

	test.each([
		['Max Calls per Run', { maxCalls: 2 }, {}],
		['Calls per Run', {}, { callsPerRun: 2 }],
	])(
		'keeps to %s, also where the model uses it several times at once, and gives no error',
		async (_limit, own, all) => {
			const turn = [ada, bob, cleo, dan].map((number) => phone(number));
			const ran = await run([turn, turn], [phoneTool(service, own)], { credentials: all });
			expect([ran.status, (await sorted()).length]).toEqual(['success', 2]);
			const results = saidByTool(ran).map(({ result, alreadySent }) => (alreadySent === true ? 'again' : result));
			const wanted = ['again', 'again', ...Array<string>(4).fill('limitReached'), 'placed', 'placed'];
			expect(results.toSorted()).toEqual(wanted.toSorted());
		},
	);

	test('counts a repeated call once, and a refused one not at all', async () => {
		await service.fault(refused);
		const turns = [[phone(ada)], [phone(bob)], [phone(bob)], [phone(cleo)]];
		await run(turns, [phoneTool(service, { maxCalls: 2 }, {}, goesOn)]);
		expect(await sorted(true)).toEqual([bob, cleo]);
	});
});

test('where the first of two uses at once is refused, the other one calls', async () => {
	await service.fault({ match: post, kind: 'latency', ms: 30 });
	await service.fault(refused);
	await service.fault({ match: post, kind: 'latency', ms: 30 });
	const turns = [[phone(bob), phone(ada), phone(ada), phone(ada)]];
	await runAgent(agentWorkflow(service, 'olderAgent', turns, [phoneTool(service, {}, {}, goesOn)]));
	expect(await sorted(true)).toEqual([ada, bob]);
});

test("n8n's Retry of an agent whose model has failed calls nobody again", async () => {
	for (const kind of AGENTS) {
		await service.reset();
		const turns = [[phone(ada)], [phone(bob)]];
		const spec = agentWorkflow(service, kind, turns, [phoneTool(service, {}, changing, goesOn)], {
			failingTries: 1,
			retryOnFail: false,
		});
		const options = { package: await harness.packageWithTool() };
		const ran = await harness.runWorkflow(spec, options);
		expect(ran.status).toBe('error');
		for (let count = 0; count < 2; count++) {
			await harness.retryWorkflow(spec, ran, options);
		}
		expect(await sorted()).toEqual([ada, bob]);
	}
});

test('the calls of a node and of a tool are not each other’s: a node calls once for each run', async () => {
	const spec = agentWorkflow(service, 'agent', [[phone(ada)]], [phoneTool(service)]);
	const node = {
		...phoneTool(service, { phoneNumber: ada }),
		name: 'Call',
		type: phoneTool(service).type.replace(/Tool$/, ''),
	};
	await runAgent({ ...spec, nodes: [...spec.nodes, node], connections: { Source: [['Agent']], Agent: [['Call']] } });
	expect(await sorted()).toEqual([ada, ada]);
});
