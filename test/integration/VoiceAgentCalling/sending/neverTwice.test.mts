import { harness } from '../../harness.mts';
import { startReceiver } from '../../receiver.mts';
import { byId, type Fault, type Service, startService, until } from '../../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const numbers = ['+12025550111', '+12025550122', '+12025550133'];
/** The second item uses another agent or campaign than the rest, so that a fault can match it alone. */
const items = () => numbers.map((to, index) => ({ to, way: index === 1 ? ways.second : ways.first }));
const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const actionNode = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';

interface Tool {
	type?: string;
	maxCalls?: number;
	maxCallsPerHour?: number;
}

interface Ways {
	first: { agent: string; campaign: string };
	second: { agent: string; campaign: string };
}
let ways: Ways;
beforeAll(async () => {
	const { agents, campaigns } = service.seed;
	const other = async (path: string, first: string) => {
		const list = (await service.api('GET', path)).body.data as Array<{ id: string }>;
		return list.find(({ id }) => id !== first)?.id ?? '';
	};
	ways = {
		first: { agent: agents.published, campaign: campaigns.active },
		second: {
			agent: await other('agents?status=published&direction=outbound', agents.published),
			campaign: await other('campaigns?status=active', campaigns.active),
		},
	};
});

/** Both operations that place calls. */
const dialing = {
	place: () => ({
		resource: 'call',
		operation: 'place',
		agent: byId('={{ $json.way.agent }}'),
		phoneNumber: '={{ $json.to }}',
	}),
	queueCall: () => ({
		resource: 'campaign',
		operation: 'queueCall',
		campaign: byId('={{ $json.way.campaign }}'),
		phoneNumber: '={{ $json.to }}',
		options: { ifAlreadyQueued: 'queueAgain' },
	}),
};
const operations = ['place', 'queueCall'] as const;

/** Makes the second item's next request fail. */
async function failSecond(operation: (typeof operations)[number], fault: Omit<Fault, 'match'>): Promise<void> {
	const { agent, campaign } = ways.second;
	const path = operation === 'place' ? `/api/v1/agents/${agent}/call` : `/api/v1/campaigns/${campaign}/call`;
	await service.fault({ match: { method: 'POST', path }, ...fault });
}

/** A loop around one of the operations. */
const inLoop = (operation: (typeof operations)[number], rounds: number, node: object = retried) => ({
	nodes: [
		harness.sourceOf(items()),
		{ name: 'Loop', type: 'harness.loop', parameters: { rounds } },
		{
			name: 'Call',
			type: actionNode,
			parameters: dialing[operation](),
			...node,
		},
		{ name: 'End', type: 'harness.noOp' },
	],
	connections: { Source: [['Loop']], Loop: [['End'], ['Call']], Call: [['Loop']] },
	credentials: service.credentials(),
});

/** How often each number was sent to the service, and how often the service accepted it. */
async function dialed() {
	const requests = await service.requests('POST', '/call');
	const count = (taken: boolean) =>
		numbers.map(
			(to) =>
				requests.filter(
					({ body, status }) => (body as { to: string }).to === to && (!taken || status === 200 || status === 201),
				).length,
		);
	return { sent: count(false), taken: count(true) };
}

describe.each(operations)('%s', (operation) => {
	test('a loop of three rounds with the same numbers dials each number once per round', async () => {
		const { status, nodes } = await harness.runWorkflow(inLoop(operation, 3));
		expect(status).toBe('success');
		expect(nodes.Call).toHaveLength(3);
		expect(await dialed()).toEqual({ sent: [3, 3, 3], taken: [3, 3, 3] });
	});

	test('in a loop, another try dials for its own round only', async () => {
		await failSecond(operation, { kind: 'status', status: 403 });
		const { status } = await harness.runWorkflow(inLoop(operation, 2));
		expect(status).toBe('success');
		expect((await dialed()).taken).toEqual([2, 2, 2]);
	});

	const toolType = { type: `${actionNode}Tool`, maxCalls: 99, maxCallsPerHour: 999 };

	test.each<[string, Omit<Fault, 'match'>, Tool]>([
		['a node in a loop, without an answer', { kind: 'drop-after' }, {}],
		['a tool, without an answer', { kind: 'drop-after' }, toolType],
		['a tool, with an answer that says nothing', { kind: 'status', status: 200, body: { data: [] } }, toolType],
	])('is not sent again in any of eleven later runs if its outcome is unknown: %s', async (_what, fault, tool) => {
		await failSecond(operation, fault);
		const { type = actionNode, ...limits } = tool;
		const node = { type, parameters: { ...dialing[operation](), ...limits }, onError: 'continueRegularOutput' };
		const { nodes } = await harness.runWorkflow(inLoop(operation, 12, node), {
			package: await harness.packageWithTool(),
		});
		expect((await dialed()).sent).toEqual([12, 1, 12]);
		expect(nodes.Call?.at(-1)?.outputs[0]?.[1]?.json).toMatchObject({ result: 'unknown', code: 'OUTCOME_UNKNOWN' });
	});

	test.each([
		['+970591234567', '+972591234567'],
		['+3780549886377', '+390549886377'],
	])(
		'a phone is not called in the next round if its outcome is unknown, with another owner and number either: %s, %s',
		async (number, again) => {
			await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
			const parameters = dialing[operation]();
			const owner = operation === 'place' ? 'agent' : 'campaign';
			const way = `={{ $json.way.${owner} }}`;
			const byRound = `={{ $runIndex === 0 ? '${ways.first[owner]}' : '${ways.second[owner]}' }}`;
			const changed = {
				...JSON.parse(JSON.stringify(parameters).replace(way, byRound)),
				phoneNumber: `={{ $runIndex === 0 ? '${number}' : '${again}' }}`,
			};
			const workflow = inLoop(operation, 2, { parameters: changed, onError: 'continueRegularOutput' });
			const { nodes } = await harness.runWorkflow({
				...workflow,
				nodes: [harness.sourceOf([{}]), ...workflow.nodes.slice(1)],
			});
			expect(await service.requests('POST', '/call')).toHaveLength(1);
			const unknown = { result: 'unknown', code: 'OUTCOME_UNKNOWN' };
			expect(nodes.Call?.map(({ outputs }) => outputs[0]?.[0]?.json)).toMatchObject([unknown, unknown]);
		},
	);

	describe('the same number in two items', () => {
		const twice = () => [...items(), ...items()];

		test('is dialed once, and both items have its call', async () => {
			const { outputs } = await service.run(dialing[operation](), twice(), { node: retried });
			expect((await dialed()).sent).toEqual([1, 1, 1]);
			const [first, second] = [outputs[0]?.slice(0, 3) ?? [], outputs[0]?.slice(3)];
			expect(second).toMatchObject(
				first.map(({ json }, item) => ({
					json: { id: json.id, sameNumberAsItem: item },
					pairedItem: { item: item + 3 },
				})),
			);
			for (const { json } of first) {
				expect(json).not.toHaveProperty('sameNumberAsItem');
			}
		});

		test('is dialed twice if Repeated Number says so', async () => {
			const parameters = dialing[operation]();
			const options = { ...('options' in parameters && parameters.options), repeatedNumber: 'callEachTime' };
			const { status } = await service.run({ ...parameters, options }, twice(), { node: retried });
			expect(status).toBe('success');
			expect((await dialed()).taken).toEqual([2, 2, 2]);
		});

		test('is dialed for the second item when the service refused the first', async () => {
			await failSecond(operation, { kind: 'status', status: 403 });
			const { outputs } = await service.run(dialing[operation](), twice(), {
				node: { onError: 'continueRegularOutput' },
			});
			expect((await dialed()).taken).toEqual([1, 1, 1]);
			expect(outputs[0]?.map(({ json }) => json.result === 'failed')).toEqual([
				false,
				true,
				false,
				false,
				false,
				false,
			]);
		});

		test('is not dialed for the second item when the outcome of the first is unknown', async () => {
			await failSecond(operation, { kind: 'drop-after' });
			const { outputs } = await service.run(dialing[operation](), twice(), {
				node: { onError: 'continueRegularOutput' },
			});
			expect((await dialed()).sent).toEqual([1, 1, 1]);
			const unknown = { json: { result: 'unknown', code: 'OUTCOME_UNKNOWN' } };
			expect([outputs[0]?.[1], outputs[0]?.[4]]).toMatchObject([
				unknown,
				{ json: { ...unknown.json, message: expect.stringContaining('item 1 has the same number') } },
			]);
		});

		test('is dialed once by each of two agents or campaigns', async () => {
			const [one] = items();
			const both = [one, { ...one, way: ways.second }];
			await service.run(dialing[operation](), both, { node: retried });
			expect((await dialed()).taken[0]).toBe(2);
		});
	});

	describe('if item 2 of 3 fails once with Retry On Fail, each number is sent once', () => {
		const faults: Array<[string, Omit<Fault, 'match'>]> = [
			['the service breaks down (500)', { kind: 'status', status: 500 }],
			['the connection is cut before the service acted', { kind: 'drop-before' }],
			['the connection is cut after the service acted', { kind: 'drop-after' }],
			['the answer is not JSON', { kind: 'malformed' }],
		];
		const settings = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

		test.each(faults.flatMap(([name, fault]) => settings.map((onError) => [name, onError, fault] as const)))(
			'%s, On Error %s',
			async (_name, onError, fault) => {
				await failSecond(operation, fault);
				const { run, outputs } = await service.run(dialing[operation](), items(), { node: { ...retried, onError } });
				expect((await dialed()).sent).toEqual([1, 1, 1]);
				expect(run.status).toBe(onError === 'stopWorkflow' ? 'error' : 'success');
				if (onError === 'stopWorkflow') {
					expect(run.error).toMatchObject({
						message: expect.stringMatching(/Outcome unknown.*\[item 1\]/),
						description: expect.stringContaining('Outcome unknown: item 1.'),
					});
				} else {
					const failed = outputs[onError === 'continueErrorOutput' ? 1 : 0]?.filter(
						({ json }) => json.result === 'unknown',
					);
					expect(failed).toMatchObject([
						{
							pairedItem: { item: 1 },
							json: { code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('Outcome unknown') },
						},
					]);
				}
			},
		);

		test.each(settings)('refused for now (403), On Error %s: only the refused one is sent again', async (onError) => {
			await failSecond(operation, { kind: 'status', status: 403, body: { success: false, message: 'Not now.' } });
			const { run } = await service.run(dialing[operation](), items(), { node: { ...retried, onError } });
			expect(run.status).toBe('success');
			const { sent, taken } = await dialed();
			expect([sent[0], sent[2]]).toEqual([1, 1]);
			expect(sent[1]).toBeLessThanOrEqual(2);
			expect([taken[0], taken[2]]).toEqual([1, 1]);
			// With On Error set to continue, n8n does not try again.
			expect(taken[1]).toBe((sent[1] ?? 0) - 1);
		});
	});

	test('variables and metadata that differ at each try do not make another call', async () => {
		const parameters = {
			...dialing[operation](),
			options: { metadataJson: '={{ { at: Math.random() } }}', variablesJson: '={{ { at: Math.random() } }}' },
		};
		await failSecond(operation, { kind: 'drop-after' });
		await service.run(parameters, items(), { node: retried });
		expect((await dialed()).sent).toEqual([1, 1, 1]);

		await service.reset();
		await failSecond(operation, { kind: 'status', status: 403 });
		await service.run(parameters, items(), { node: retried });
		expect((await dialed()).taken).toEqual([1, 1, 1]);
	});

	test('a call that an earlier try placed is returned as if it were new', async () => {
		await failSecond(operation, { kind: 'status', status: 403 });
		const { outputs, tries } = await service.run(dialing[operation](), items(), { node: retried });
		expect(outputs[0]).toHaveLength(3);
		expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		for (const item of outputs[0] ?? []) {
			expect(item.json.id).toEqual(expect.any(String));
		}
		expect(tries).toBeLessThanOrEqual(2);
	});
});

test('the message of a failure says which items are done, unknown and not tried', async () => {
	await failSecond('place', { kind: 'drop-after' });
	const many = Array.from({ length: 40 }, (_, index) => ({
		to: `+120255501${10 + index}`,
		way: index === 1 ? ways.second : ways.first,
	}));
	const { run } = await service.run(dialing.place(), many);
	const { description = '' } = run.error as Error & { description?: string };
	const [, done = '', unknown, notTried = ''] =
		/Calls placed: items (.*)\. Outcome unknown: item (.*)\. Not tried: items (.*)\./.exec(description) ?? [];
	expect(unknown).toBe('1');
	expect(done).toMatch(/^0, 2-\d+$/);
	expect(notTried).toMatch(/^\d+-39$/);
	expect(Number(notTried.split('-')[0])).toBe(Number(done.split('-')[1]) + 1);
	expect(await service.requests('POST')).toHaveLength(Number(notTried.split('-')[0]));
});

test('after a try that stopped, the message also reports the later items that an earlier try has done', async () => {
	// The others are done long before the first one's time is up.
	await failSecond('place', { kind: 'latency', ms: 4300 });
	const [first, second] = items();
	const many = [second, ...Array.from({ length: 9 }, (_, index) => ({ ...first, to: `+120255501${40 + index}` }))];
	const { run, tries } = await service.run({ ...dialing.place(), sending: { requestTimeout: 4 } }, many, {
		node: retried,
	});
	expect(tries).toBe(3);
	expect(run.error).toMatchObject({
		description: expect.stringContaining('Calls placed: items 1-9. Outcome unknown: item 0.'),
	});
});

test('a later try gets IDs, not contents', async () => {
	const parameters = { ...dialing.place(), options: { variablesJson: '{"name":"Somebody Private"}' } };
	const { run } = await service.run(parameters, items());
	const { executionData } = (run.stored as { data: { executionData: { contextData: unknown } } }).data;
	expect(JSON.stringify(executionData.contextData)).not.toMatch(/Private|\+1202/);
});

test('a canceled execution sends nothing new and is stored as canceled', async () => {
	const many = Array.from({ length: 60 }, (_, index) => ({ to: `+120255501${10 + index}`, way: ways.first }));
	await service.fault({ match: { method: 'POST' }, kind: 'latency', ms: 100, times: 60 });
	const started = await harness.startWorkflow({
		nodes: [harness.sourceOf(many), { name: 'Call', type: actionNode, parameters: dialing.place() }],
		credentials: service.credentials(),
	});
	await until(async () => (await service.requests('POST')).length > 0);
	started.cancel();
	const { status, error } = await started.result;
	// Requests that were sent may still be arriving.
	await service.settled();
	const sent = (await service.requests('POST')).length;
	expect(sent).toBeLessThan(30);
	// n8n cuts the connections of the calls under way, so their outcome is unknown.
	expect(error).toMatchObject({ description: expect.stringContaining('Not tried') });
	expect(status).toBe('canceled');
	await service.settled();
	expect(await service.requests('POST')).toHaveLength(sent);
});

test('a number that had a call before is not called at the next try, even if that call has ended', async () => {
	const [to] = numbers;
	const { first, second } = ways;
	await service.api('POST', `campaigns/${first.campaign}/call`, { to });
	await failSecond('queueCall', { kind: 'status', status: 403 });
	const parameters = { ...dialing.queueCall(), options: {} };
	const node = { ...retried, waitBetweenTries: 3000 };
	const running = service.run(parameters, items().slice(0, 2), { node });
	await until(async () => (await service.requests('POST', `${second.campaign}/call`)).length === 1);
	await service.advance(120);
	const { run, outputs, tries } = await running;
	expect({ status: run.status, tries }).toEqual({ status: 'success', tries: 2 });
	expect(outputs[0]).toMatchObject([
		{ json: { id: expect.any(String), to, result: 'alreadyQueued', isTest: null, alreadySent: true } },
		{ json: { to: numbers[1] } },
	]);
	expect(await service.requests('POST', `${first.campaign}/call`)).toHaveLength(2);
});

describe('other requests are not repeated either when another item causes a new try', () => {
	test('an event is created once, even if its title differs at each try', async () => {
		const first = service.seed.calendar;
		const calendars = (await service.api('GET', 'calendars')).body.data as Array<{ id: string }>;
		const second = calendars.find(({ id }) => id !== first)?.id ?? '';
		await service.fault({
			match: { method: 'POST', path: `/api/v1/calendars/${second}/events` },
			kind: 'status',
			status: 403,
		});
		const event = {
			resource: 'calendarEvent',
			operation: 'create',
			calendar: byId('={{ $json.calendar }}'),
			title: '={{ "Visit " + Math.random() }}',
			start: '2031-05-05T09:00:00Z',
			end: '2031-05-05T10:00:00Z',
		};
		const { run, outputs } = await service.run(event, [{ calendar: first }, { calendar: second }], { node: retried });
		expect(run.status).toBe('success');
		expect(outputs[0]).toMatchObject([
			{ json: { id: expect.any(String), alreadySent: true } },
			{ json: { id: expect.any(String) } },
		]);
		expect(await service.requests('POST', `calendars/${first}/events`)).toHaveLength(1);
	});

	test.each([
		['campaign', 'campaigns', 'campaign.paused', { dispatched: true }],
		['agent', 'agents', 'event_recording', { success: true }],
	] as const)(
		'Test: a webhook of an owner (%s) that was tested is not tested again',
		async (source, collection, event, tested) => {
			const ownerId = source === 'agent' ? service.seed.agents.published : service.seed.campaigns.active;
			const path = `${collection}/${ownerId}/webhooks`;
			const receiver = await startReceiver();
			const made = [1, 2].map(() =>
				service.api('POST', path, { name: 'Hook', webhook_url: `${receiver}/200`, events: [event], max_retries: 0 }),
			);
			const [first, second] = (await Promise.all(made)).map(({ body }) => (body.data as { id: string }).id);
			await service.fault({
				match: { method: 'POST', path: `/api/v1/${path}/${second}/test` },
				kind: 'status',
				status: 403,
			});
			const parameters = {
				resource: 'webhook',
				operation: 'test',
				source,
				[source]: byId(ownerId),
				webhook: byId('={{ $json.id }}'),
			};
			const { run, outputs } = await service.run(parameters, [{ id: first }, { id: second }], { node: retried });
			expect(run.status).toBe('success');
			expect(outputs[0]).toMatchObject([{ json: { ...tested, alreadySent: true } }, { json: tested }]);
			expect(await service.requests('POST', `${first}/test`)).toHaveLength(1);
		},
	);
});
