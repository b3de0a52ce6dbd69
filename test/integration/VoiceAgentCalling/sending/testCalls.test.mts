import { harness } from '../../harness.mts';
import { startReceiver } from '../../receiver.mts';
import {
	actionNode,
	byId,
	goesOn,
	hintsOf,
	jsonOf,
	resultsOf,
	retried,
	saidBy,
	to,
	until,
	useService,
} from '../../service.mts';
import { hmac, publishTrigger, send } from '../../triggers.mts';

const service = useService();

/** The key of what the node adds to the metadata of a call. */
const key = 'n8n-nodes-voice-agent-calling';
const mark = { [key]: 'test' };
const number = '+12025550001';

const bodies = async () =>
	(await service.requests('POST', '/call')).map(({ body }) => body as { context?: object; is_testing?: boolean });

describe('A test call is marked in its metadata, which its events have, and a real call is not:', () => {
	const request = (is_testing: boolean, context: object) => ({
		resource: 'service',
		operation: 'makeApiRequest',
		method: 'POST',
		path: `agents/${service.seed.agents.published}/call`,
		options: { body: { to: number, is_testing, context } },
	});
	const once = (parameters: object) => ({ ...parameters, phoneNumber: number }) as never;
	const choice = (isTest: boolean) => ({ testCall: isTest ? 'always' : 'never' });
	const given = (context: object) => ({ metadataJson: context }) as never;

	test.each<[string, (isTest: boolean, context: object) => object]>([
		['Place', (isTest, context) => once(service.place(given(context), choice(isTest)))],
		['Queue Call', (isTest, context) => once(service.queue(given(context), choice(isTest)))],
		['Make API Request', request],
	])('%s', async (_operation, parameters) => {
		for (const isTest of [true, false]) {
			await service.reset();
			const copied = { contact: '7', ...mark, before: { ...mark, deal: 9 } };
			const { outputs } = await service.run(parameters(isTest, copied) as never);
			const context = { contact: '7', before: { deal: 9 }, ...(isTest && mark) };
			expect(await bodies()).toMatchObject([{ is_testing: isTest, context }]);
			expect(Object.keys((await bodies())[0]?.context ?? {}).includes(key)).toBe(isTest);
			expect(jsonOf({ outputs })).toMatchObject([{ isTest }]);
			expect(JSON.stringify(outputs)).not.toContain(key);
		}
	});

	test('a call without metadata, which the credential makes a test call', async () => {
		const credentials = service.credentials({ testCallsOnly: true });
		const { outputs } = await service.run(service.place({}, { testCall: 'never' }), to(number), { credentials });
		expect(await bodies()).toEqual([{ to: number, is_testing: true, context: mark }]);
		expect(JSON.stringify(outputs)).not.toContain(key);
	});
});

describe('The trigger says of each event whether it is of a test', () => {
	const kind = 'campaign_call.completed';
	const base = { event: kind, timestamp: '2030-01-01T10:00:00Z' };

	test.each<[string, object, boolean, object?]>([
		['the mark', { context: { contact: '7', ...mark } }, true, { context: { contact: '7' } }],
		['the mark before a resume token', { context: { [key]: 'test.AbC-_1' } }, true, { context: {} }],
		['the mark in JSON text', { context: JSON.stringify(mark) }, true, { context: '{}' }],
		['the mark in the call', { call: { id: 'c', context: mark } }, true, { call: { id: 'c', context: {} } }],
		['a test call by the word of the service', { is_testing: true }, true],
		['a test call in the call', { data: { call: { id: 'c', is_testing: true } } }, true],
		['what the service makes up to test the webhook', { event: 'webhook.test' }, true],
		['a resume token', { context: { [key]: 'AbC-_1' } }, false, { context: {} }],
		['a real call', { is_testing: false, context: { contact: '7' } }, false],
		['a field of that name in the metadata', { context: { isTest: true } }, false],
		['a field of that name that the service sends', { isTest: true }, false, { isTest: false }],
		['a test call with a field of that name', { isTest: false, context: mark }, true, { isTest: true, context: {} }],
	])('with %s', async (_what, more, isTest, shown = more) => {
		const { instance, url, secret } = await publishTrigger(service, { options: { testDeliveries: 'start' } });
		const text = JSON.stringify({ ...base, call_id: 'c', ...more });
		expect((await send(url, text, { 'x-signature': hmac(secret, text) })).status).toBe(200);
		const webhookOwner = { source: 'campaign', id: service.seed.campaigns.active };
		const item = { ...base, call_id: 'c', ...shown, isTest, webhookOwner };
		expect(instance.executions.map(({ items }) => items)).toEqual([[item]]);
	});

	test('also of one that Catch Up redelivers', async () => {
		const { instance, webhookId, url } = await publishTrigger(service);
		const { active } = service.seed.campaigns;
		const at = async (webhook_url: string) =>
			await service.api('PUT', `campaigns/${active}/webhooks/${webhookId}`, { webhook_url, max_retries: 0 });
		await at(`${await startReceiver()}/500`);
		await service.deliver({ webhookId, event: kind, data: { context: mark, is_testing: false } });
		await at(url);
		const of = { source: 'campaign', campaign: byId(active), webhook: byId(webhookId) };
		const { outputs } = await service.run({ resource: 'webhook', operation: 'catchUp', ...of } as never);
		expect(jsonOf({ outputs })).toMatchObject([{ redelivered: 1 }]);
		await until(async () => instance.executions.length > 0);
		expect(instance.executions.map(({ items }) => items)).toMatchObject([[{ is_testing: false, isTest: true }]]);
	});
});

describe('Automatic where events began the execution:', () => {
	const webhookOwner = { source: 'campaign', id: 'c' };
	const testEvent = { isTest: true, webhookOwner };
	const realEvent = { isTest: false, webhookOwner };
	/** The fields of the events do not reach the node that calls. */
	const forgetting = (events: object[]) => ({
		nodes: [
			harness.sourceOf(events as never),
			{ name: 'Forget', type: 'harness.source', parameters: { items: [{ json: { isTest: false } }] as never } },
			{ name: 'Call', type: actionNode, parameters: service.place({}, { phoneNumber: number }) },
		],
		credentials: service.credentials(),
	});
	const sent = async () => (await bodies()).map(({ is_testing }) => is_testing);

	test.each([
		['one of a test call', [testEvent], [true]],
		['several of test calls', [testEvent, testEvent], [true]],
		['one of a real call', [realEvent], [false]],
		['what only has a field of that name', [{ isTest: true }], [false]],
	])('%s', async (_what, events, isTest) => {
		const run = await harness.runWorkflow(forgetting(events), { mode: 'webhook' });
		expect([run.error, await sent()]).toEqual([undefined, isTest]);
	});

	test('some of test calls and others of real ones: nobody is called, and the error says what to choose', async () => {
		const { error } = await harness.runWorkflow(forgetting([testEvent, realEvent]), { mode: 'webhook' });
		const advice = "Set it to an expression, such as {{ $json.isTest === false ? 'never' : 'always' }}.";
		expect([await sent(), saidBy({ run: { error } })]).toEqual([[], expect.stringContaining(advice)]);
	});

	test('a Retry calls as a test, too', async () => {
		await service.fault({ match: { method: 'POST' }, kind: 'status', status: 403 });
		const first = await harness.runWorkflow(forgetting([testEvent]), { mode: 'webhook' });
		expect(first.status).toBe('error');
		await harness.retryWorkflow(forgetting([testEvent]), first);
		expect(await sent()).toEqual([true, true]);
	});

	test('Always and Never decide whatever the events', async () => {
		const chosen = (events: object[], testCall: string) => {
			const spec = forgetting(events);
			spec.nodes[2] = { ...spec.nodes[2]!, parameters: service.place({}, { phoneNumber: number, testCall }) };
			return spec;
		};
		await harness.runWorkflow(chosen([testEvent], 'never'), { mode: 'webhook' });
		await harness.runWorkflow(chosen([realEvent], 'always'), { mode: 'webhook' });
		expect(await sent()).toEqual([false, true]);
	});
});

describe('A manual execution with Test Call at Automatic', () => {
	const phones = Array.from({ length: 8 }, (_, index) => `+1202555011${index}`);
	const manual = { mode: 'manual' } as const;
	const five = ['placed', 'placed', 'placed', 'placed', 'placed'];
	const no = (count: number) => Array<string>(count).fill('notTried');

	test('calls the first five phones; the others say why not, and how to call them', async () => {
		const ran = await service.run(service.place(), to(...phones), manual);
		expect(ran.run.error).toBeUndefined();
		expect(resultsOf(ran)).toEqual([...five, ...no(3)]);
		expect(await service.dialed()).toEqual(phones.slice(0, 5));
		const message = expect.stringMatching(/^Not sent: in a manual execution.*first 5 phones only\.$/);
		const advice = expect.stringMatching(/Always.*Never/);
		expect(jsonOf(ran)[5]).toMatchObject({ to: phones[5], isTest: true, code: 'NOT_TRIED', message, advice });
		const [hint] = hintsOf(ran);
		expect(hint).toMatch(/^5 test calls placed: no credits used.* 3 because .*first 5 phones only \(sheet rows 7-9\)/);
	});

	test('counts phones: what cannot be called and what shares a call takes nobody’s place', async () => {
		const numbers = ['12', phones[0]!, ...phones.slice(0, 7), phones[7]!, phones[0]!];
		const ran = await service.run(service.place(), to(...numbers), { ...manual, node: goesOn });
		const [placed, ...others] = five;
		expect(resultsOf(ran)).toEqual(['failed', placed, 'sameNumber', ...others, ...no(3), 'sameNumber']);
	});

	test('counts phones in the next try of Retry On Fail, too', async () => {
		const match = { path: `/api/v1/agents/${service.seed.agents.published}/call` };
		await service.fault({ match, kind: 'status', status: 422 });
		const same = Array<string>(5).fill(phones[1]!);
		const ran = await service.run(service.place(), to(phones[0]!, ...same), { ...manual, node: retried });
		const shared = Array<string>(4).fill('sameNumber');
		expect([ran.tries, resultsOf(ran)]).toEqual([2, ['placed', 'placed', ...shared]]);
	});

	test.each([
		['Always', { testCall: 'always' }, manual, true],
		['Never', { testCall: 'never' }, manual, false],
		['Automatic in a published workflow', {}, { mode: 'trigger' } as const, false],
		['Automatic in an evaluation', {}, { mode: 'evaluation' } as const, true],
	])('is limited, and nothing else: %s', async (_what, chosen, mode, isTest) => {
		const ran = await service.run(service.place({}, chosen), to(...phones), mode);
		expect(jsonOf(ran).map((item) => [item.result, item.isTest])).toEqual(phones.map(() => ['placed', isTest]));
	});

	test('says that queued test calls hold their numbers, also where they were queued before', async () => {
		const queued = await service.run(service.queue(), to(...phones), manual);
		expect(hintsOf(queued)[0]).toContain(
			'they hold their numbers in the campaign, so that a real run skips or postpones them.',
		);
		const never = await service.run(service.queue({}, { testCall: 'never' }), to(...phones), manual);
		expect(resultsOf(never).slice(4, 6)).toEqual(['alreadyQueued', 'queued']);
		expect(hintsOf(never)[0]).toContain(
			'Not queued: 5 with a call in the campaign already, maybe a test call (sheet rows 2-6)',
		);
		const advice = expect.stringContaining('set Options → If Already Queued to Queue Again');
		expect(jsonOf(never)[0]).toMatchObject({ advice });
	});

	test.each([
		[true, 'Not queued: with a test call in the campaign already.'],
		[false, 'Not queued: with a call in the campaign already.'],
	])('knows whether a call that was there is a test call, if the service says so: %p', async (is_testing, said) => {
		const existing_call = {
			id: 'c',
			campaign_id: service.seed.campaigns.active,
			to: number,
			status: 'queued',
			is_testing,
		};
		await service.answer('POST', 409, { success: false, message: 'Duplicate call', existing_call });
		const ran = await service.run(service.queue(), to(number));
		expect(jsonOf(ran)).toMatchObject([{ result: 'alreadyQueued', isTest: is_testing }]);
		expect(hintsOf(ran)[0]).toContain(said);
	});

	test('calls no other phones in a Retry', async () => {
		const nodes = [
			harness.sourceOf(to(...phones) as never),
			{ name: 'Call', type: actionNode, parameters: service.place() },
		];
		const spec = { nodes, credentials: service.credentials() };
		await service.fault({ match: { method: 'POST' }, kind: 'latency', ms: 0, times: 4 });
		await service.fault({ match: { method: 'POST' }, kind: 'status', status: 403 });
		const first = await harness.runWorkflow(spec, manual);
		expect(first.status).toBe('error');
		const { data } = structuredClone(first.stored);
		data.resultData.runData.Call?.pop();
		delete data.resultData.error;
		await (await harness.startWorkflow(spec, { mode: 'retry', rootMode: 'manual' }, data)).result;
		expect(new Set(await service.dialed())).toEqual(new Set(phones.slice(0, 5)));
	});
});
