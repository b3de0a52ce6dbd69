import { byId, goesOn, hintsOf, jsonOf, saidBy, to, useService } from '../../service.mts';
import { teach } from '../callRules/ruledCalls.mts';

const service = useService();
const [ada, bob, cleo] = ['+12025550111', '+12025550122', '+12025550133'] as const;

/** How a node calls, for both ways to call. */
const calling = { Place: () => service.place(), 'Queue Call': () => service.queue() };

describe('What would stop all calls is said before the mistakes in single items', () => {
	const paused = () => ({ ...service.queue(), campaign: byId(service.seed.campaigns.paused) });
	const draft = () => ({ ...service.place(), agent: byId(service.seed.agents.draft) });

	test.each<[string, () => object, RegExp]>([
		['a paused campaign', paused, /^The campaign is paused /],
		['a draft agent', draft, /^The agent is not published /],
	])('%s, with On Error at stop: nobody is called', async (_what, parameters, cause) => {
		const said = saidBy(await service.run(parameters() as never, to(ada, '12', bob)));
		expect(said).toMatch(cause);
		expect(said).toContain('1 without a country code (sheet row 3)');
		expect(await service.dialed()).toEqual([]);
	});

	test('a token that expires meanwhile, too', async () => {
		const credentials = service.credentials({ environmentToken: `${service.token}-expired` });
		expect(saidBy(await service.run(service.place(), to(ada, '12'), { credentials }))).toMatch(/token/i);
	});

	test('a paused campaign, with On Error at continue: in the first sentence of the hint', async () => {
		const [hint] = hintsOf(await service.run(paused() as never, to(ada, '12', bob), { node: goesOn }));
		expect(hint).toMatch(/^The campaign is not active: its status is paused\. No calls were queued\. /);
		expect(hint).toMatch(/ Not queued: 1 without a country code \(sheet row 3\)\.$/);
	});

	test('a paused campaign, too, if each item has a mistake of its own', async () => {
		const [hint] = hintsOf(await service.run(paused() as never, to('1', '12', ''), { node: goesOn }));
		expect(hint).toMatch(/^The campaign is paused\. No calls were queued\. Set it to Active/);
		expect(hint).toMatch(/ Not queued: 2 without a country code .*, 1 without a number \(sheet row 4\)\.$/);
		expect(await service.dialed()).toEqual([]);
	});

	test('but an agent that cannot be read does not hide the mistakes', async () => {
		await service.fault({ match: { method: 'GET' }, kind: 'status', status: 500, times: 9 });
		expect(saidBy(await service.run(service.place(), to(ada, '12')))).toMatch(/^'Phone Number'.*\[item 1\]/);
	});
});

test.each(Object.entries(calling))(
	'%s with On Error at stop names missing variables together with wrong numbers, and calls nobody',
	async (_name, parameters) => {
		await teach(service, 'Hello {{name}}!');
		const agentVariables = { mappingMode: 'defineBelow', value: { name: '={{ $json.name }}' } };
		const people = [{ to: ada, name: 'Ada' }, { to: '12', name: 'Ben' }, { to: cleo }];
		const said = saidBy(await service.run({ ...parameters(), agentVariables } as never, people));
		expect(said).toMatch(/: 1 without a country code \(sheet row 3\), 1 without name \(sheet row 4\)/);
		expect(await service.dialed()).toEqual([]);
	},
);

test.each(Object.entries(calling))('%s: two people with one phone are told apart', async (_name, parameters) => {
	const people = [
		{ to: ada, name: 'Ada' },
		{ to: cleo, name: 'Cleo' },
		{ to: ada, name: 'Ben, her son' },
	];
	const metadataFields = { values: [{ name: 'name', value: '={{ $json.name }}' }] };
	const ran = await service.run({ ...parameters(), options: { metadataFields } } as never, people, { node: goesOn });
	const [first, , son] = jsonOf(ran);
	expect(son).toMatchObject({ result: 'sameNumber', sameNumberAsItem: 0, context: { name: 'Ben, her son' } });
	expect(son).toMatchObject({ id: first?.id, message: expect.stringContaining('Item 0 (sheet row 2)') });
	expect(son).not.toHaveProperty('status');
});

test('without metadata, the variables of an item tell whose it is, also if it was not called', async () => {
	const agentVariables = { mappingMode: 'defineBelow', value: { name: '={{ $json.name }}' } };
	const people = [ada, ada, '12'].map((number, index) => ({ to: number, name: `Person ${index}` }));
	const ran = await service.run(service.place({}, { agentVariables }), people, { node: goesOn });
	expect(jsonOf(ran).map(({ result, payload }) => [result, payload])).toEqual([
		['placed', { name: 'Person 0' }],
		['sameNumber', { name: 'Person 1' }],
		['failed', { name: 'Person 2' }],
	]);
	expect(Object.keys(jsonOf(ran)[2] ?? {}).slice(0, 3)).toEqual(['result', 'to', 'payload']);
});

test('a call that the service reports to be a real one is told as a real one', async () => {
	const body = { success: true, data: { id: 'one', to: ada, status: 'initiated', is_testing: false } };
	await service.fault({ match: { method: 'POST' }, kind: 'status', status: 200, body });
	const ran = await service.run(service.place({}, { testCall: 'always' }), to(ada));
	expect(jsonOf(ran)).toMatchObject([{ result: 'placed', isTest: false }]);
	expect(hintsOf(ran)[0]).toContain('1 real call placed');
});

test('the hint says when the phones ring, in the time zone of the campaign, if it calls later', async () => {
	const campaign = byId(service.seed.campaigns.active);
	const own = { resource: 'campaign', campaign };
	const setStatus = async (status: string) => await service.run({ ...own, operation: 'setStatus', status });
	await setStatus('paused');
	const updateFields = { startDate: '2099-12-06', endDate: '2099-12-31', timezone: 'Asia/Singapore' };
	await service.run({ ...own, operation: 'update', updateFields });
	await setStatus('active');
	const hint = async (testCall: string, ...people: string[]) =>
		hintsOf(await service.run({ ...service.queue(), testCall } as never, to(...people), { timezone: 'UTC' }))[0];
	const start = '2099-12-06 00:00 (Asia/Singapore)';
	expect(await hint('never', ada, bob)).toBe(
		`2 real calls queued: phones ring from ${start} on, and credits are spent.`,
	);
	const queued = await service.run({ ...service.queue(), testCall: 'never' } as never, to('+12025550199'));
	expect(jsonOf(queued)).toMatchObject([{ message: 'Call queued, not before 2099-12-05T16:00:00.000Z.' }]);
	expect(await hint('always', cleo)).toContain(`the phone may still ring from ${start} on`);
});

describe('the hint says that fixed values are used once for each item, where nobody is called', () => {
	const getMany = { resource: 'agent', operation: 'getAll' };
	const said = /^Executed 3 times with the same values, once for each item: Settings → Execute Once/;

	test('for three items', async () => {
		expect(hintsOf(await service.run(getMany, to(ada, bob, cleo))).at(-1)).toMatch(said);
	});

	test.each<[string, object, number]>([
		['one item', getMany, 1],
		['an expression', { ...getMany, limit: '={{ 1 }}' }, 3],
	])('but not for %s', async (_what, parameters, count) => {
		const ran = await service.run(parameters as never, to(ada, bob, cleo).slice(0, count));
		expect(hintsOf(ran).join()).not.toContain('Execute Once');
	});
});
