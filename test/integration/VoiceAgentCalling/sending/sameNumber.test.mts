import { harness } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const number = '+12025550111';
const actionNode = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';
const inTurn = { sending: { maxConcurrentRequests: 1 } };

/** The numbers that the service accepted a call for. */
async function accepted(): Promise<string[]> {
	const requests = await service.requests('POST', '/call');
	return requests
		.filter(({ status }) => status === 200 || status === 201)
		.map(({ body }) => String((body as { to: unknown }).to));
}

/** The same call in three ways. */
const dialing = {
	place: () => ({
		resource: 'call',
		operation: 'place',
		agent: byId(service.seed.agents.published),
		phoneNumber: '={{ $json.to }}',
	}),
	queueCall: () => ({
		resource: 'campaign',
		operation: 'queueCall',
		campaign: byId(service.seed.campaigns.active),
		phoneNumber: '={{ $json.to }}',
	}),
	makeApiRequest: () => ({
		resource: 'service',
		operation: 'makeApiRequest',
		method: 'POST',
		path: `agents/${service.seed.agents.published}/call`,
		options: { body: '={{ { to: $json.to } }}' },
	}),
};

describe.each(['place', 'queueCall', 'makeApiRequest'] as const)('%s, tried again by n8n', (operation) => {
	test('a number that was refused under one item and accepted under another is not called again', async () => {
		const match = { method: 'POST' };
		// n8n tries again if the first item has an `error`, even with On Error set to continue.
		const call = { id: 'first', to: '+12025550199', error: 'none' };
		const body = operation === 'queueCall' ? { campaign_call: call } : { success: true, data: call, error: 'none' };
		await service.fault({ match, kind: 'status', status: 200, body });
		await service.fault({ match, kind: 'status', status: 403, body: { success: false, message: 'Not now.' } });
		const items = ['+12025550199', number, number, number].map((to) => ({ to }));
		const { outputs, tries } = await service.run({ ...dialing[operation](), ...inTurn }, items, {
			node: { ...retried, onError: 'continueRegularOutput' },
		});
		expect(tries).toBe(2);
		expect(await accepted()).toEqual(['+12025550199', number]);
		expect(outputs[0]).toMatchObject([
			{ json: { alreadySent: true } },
			{ json: { sameNumberAsItem: 2 } },
			{ json: { alreadySent: true } },
			{ json: { sameNumberAsItem: 2 } },
		]);
	});
});

test.each(['place', 'queueCall', 'makeApiRequest'] as const)(
	'%s calls a phone in San Marino once, although it has two numbers',
	async (operation) => {
		const both = ['+3780549886377', '+390549886377'];
		const { outputs } = await service.run({ ...dialing[operation](), ...inTurn }, [
			...both.map((to) => ({ to })),
			{ to: number },
		]);
		expect(await accepted()).toEqual([both[0], number]);
		expect(outputs[0]).toMatchObject([{ json: {} }, { json: { sameNumberAsItem: 0 } }, { json: {} }]);
	},
);

test('a real call is placed even if another item has a test call to the same number', async () => {
	const items = ['always', 'never', 'always', 'never'].map((test) => ({ to: number, test }));
	const parameters = { ...dialing.place(), ...inTurn, testCall: '={{ $json.test }}' };
	const { outputs } = await service.run(parameters, items);
	expect(await accepted()).toEqual([number, number]);
	expect(outputs[0]).toMatchObject([
		{ json: { result: 'placed', isTest: true } },
		{ json: { result: 'placed', isTest: false } },
		{ json: { result: 'sameNumber', isTest: true, sameNumberAsItem: 0 } },
		{ json: { result: 'sameNumber', isTest: false, sameNumberAsItem: 1 } },
	]);
	const onlyTests = await service.run(parameters, items, { credentials: service.credentials({ testCallsOnly: true }) });
	expect(onlyTests.outputs[0]?.map(({ json }) => json.result)).toEqual([
		'placed',
		'sameNumber',
		'sameNumber',
		'sameNumber',
	]);
});

describe('Make API Request', () => {
	const items = (...bodies: unknown[]) => bodies.map((body) => ({ body }));
	const request = (more: object = {}) => ({
		...dialing.makeApiRequest(),
		options: { body: '={{ $json.body }}' },
		...inTurn,
		...more,
	});

	test('calls a number once, however it is written and whatever else is in the body', async () => {
		const written = ['+12025550111', '+1 (202) 555-0111', '0012025550111'];
		const { outputs } = await service.run(request(), items(...written.map((to, id) => ({ to, context: { id } }))));
		expect(await accepted()).toEqual([number]);
		expect(outputs[0]).toMatchObject([
			{ json: { data: { to: number } } },
			{ json: { data: { to: number }, sameNumberAsItem: 0 } },
			{ json: { data: { to: number }, sameNumberAsItem: 0 } },
		]);
	});

	test.each(['calls', 'AGENT', 'api/v1'])(
		'calls a number once where the path is written in another way: %s',
		async (way) => {
			const { published } = service.seed.agents;
			const path = { calls: 'calls', AGENT: `agents/${published}/Call`, 'api/v1': `/api/v1/agents/${published}/call ` }[
				way
			];
			await service.run(
				request({ path: '={{ $json.path }}' }),
				[path, `agents/${published}/call`].map((each) => ({ path: each, body: { to: number, agent_id: published } })),
				{ node: { onError: 'continueRegularOutput' } },
			);
			expect((await accepted()).length).toBeLessThanOrEqual(1);
		},
	);

	test('calls nobody for a body that names a number twice', async () => {
		const body = `{"to": "${number}", "is_testing": true, "to": "+12025550122", "is_testing": false}`;
		const { run } = await service.run(request({ options: { body } }), items({}));
		expect(run.error?.message).toContain("'Body' has a name that its object has before: line 1, column 44");
		expect(await service.requests('POST')).toEqual([]);
	});

	test('does not call again where the outcome of the first call is unknown', async () => {
		await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
		const { outputs } = await service.run(request(), items({ to: number }, { to: number }), {
			node: { onError: 'continueRegularOutput' },
		});
		expect(await service.requests('POST')).toHaveLength(1);
		expect(outputs[0]).toMatchObject([{ json: { result: 'unknown' } }, { json: { result: 'unknown' } }]);
	});

	test('does not call again in the next round of a loop where the outcome is unknown, however the number is written', async () => {
		await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
		const { published } = service.seed.agents;
		const path = `={{ $runIndex === 0 ? 'calls' : 'agents/${published}/call' }}`;
		const body = `={{ { to: $runIndex === 0 ? '+1 202 555 0111' : '${number}', agent_id: '${published}' } }}`;
		const parameters = request({ path, options: { body } });
		await harness.runWorkflow({
			nodes: [
				harness.sourceOf([{}]),
				{ name: 'Loop', type: 'harness.loop', parameters: { rounds: 2 } },
				{ name: 'Call', type: actionNode, parameters, onError: 'continueRegularOutput' },
				{ name: 'End', type: 'harness.noOp' },
			],
			connections: { Source: [['Loop']], Loop: [['End'], ['Call']], Call: [['Loop']] },
			credentials: service.credentials(),
		});
		expect(await service.requests('POST')).toHaveLength(1);
	});

	test('calls two numbers, and a number by two agents', async () => {
		const { published } = service.seed.agents;
		const list = (await service.api('GET', 'agents?status=published&direction=outbound')).body.data;
		const other = (list as Array<{ id: string }>).find(({ id }) => id !== published)?.id;
		await service.run(request({ path: 'agents/{{ $json.agent }}/call'.replace(/^/, '=') }), [
			{ agent: published, body: { to: number } },
			{ agent: published, body: { to: '+12025550122' } },
			{ agent: other, body: { to: number } },
		]);
		expect(await accepted()).toEqual([number, '+12025550122', number]);
	});

	test('calls a number for each item if Repeated Number says so, not because the body allows duplicates', async () => {
		await service.run(
			request({ options: { body: '={{ $json.body }}', repeatedNumber: 'callEachTime' } }),
			items({ to: number }, { to: number }),
		);
		expect(await accepted()).toEqual([number, number]);
		const path = `campaigns/${service.seed.campaigns.active}/call`;
		const queued = { to: number, allow_duplicates: true };
		await service.run(request({ path }), items(queued, queued));
		expect(await accepted()).toEqual([number, number, number]);
	});

	test('sends other requests for each item', async () => {
		await service.run(request({ path: 'calendars' }), items({ name: 'One' }, { name: 'One' }), {
			node: { onError: 'continueRegularOutput' },
		});
		expect(await service.requests('POST', '/calendars')).toHaveLength(2);
	});
});

describe('If Already Queued: Queue Again', () => {
	const twice = [
		{ to: number, name: 'Ada' },
		{ to: number, name: 'Bob' },
	];
	const queue = (options: Record<string, string | boolean>) => ({
		...dialing.queueCall(),
		agentVariables: { mappingMode: 'defineBelow', value: { name: '={{ $json.name }}' } },
		options,
	});
	const again = { ifAlreadyQueued: 'queueAgain' };
	const names = async () =>
		(await service.requests('POST', '/call')).map(({ body }) => (body as { payload: { name: string } }).payload.name);

	test('queues each of several items with the same number, with its own payload, where Repeated Number wants that', async () => {
		const { outputs } = await service.run(queue({ ...again, repeatedNumber: 'callEachTime' }), twice);
		expect(await names()).toEqualInAnyOrder(['Ada', 'Bob']);
		expect(new Set(outputs[0]?.map(({ json }) => json.id)).size).toBe(2);
		for (const { json } of outputs[0] ?? []) {
			expect(json).not.toHaveProperty('sameNumberAsItem');
		}
	});

	test('queues a number of several items once in a run, and once more in the next run', async () => {
		await service.run(queue(again), twice);
		expect(await names()).toEqual(['Ada']);
		await service.run(queue(again), twice);
		expect(await names()).toEqual(['Ada', 'Ada']);
	});

	test('queues nothing again in another try of n8n', async () => {
		const match = { method: 'POST' };
		await service.fault({ match, kind: 'latency', ms: 0 });
		await service.fault({ match, kind: 'latency', ms: 0 });
		await service.fault({ match, kind: 'status', status: 403 });
		const items = [...twice, { to: '+12025550122', name: 'Eve' }];
		const { tries } = await service.run({ ...queue({ ...again, repeatedNumber: 'callEachTime' }), ...inTurn }, items, {
			node: retried,
		});
		expect(tries).toBe(2);
		expect(await names()).toEqual(['Ada', 'Bob', 'Eve', 'Eve']);
		expect(await accepted()).toEqual([number, number, '+12025550122']);
	});
});
