import { harness } from '../../harness.mts';
import { byId, inFastTime, type Service, startService } from '../../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const goesOn = { onError: 'continueRegularOutput' } as const;
const one = { maxConcurrentRequests: 1 };
const jsonOf = (outputs: Array<Array<{ json: object }>>) => outputs[0]?.map(({ json }) => json);

const calling = {
	place: () => ({
		parameters: { resource: 'call', operation: 'place', agent: byId(service.seed.agents.published) },
		owner: { agent_id: service.seed.agents.published },
	}),
	queueCall: () => ({
		parameters: { resource: 'campaign', operation: 'queueCall', campaign: byId(service.seed.campaigns.active) },
		owner: { campaign_id: service.seed.campaigns.active },
	}),
};

describe.each(['place', 'queueCall'] as const)('%s: an item that failed', (operation) => {
	/** One item of each kind: it worked, its number is wrong, its outcome is unknown, it was refused, it was not tried. */
	const items = ['+1 202 555 0111', '12', '+1 202 555 0122', '+1 202 555 0133', '+1 202 555 0144'].map((to, id) => ({
		to,
		id,
	}));
	const run = async (more: object = {}) => {
		const { parameters, owner } = calling[operation]();
		const match = { method: 'POST' };
		await service.fault({ match, kind: 'latency', ms: 0 });
		await service.fault({ match, kind: 'drop-after' });
		await service.fault({ match, kind: 'status', status: 402, body: { success: false, message: 'No credits.' } });
		const { outputs } = await service.run(
			{
				...parameters,
				phoneNumber: '={{ $json.to }}',
				options: { metadataFields: { values: [{ name: 'contact', value: '={{ $json.id }}' }] } },
				sending: one,
				...more,
			},
			items,
			{ node: goesOn },
		);
		return { results: jsonOf(outputs) ?? [], owner };
	};

	test('says whether it failed, is unknown or was not tried in `result`, and leaves `status` to the service', async () => {
		const { results, owner } = await run();
		const of = (item: number) => ({ ...owner, to: items[item]?.to, context: { contact: item }, isTest: false });
		expect(results).toEqual([
			expect.objectContaining({
				...owner,
				to: '+12025550111',
				status: expect.stringMatching(/initiated|queued/),
				result: operation === 'place' ? 'placed' : 'queued',
				isTest: false,
			}),
			{ result: 'failed', code: 'INVALID_PHONE_NUMBER', message: expect.any(String), httpStatus: null, ...of(1) },
			{ result: 'unknown', code: 'OUTCOME_UNKNOWN', message: expect.any(String), httpStatus: null, ...of(2) },
			{ result: 'failed', code: 'INSUFFICIENT_CREDITS', message: expect.any(String), httpStatus: 402, ...of(3) },
			{ result: 'notTried', code: 'NOT_TRIED', message: expect.any(String), httpStatus: null, ...of(4) },
		]);
	});

	test('has the context as it was given, even if it cannot be read', async () => {
		const { results } = await run({ options: { metadataJson: '={{ $json.id > 2 ? "{oops" : { n: 1 } }}' } });
		expect(results.slice(1)).toMatchObject([
			{ code: 'INVALID_PHONE_NUMBER', context: { n: 1 } },
			{ code: 'OUTCOME_UNKNOWN', context: { n: 1 } },
			{ code: 'INVALID_INPUT', context: '{oops' },
			{ code: 'INVALID_INPUT', context: '{oops' },
		]);
	});

	test('has no context if none was given', async () => {
		const { results } = await run({ options: {} });
		for (const result of results) {
			expect(result).not.toHaveProperty('context');
		}
	});
});

test('an item of any other operation has result, code, message and HTTP status, and nothing of a call', async () => {
	const { outputs } = await service.run(
		{ resource: 'campaign', operation: 'get', campaign: byId('={{ $json.id }}') },
		[{ id: 'nobody' }, { id: '' }],
		{ node: goesOn },
	);
	expect(jsonOf(outputs)).toEqual([
		{ result: 'failed', code: 'CAMPAIGN_NOT_FOUND', message: expect.any(String), httpStatus: 404 },
		{ result: 'failed', code: 'INVALID_INPUT', message: expect.any(String), httpStatus: null },
	]);
});

test('a call of Make API Request that failed has its number, its agent and its context', async () => {
	const { published } = service.seed.agents;
	await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
	const { outputs } = await service.run(
		{
			resource: 'service',
			operation: 'makeApiRequest',
			method: 'POST',
			path: `agents/${published}/call`,
			options: { body: '{"to": "+12025550111", "context": {"contact": 7}}' },
		},
		[{}],
		{ node: goesOn },
	);
	expect(jsonOf(outputs)).toMatchObject([
		{ result: 'unknown', to: '+12025550111', agent_id: published, context: { contact: 7 }, isTest: false },
	]);
});

test('a call of Make API Request has a result, and one that the service denies is unknown', async () => {
	const { published } = service.seed.agents;
	const { active } = service.seed.campaigns;
	const request = (path: string) => ({
		resource: 'service',
		operation: 'makeApiRequest',
		method: 'POST',
		path,
		options: { body: '{"to": "+12025550111", "is_testing": true}' },
	});
	const run = async (path: string) => jsonOf((await service.run(request(path), [{}], { node: goesOn })).outputs);
	expect(await run(`agents/${published}/call`)).toMatchObject([
		{ result: 'placed', isTest: true, data: { to: '+12025550111' } },
	]);
	expect(await run(`campaigns/${active}/call`)).toMatchObject([{ result: 'queued', isTest: true }]);
	const body = { success: false, message: 'Not today.' };
	await service.fault({ match: { method: 'POST' }, kind: 'status', status: 200, body });
	expect(await run(`agents/${published}/call`)).toMatchObject([
		{ result: 'unknown', code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('Not today') },
	]);
});

test('with If Already Queued set to Fail, the failed item has the call that is there', async () => {
	const parameters = {
		...calling.queueCall().parameters,
		phoneNumber: '+12025550111',
		options: { ifAlreadyQueued: 'fail' },
	};
	const [first] = jsonOf((await service.run(parameters)).outputs) as Array<{ id: string }>;
	for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
		const { outputs } = await service.run(parameters, [{}], { node: { onError } });
		expect(outputs.flat()).toMatchObject([
			{ json: { result: 'failed', code: 'DUPLICATE_CALL', existing_call: { id: first?.id, to: '+12025550111' } } },
		]);
	}
});

test('a queued call says in which campaign it is, and in what status that is', async () => {
	const { active } = service.seed.campaigns;
	const { outputs } = await service.run({ ...calling.queueCall().parameters, phoneNumber: '+12025550111' });
	expect(jsonOf(outputs)).toMatchObject([
		{ campaign_id: active, campaign: { id: active, name: expect.any(String), status: 'active' } },
	]);
});

test('the context of a failed item has no ticket of a waiting execution', async () => {
	const ticket = { 'n8n-nodes-voice-agent-calling': 'sealed', contact: 1 };
	const { outputs } = await service.run(
		{
			...calling.place().parameters,
			phoneNumber: '12',
			options: { metadataJson: JSON.stringify(ticket) },
		},
		[{}],
		{ node: goesOn },
	);
	expect(jsonOf(outputs)).toMatchObject([{ result: 'failed', context: { contact: 1 } }]);
	expect(JSON.stringify(outputs)).not.toContain('sealed');
});

test.each([
	['prose about a password', { topic: 'password reset', password_reset: true }, true],
	['a password', { server: { password: 'hush-hush' } }, false],
	['a password in a JSON text', { server: '{"password": "hush-hush"}' }, false],
])('the context of a failed item with %s', async (_what, context, isShown) => {
	const json = { options: { metadataJson: JSON.stringify(context) } };
	const { outputs } = await service.run({ ...calling.place().parameters, phoneNumber: '12', ...json }, [{}], {
		node: goesOn,
	});
	expect(jsonOf(outputs)).toMatchObject([{ result: 'failed', ...(isShown && { context }) }]);
	expect(JSON.stringify(outputs)).not.toContain('hush-hush');
});

test('what the service says it did is not called failed, even if the answer lacks the object', async () => {
	const create = {
		resource: 'calendarEvent',
		operation: 'create',
		calendar: byId(service.seed.calendar),
		title: 'Visit',
		start: '2031-05-05T09:00:00Z',
		end: '2031-05-05T10:00:00Z',
	};
	await service.fault({ match: { method: 'POST' }, kind: 'status', status: 200, body: { success: true } });
	const { outputs, tries } = await service.run(create, [{}], { node: { ...goesOn, retryOnFail: true } });
	expect({ tries, items: jsonOf(outputs) }).toMatchObject({
		tries: 1,
		items: [{ result: 'unknown', code: 'OUTCOME_UNKNOWN' }],
	});
	const get = { resource: 'campaign', operation: 'get', campaign: byId('x') };
	await service.fault({ match: { method: 'GET' }, kind: 'status', status: 200, body: { success: true } });
	expect(jsonOf((await service.run(get, [{}], { node: goesOn })).outputs)).toMatchObject([
		{ result: 'failed', code: 'UNREADABLE_ANSWER' },
	]);
});

describe('A table of the output has no holes:', () => {
	const { waiting, ...quick } = {
		waiting: { timeLimit: { values: { amount: 6, unit: 'seconds' } }, pollInterval: 1 },
		place: 'place',
		queueCall: 'queueCall',
	} as const;
	const operations = { ...quick, placeAndWait: 'place', queueCallAndWait: 'queueCall' } as const;

	/** Calls as they can end up, and an agent or campaign that cannot call. */
	async function mixed(operation: keyof typeof operations, more: object = {}) {
		const { parameters, owner } = calling[operations[operation]]();
		const { published, draft } = service.seed.agents;
		const { active, paused } = service.seed.campaigns;
		const isPlace = operations[operation] === 'place';
		const [good, bad] = isPlace ? [published, draft] : [active, paused];
		// The agent has a variable, which item 4 lacks.
		const { data } = (await service.api('GET', `agents/${published}`)).body as { data: Record<string, unknown> };
		await service.api('PUT', `agents/${published}/knowledge`, { ...data, initial_message: 'Hello from {{city}}!' });
		await service.api('POST', `agents/${published}/publish`);
		await service.api('POST', `campaigns/${active}/call`, { to: '+12025550177' });
		const items = [
			{ to: '+12025550111', who: good },
			{ to: '12', who: good },
			{ to: '+12025550122', who: good },
			{ to: '+1 202 555 0111', who: good },
			{ to: '+12025550133', who: good, check: true },
			{ to: '+12025550144', who: bad },
			{ to: '+12025550155', who: bad },
			{ to: '+12025550177', who: good },
		];
		await service.fault({ match: { method: 'POST', path: pathOf(owner) }, kind: 'latency', ms: 0 });
		await service.fault({ match: { method: 'POST', path: pathOf(owner) }, kind: 'drop-after' });
		const isWaiting = operation.endsWith('Wait');
		const run = async () =>
			await service.run(
				{
					...parameters,
					operation,
					[isPlace ? 'agent' : 'campaign']: byId('={{ $json.who }}'),
					phoneNumber: '={{ $json.to }}',
					testCall: 'always',
					...(isWaiting && { waitBy: 'polling' }),
					options: {
						missingVariables: "={{ $json.check === true ? 'fail' : 'ignore' }}",
						metadataFields: { values: [{ name: 'contact', value: '={{ $itemIndex }}' }] },
						...(isWaiting && waiting),
					},
					sending: one,
					...more,
				},
				items,
				{ node: goesOn },
			);
		const { outputs } = await (isWaiting ? inFastTime(run) : run());
		return { results: (jsonOf(outputs) ?? []) as Array<Record<string, unknown>>, isPlace, isWaiting };
	}

	const pathOf = (owner: object) => {
		const [[key, id] = []] = Object.entries(owner);
		return `/api/v1/${key === 'agent_id' ? 'agents' : 'campaigns'}/${id}/call`;
	};

	test.each(Object.keys(operations) as Array<keyof typeof operations>)(
		'%s has the same fields in all items with the same kind of result',
		async (operation) => {
			const { results, isPlace, isWaiting } = await mixed(operation);
			const [placed, owner] = isPlace ? ['placed', 'agent_id'] : ['queued', 'campaign_id'];
			const existing = isPlace ? placed : 'alreadyQueued';
			expect(results.map(({ result }) => result)).toEqual([
				...[placed, 'failed', 'unknown', 'sameNumber', 'notReady', 'failed', 'notTried', existing],
			]);
			const keysOf = (item: number) => Object.keys(results[item] ?? {}).sort();
			for (const result of results) {
				const outcome = 'outcome' in result ? ['outcome'] : [];
				const first = ['result', 'to', 'code', 'message', ...outcome];
				expect(Object.keys(result).slice(0, first.length)).toEqual(first);
			}
			const failedKeys = ['code', 'context', 'httpStatus', 'isTest', 'message', 'result', 'to', owner].sort();
			for (const item of [1, 2, 4, 5, 6]) {
				expect({ item, keys: keysOf(item) }).toEqual({ item, keys: failedKeys });
			}
			const calls = ['created_at', 'id', 'isTest', 'result', 'status', 'to', owner];
			for (const key of isWaiting ? [...calls, 'outcome', 'context', 'payload'] : calls) {
				expect(keysOf(0)).toContain(key);
			}
			expect(keysOf(3)).toEqual([...keysOf(0), 'sameNumberAsItem'].sort());
			for (const key of isWaiting ? [...calls, 'context', 'payload'] : calls) {
				expect(keysOf(7)).toContain(key);
			}
			// Nobody waits for a call that was there before, nor is it known whether it is a test call.
			expect([results[7]?.isTest, 'outcome' in (results[7] ?? {})]).toEqual([
				isPlace ? true : null,
				isPlace && isWaiting,
			]);
			expect(results.slice(0, 7).map(({ isTest }) => isTest)).toEqual(results.slice(0, 7).map(() => true));
		},
		20_000,
	);

	test('in another try, a call that was placed has its number, too', async () => {
		const { parameters } = calling.place();
		const { draft, published } = service.seed.agents;
		const fail = { match: { path: `/api/v1/agents/${draft}/call` }, kind: 'status', status: 403 } as const;
		await service.fault(fail);
		await service.api('POST', `agents/${draft}/publish`);
		const { outputs } = await service.run(
			{ ...parameters, agent: byId('={{ $json.who }}'), phoneNumber: '={{ $json.to }}', sending: one },
			[
				{ to: '+1 202 555 0111', who: published },
				{ to: '+12025550122', who: draft },
			],
			{ node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } },
		);
		expect(jsonOf(outputs)?.[0]).toEqual({
			id: expect.any(String),
			agent_id: published,
			to: '+12025550111',
			result: 'placed',
			code: null,
			message: null,
			isTest: false,
			alreadySent: true,
		});
	});

	test('a field of the service named like one of the node does not replace it', async () => {
		const call = { id: 'a', to: '+12025550111', result: 'reached', isTest: 'maybe', sameNumberAsItem: 'x' };
		const { parameters } = calling.place();
		await service.fault({
			match: { method: 'POST' },
			kind: 'status',
			status: 200,
			body: { success: true, data: call },
		});
		const items = [{ to: '+12025550111' }, { to: '+1 202 555 0111' }];
		const { outputs } = await service.run({ ...parameters, phoneNumber: '={{ $json.to }}', testCall: 'always' }, items);
		expect(jsonOf(outputs)).toMatchObject([
			{ result: 'placed', isTest: true },
			{ result: 'sameNumber', isTest: true, sameNumberAsItem: 0 },
		]);
	});
});

describe('isTest says what was really sent', () => {
	const { place } = calling;
	const isTestOf = async (parameters: object, options: object = {}) => {
		const { outputs } = await service.run({ ...place().parameters, ...parameters }, [{}], { node: goesOn, ...options });
		return (jsonOf(outputs) as Array<{ isTest: unknown }>).map(({ isTest }) => isTest);
	};
	const phoneNumber = '+12025550111';

	test('for a call that was placed', async () => {
		expect(await isTestOf({ phoneNumber, testCall: 'always' })).toEqual([true]);
		expect(await isTestOf({ phoneNumber, testCall: 'never' })).toEqual([false]);
		const credentials = service.credentials({ testCallsOnly: true });
		expect(await isTestOf({ phoneNumber, testCall: 'never' }, { credentials })).toEqual([true]);
		expect((await service.requests('POST')).map(({ body }) => (body as { is_testing: boolean }).is_testing)).toEqual([
			true,
			false,
			true,
		]);
	});

	test('for a call that failed: what would have been sent, or null if the credential cannot be read', async () => {
		const wrong = { phoneNumber: '12' };
		expect(await isTestOf({ ...wrong, testCall: 'always' })).toEqual([true]);
		expect(await isTestOf({ ...wrong, testCall: 'never' })).toEqual([false]);
		const only = { credentials: service.credentials({ testCallsOnly: true }) };
		expect(await isTestOf({ ...wrong, testCall: 'never' }, only)).toEqual([true]);
		expect(await isTestOf({ phoneNumber, testCall: 'loud' })).toEqual([null]);
		const unusable = { credentials: service.credentials({ baseUrl: 'http://example.com' }) };
		expect(await isTestOf({ phoneNumber, testCall: 'never' }, unusable)).toEqual([null]);
		expect(await isTestOf({ phoneNumber, testCall: 'always' }, unusable)).toEqual([true]);
	});
});

describe('With On Error set to continue, no item passes through as if it had worked', () => {
	const items = ['+12025550111', '+12025550122', '+12025550133'].map((to) => ({ to }));
	const place = (more: object) => ({ ...calling.place().parameters, phoneNumber: '={{ $json.to }}', ...more });

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'%s: an expression that fails for one item fails that item only',
		async (onError) => {
			const delay = '={{ $json.to.endsWith("22") ? "x".toDateTime() : 0 }}';
			const { outputs } = await service.run(place({ options: { delay } }), items, { node: { onError } });
			const results = outputs.flat().map(({ json, pairedItem }) => ({ ...json, pairedItem }));
			expect(results).toHaveLength(3);
			const placed = results.filter((result) => (result as { result?: string }).result === 'placed');
			expect(placed).toMatchObject([
				{ to: '+12025550111', status: 'initiated', pairedItem: { item: 0 } },
				{ to: '+12025550133', status: 'initiated', pairedItem: { item: 2 } },
			]);
			expect(results).toContainEqual(
				expect.objectContaining({
					result: 'failed',
					code: 'INVALID_INPUT',
					message: expect.stringContaining('cannot convert to Luxon DateTime. Check the expressions'),
					to: '+12025550122',
				}),
			);
			expect(await service.requests('POST')).toHaveLength(2);
		},
	);

	test('a credential that cannot be used fails every item', async () => {
		const { outputs } = await service.run(place({}), items, {
			credentials: service.credentials({ baseUrl: 'http://example.com' }),
			node: goesOn,
		});
		expect(jsonOf(outputs)).toMatchObject(
			items.map(({ to }) => ({ result: 'failed', message: expect.stringContaining('must start with https://'), to })),
		);
	});
});

test('each item fails if the operation does not exist, as in an imported workflow', async () => {
	const spec = { type: 'n8n-nodes-voice-agent-calling.voiceAgentCalling', onError: 'continueRegularOutput' } as const;
	const parameters = { resource: 'call', operation: 'dial' };
	const { outputs } = await harness.runNode({ ...spec, parameters }, [{ n: 1 }, { n: 2 }] as never, {
		credentials: service.credentials(),
	});
	const failed = { result: 'failed', code: 'INVALID_INPUT', message: expect.stringContaining('no operation "dial"') };
	expect(outputs[0]).toMatchObject([0, 1].map((item) => ({ json: failed, pairedItem: { item } })));
});
