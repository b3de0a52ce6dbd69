import { harness } from '../../harness.mts';
import { byId, goesOn, jsonOf, loopAround, resultsOf, retried, to, useService } from '../../service.mts';

const service = useService();

const number = '+12025550111';
const other = '+12025550122';
const inTurn = { sending: { maxConcurrentRequests: 1 } };
const accepted = async () => await service.dialed(true);
const callPath = () => `agents/${service.seed.agents.published}/call`;

/** Make API Request; the body is that of the item by default. */
const request = (more: object = {}) => ({
	resource: 'service',
	operation: 'makeApiRequest',
	method: 'POST',
	path: callPath(),
	options: { body: '={{ $json.body ?? { to: $json.to } }}' },
	...inTurn,
	...more,
});
const bodies = (...all: unknown[]) => all.map((body) => ({ body }));

/** The same call in three ways. */
const dialing = {
	place: () => service.place({}, inTurn),
	queueCall: () => service.queue({}, inTurn),
	makeApiRequest: () => request(),
};
const ways = Object.keys(dialing) as Array<keyof typeof dialing>;

test.each(ways)(
	'%s, tried again by n8n, calls each number once, and the one that was refused too',
	async (operation) => {
		const call = { id: 'first', to: '+12025550199' };
		await service.answer(
			'POST',
			200,
			operation === 'queueCall' ? { campaign_call: call } : { success: true, data: call },
		);
		await service.answer('POST', 403);
		const items = to('+12025550199', number, number, number);
		const ran = await service.run(dialing[operation](), items, { node: retried });
		expect([ran.tries, await accepted()]).toEqual([2, ['+12025550199', number]]);
		expect(jsonOf(ran)).toMatchObject([{ alreadySent: true }, {}, { sameNumberAsItem: 1 }, { sameNumberAsItem: 1 }]);
	},
);

test.each(ways)('%s calls a phone in San Marino once, although it has two numbers', async (operation) => {
	const ran = await service.run(dialing[operation](), to('+3780549886377', '+390549886377', number));
	expect(await accepted()).toEqual(['+3780549886377', number]);
	expect(jsonOf(ran)).toMatchObject([{}, { sameNumberAsItem: 0 }, {}]);
});

test('an agent whose ID is written in other letters calls a number once', async () => {
	const { published } = service.seed.agents;
	// This service takes an ID in capitals, too.
	await service.answer('POST', 200, { success: true, data: { id: 'a', to: number } }, 9);
	const items = [published, published.toUpperCase(), published].map((agent) => ({ to: number, agent }));
	const parameters = service.place({ missingVariables: 'ignore' }, { ...inTurn, agent: byId('={{ $json.agent }}') });
	const ran = await service.run(parameters, items);
	expect(await service.dialed()).toEqual([number]);
	expect(resultsOf(ran)).toEqual(['placed', 'sameNumber', 'sameNumber']);
});

test('a real call is placed even if another item has a test call to the same number', async () => {
	const items = ['always', 'never', 'always', 'never'].map((test) => ({ to: number, test }));
	const parameters = service.place({}, { ...inTurn, testCall: '={{ $json.test }}' });
	const ran = await service.run(parameters, items);
	expect(await accepted()).toEqual([number, number]);
	expect(jsonOf(ran)).toMatchObject([
		{ result: 'placed', isTest: true },
		{ result: 'placed', isTest: false },
		{ result: 'sameNumber', isTest: true, sameNumberAsItem: 0 },
		{ result: 'sameNumber', isTest: false, sameNumberAsItem: 1 },
	]);
	const credentials = service.credentials({ testCallsOnly: true });
	const same = ['sameNumber', 'sameNumber', 'sameNumber'];
	expect(resultsOf(await service.run(parameters, items, { credentials }))).toEqual(['placed', ...same]);
});

describe('Make API Request', () => {
	test('calls a number once, however it is written and whatever else is in the body', async () => {
		const written = [number, '+1 (202) 555-0111', '0012025550111'];
		const ran = await service.run(request(), bodies(...written.map((to, id) => ({ to, context: { id } }))));
		expect(await accepted()).toEqual([number]);
		const id = (await service.calls()).find(({ to }) => to === number)?.id;
		const same = { id, to: number, sameNumberAsItem: 0 };
		expect(jsonOf(ran)).toMatchObject([{ data: { id, to: number } }, same, same]);
	});

	test('calls a number at most once where the path is written in another way', async () => {
		const { published } = service.seed.agents;
		for (const path of ['calls', `agents/${published}/Call`, `/api/v1/agents/${published}/call `]) {
			await service.reset();
			const items = [path, callPath()].map((each) => ({ path: each, body: { to: number, agent_id: published } }));
			await service.run(request({ path: '={{ $json.path }}' }), items, { node: goesOn });
			expect((await accepted()).length).toBeLessThanOrEqual(1);
		}
	});

	test('does not call again in the next round of a loop where the outcome is unknown, however the number is written', async () => {
		await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
		const path = `={{ $runIndex === 0 ? 'calls' : '${callPath()}' }}`;
		const written = `$runIndex === 0 ? '+1 202 555 0111' : '${number}'`;
		const options = { body: `={{ { to: ${written}, agent_id: '${service.seed.agents.published}' } }}` };
		const loop = loopAround(2, { parameters: request({ path, options }), ...goesOn }, [{}]);
		await harness.runWorkflow({ ...loop, credentials: service.credentials() });
		expect(await service.requests('POST')).toHaveLength(1);
	});

	test('calls two numbers, a number once although its items have two agents, and sends other requests for each item', async () => {
		const { published } = service.seed.agents;
		const list = (await service.api('GET', 'agents?status=published&direction=outbound')).body.data;
		const second = (list as Array<{ id: string }>).find(({ id }) => id !== published)?.id;
		const items = bodies({ to: number }, { to: other }, { to: number }).map((item, index) => ({
			...item,
			agent: index === 2 ? second : published,
		}));
		await service.run(request({ path: '=agents/{{ $json.agent }}/call' }), items);
		expect(await accepted()).toEqual([number, other]);
		await service.run(request({ path: 'calendars' }), bodies({ name: 'One' }, { name: 'One' }), { node: goesOn });
		expect(await service.requests('POST', '/calendars')).toHaveLength(2);
	});

	test('calls a number for each item if Repeated Number says so, not because the body allows duplicates', async () => {
		const options = { body: '={{ $json.body }}', repeatedNumber: 'callEachTime' };
		await service.run(request({ options }), bodies({ to: number }, { to: number }));
		expect(await accepted()).toEqual([number, number]);
		const path = `campaigns/${service.seed.campaigns.active}/call`;
		const queued = { to: number, allow_duplicates: true };
		await service.run(request({ path }), bodies(queued, queued));
		expect(await accepted()).toEqual([number, number, number]);
	});
});

describe('If Already Queued: Queue Again', () => {
	const twice = ['Ada', 'Bob'].map((name) => ({ to: number, name }));
	const queue = (options: object = {}) =>
		service.queue({ variablesJson: '={{ { name: $json.name } }}', ifAlreadyQueued: 'queueAgain', ...options }, inTurn);
	const eachTime = { repeatedNumber: 'callEachTime' };
	const names = async () =>
		(await service.requests('POST', '/call')).map(({ body }) => (body as { payload: { name: string } }).payload.name);

	test('queues a number of several items once in a run, and once more in the next run', async () => {
		await service.run(queue(), twice);
		await service.run(queue(), twice);
		expect(await names()).toEqual(['Ada', 'Ada']);
	});

	test('queues each of several items where Repeated Number wants that, and nothing again in another try of n8n', async () => {
		const match = { method: 'POST' };
		await service.fault({ match, kind: 'latency', ms: 0, times: 2 });
		await service.fault({ match, kind: 'status', status: 403 });
		const ran = await service.run(queue(eachTime), [...twice, { to: other, name: 'Eve' }], { node: retried });
		expect([ran.tries, await names()]).toEqual([2, ['Ada', 'Bob', 'Eve', 'Eve']]);
		expect(await accepted()).toEqual([number, number, other]);
		expect(new Set(jsonOf(ran).map(({ id }) => id)).size).toBe(3);
		expect(JSON.stringify(jsonOf(ran))).not.toContain('sameNumberAsItem');
	});
});
