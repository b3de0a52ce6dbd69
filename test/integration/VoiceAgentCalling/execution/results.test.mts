import { byId, type Service, startService } from '../../service.mts';

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
				contextFields: { values: [{ name: 'contact', value: '={{ $json.id }}' }] },
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
		const of = (item: number) => ({ ...owner, to: items[item]?.to, context: { contact: item } });
		expect(results).toEqual([
			expect.objectContaining({ ...owner, to: '+12025550111', status: expect.stringMatching(/initiated|queued/) }),
			{ result: 'failed', code: 'INVALID_INPUT', message: expect.any(String), httpStatus: null, ...of(1) },
			{ result: 'unknown', code: 'OUTCOME_UNKNOWN', message: expect.any(String), httpStatus: null, ...of(2) },
			{ result: 'failed', code: 'INSUFFICIENT_CREDITS', message: expect.any(String), httpStatus: 402, ...of(3) },
			{ result: 'notTried', code: 'NOT_TRIED', message: expect.any(String), httpStatus: null, ...of(4) },
		]);
		expect(results[0]).not.toHaveProperty('result');
	});

	test('has the context as it was given, even if it cannot be read', async () => {
		const { results } = await run({ specifyContext: 'json', contextJson: '={{ $json.id > 2 ? "{oops" : { n: 1 } }}' });
		expect(results.slice(1)).toMatchObject([
			{ code: 'INVALID_INPUT', context: { n: 1 } },
			{ code: 'OUTCOME_UNKNOWN', context: { n: 1 } },
			{ code: 'INVALID_INPUT', context: '{oops' },
			{ code: 'INVALID_INPUT', context: '{oops' },
		]);
	});

	test('has no context if none was given', async () => {
		const { results } = await run({ contextFields: {} });
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
		{ result: 'unknown', to: '+12025550111', agent_id: published, context: { contact: 7 } },
	]);
});

test('with On Duplicate set to Fail, the failed item has the call that is there', async () => {
	const parameters = { ...calling.queueCall().parameters, phoneNumber: '+12025550111', onDuplicate: 'fail' };
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
			specifyContext: 'json',
			contextJson: JSON.stringify(ticket),
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
	const json = { specifyContext: 'json', contextJson: JSON.stringify(context) };
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
			expect(results.filter((result) => !('result' in result))).toMatchObject([
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
