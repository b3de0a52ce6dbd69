import { harness } from '../../harness.mts';
import { actionNode, byId, goesOn, inFastTime, jsonOf, shortWait, useService } from '../../service.mts';
import { teach } from '../callRules/ruledCalls.mts';

const service = useService();

const one = { maxConcurrentRequests: 1 };

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
	const numbers = ['+1 202 555 0111', '12', '+1 202 555 0122', '+1 202 555 0133', '+1 202 555 0144'];
	const items = numbers.map((to, id) => ({ to, id }));
	const run = async (options: object) => {
		const { parameters, owner } = calling[operation]();
		const match = { method: 'POST' };
		await service.fault({ match, kind: 'latency', ms: 0 });
		await service.fault({ match, kind: 'drop-after' });
		await service.fault({ match, kind: 'status', status: 402, body: { success: false, message: 'No credits.' } });
		const call = { ...parameters, phoneNumber: '={{ $json.to }}', options: options as never, sending: one };
		const { outputs } = await service.run(call, items, { node: goesOn });
		return { results: jsonOf({ outputs }), owner };
	};

	test('says whether it failed, is unknown or was not tried in `result`, and leaves `status` to the service', async () => {
		const metadataFields = { values: [{ name: 'contact', value: '={{ $json.id }}' }] };
		const { results, owner } = await run({ metadataFields });
		const of = (item: number, result: string, code: string, httpStatus: number | null = null) => ({
			...owner,
			to: items[item]?.to,
			context: { contact: item },
			isTest: false,
			message: expect.any(String),
			advice: expect.any(String),
			result,
			code,
			httpStatus,
			nextAllowedAt: item > 2 ? expect.any(String) : null,
		});
		const placed = { result: operation === 'place' ? 'placed' : 'queued', to: '+12025550111', isTest: false };
		const status = expect.stringMatching(/initiated|queued/);
		expect(results).toEqual([
			expect.objectContaining({ ...owner, ...placed, status }),
			of(1, 'failed', 'INVALID_PHONE_NUMBER'),
			of(2, 'unknown', 'OUTCOME_UNKNOWN'),
			of(3, 'failed', 'INSUFFICIENT_CREDITS', 402),
			of(4, 'notTried', 'NOT_TRIED'),
		]);
	});

	test('has the context as it was given, even if it cannot be read', async () => {
		const { results } = await run({ metadataJson: '={{ $json.id > 2 ? "{oops" : { n: 1 } }}' });
		expect(results.slice(1).map(({ context }) => context)).toEqual([{ n: 1 }, { n: 1 }, '{oops', '{oops']);
	});
});

test('an item of any other operation has result, code, message, HTTP status and advice, and nothing of a call', async () => {
	const { outputs } = await service.run(
		{ resource: 'campaign', operation: 'get', campaign: byId('={{ $json.id }}') },
		[{ id: 'nobody' }, { id: '' }],
		{ node: goesOn },
	);
	const texts = { message: expect.any(String), advice: expect.any(String) };
	expect(jsonOf({ outputs })).toEqual([
		{ result: 'failed', code: 'CAMPAIGN_NOT_FOUND', ...texts, httpStatus: 404 },
		{ result: 'failed', code: 'INVALID_INPUT', ...texts, httpStatus: null },
	]);
});

test('a call of Make API Request has a result, and one that the service denies or does not answer is unknown', async () => {
	const { published } = service.seed.agents;
	const run = async (path: string, more: object = {}) => {
		const body = { to: '+12025550111', is_testing: true, ...more };
		const request = { resource: 'service', operation: 'makeApiRequest', method: 'POST', path, options: { body } };
		return jsonOf(await service.run(request as never, [{}], { node: goesOn }));
	};
	const placed = { result: 'placed', isTest: true, data: { to: '+12025550111' } };
	expect(await run(`agents/${published}/call`)).toMatchObject([placed]);
	const queued = { result: 'queued', isTest: true };
	expect(await run(`campaigns/${service.seed.campaigns.active}/call`)).toMatchObject([queued]);
	const unknown = { result: 'unknown', code: 'OUTCOME_UNKNOWN' };
	const body = { success: false, message: 'Not today.' };
	await service.answer('POST', 200, body);
	const message = expect.stringContaining('Not today');
	expect(await run(`agents/${published}/call`)).toMatchObject([{ ...unknown, message }]);
	await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
	const context = { contact: 7 };
	const failed = { ...unknown, to: '+12025550111', agent_id: published, context, isTest: true };
	expect(await run(`agents/${published}/call`, { context })).toMatchObject([failed]);
});

test.each([
	['prose about a password', { topic: 'password reset', password_reset: true }, true],
	['a password', { server: { password: 'hush-hush' } }, false],
	['a password in a JSON text', { server: '{"password": "hush-hush"}' }, false],
	['the resume token of a waiting execution', { 'n8n-nodes-voice-agent-calling': 'hush-hush' }, false],
])('the context of a failed item with %s', async (_what, context, isShown) => {
	const json = { options: { metadataJson: JSON.stringify(context) } };
	const { outputs } = await service.run({ ...calling.place().parameters, phoneNumber: '12', ...json }, [{}], {
		node: goesOn,
	});
	expect(jsonOf({ outputs })).toMatchObject([{ result: 'failed', ...(isShown && { context }) }]);
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
	await service.answer('POST', 200, { success: true });
	const { outputs, tries } = await service.run(create, [{}], { node: { ...goesOn, retryOnFail: true } });
	expect([tries, jsonOf({ outputs })]).toMatchObject([1, [{ result: 'unknown', code: 'OUTCOME_UNKNOWN' }]]);
});

describe('A table of the output has no holes:', () => {
	const operations = {
		placeAndWait: 'place',
		queueCallAndWait: 'queueCall',
		place: 'place',
		queueCall: 'queueCall',
	} as const;

	/** Calls as they can end up, and an agent or campaign that cannot call. */
	async function mixed(operation: keyof typeof operations) {
		const { parameters } = calling[operations[operation]]();
		const { published, draft } = service.seed.agents;
		const { active, paused } = service.seed.campaigns;
		const isPlace = operations[operation] === 'place';
		const isWaiting = operation.endsWith('Wait');
		const [who, bad] = isPlace ? [published, draft] : [active, paused];
		// The agent has a variable, which item 4 lacks.
		await teach(service, 'You speak of {{city}}.');
		await service.api('POST', `campaigns/${active}/call`, { to: '+12025550177' });
		const items = [
			...['+12025550111', '12', '+12025550122', '+1 202 555 0111'].map((to) => ({ to, who })),
			{ to: '+12025550133', who, check: true },
			...['+12025550144', '+12025550155'].map((to) => ({ to, who: bad })),
			{ to: '+12025550177', who },
		];
		const match = { method: 'POST', path: `/api/v1/${isPlace ? 'agents' : 'campaigns'}/${who}/call` };
		await service.fault({ match, kind: 'latency', ms: 0 });
		await service.fault({ match, kind: 'drop-after' });
		const all = {
			...parameters,
			operation,
			phoneNumber: '={{ $json.to }}',
			testCall: 'always',
			sending: one,
			[isPlace ? 'agent' : 'campaign']: byId('={{ $json.who }}'),
			...(isWaiting && { waitBy: 'polling' }),
			options: {
				missingVariables: "={{ $json.check === true ? 'fail' : 'ignore' }}",
				metadataFields: { values: [{ name: 'contact', value: '={{ $itemIndex }}' }] },
				...(isWaiting && shortWait),
			},
		};
		const run = async () => await service.run(all, items, { node: goesOn });
		const { outputs } = await (isWaiting ? inFastTime(run) : run());
		return { results: jsonOf({ outputs }), isPlace, isWaiting };
	}

	test.each(Object.keys(operations) as Array<keyof typeof operations>)(
		'%s has the same fields in all items with the same kind of result',
		async (operation) => {
			const { results, isPlace, isWaiting } = await mixed(operation);
			const [placed, owner] = isPlace ? ['placed', 'agent_id'] : ['queued', 'campaign_id'];
			const existing = isPlace ? placed : 'alreadyQueued';
			expect(results.map(({ result }) => result)).toEqual([
				placed,
				'failed',
				'unknown',
				'sameNumber',
				'notReady',
				'failed',
				'notTried',
				existing,
			]);
			const keysOf = (item: number) => Object.keys(results[item] ?? {}).sort();
			for (const result of results) {
				const first = ['result', 'to', ...(isWaiting ? ['outcome'] : []), 'context', 'isTest', 'message'];
				expect(Object.keys(result).slice(0, first.length)).toEqual(first);
				expect(Object.keys(result).at(-1)).toBe('advice');
				expect(result.message).toEqual(expect.stringMatching(/\.$/));
			}
			const ofAll = ['advice', 'code', 'context', 'isTest', 'message', 'result', 'to', owner];
			const awaited = isWaiting ? ['outcome'] : [];
			const failedKeys = [...ofAll, ...awaited, 'httpStatus', 'nextAllowedAt'].sort();
			expect([1, 2, 4, 5, 6].map(keysOf)).toEqual(Array(5).fill(failedKeys));
			const ofCall = [...ofAll, ...awaited, 'created_at', 'id', 'status'];
			expect(keysOf(0)).toEqual(expect.arrayContaining(ofCall));
			// Of the call of another item, an item has only the ID.
			expect(keysOf(3)).toEqual([...ofAll, ...awaited, 'id', 'sameNumberAsItem'].sort());
			expect(keysOf(7)).toEqual(expect.arrayContaining(ofCall));
			const last = isPlace ? 'timedOut' : 'notCalled';
			const outcomes = ['timedOut', 'notCalled', 'unknown', ...Array(4).fill('notCalled'), last];
			expect(results.map(({ outcome }) => outcome)).toEqual(isWaiting ? outcomes : Array(8).fill(undefined));
			// Nobody waits for a call that was there before, nor is it known whether it is a test call.
			expect(results[7]?.isTest).toBe(isPlace ? true : null);
			expect(results.slice(0, 7).map(({ isTest }) => isTest)).toEqual(Array(7).fill(true));
		},
	);

	test('a field of the service named like one of the node does not replace it', async () => {
		const call = { id: 'a', to: '+12025550111', result: 'reached', isTest: 'maybe', sameNumberAsItem: 'x' };
		const body = { success: true, data: call };
		await service.answer('POST', 200, body);
		const items = [{ to: '+12025550111' }, { to: '+1 202 555 0111' }];
		const place = { ...calling.place().parameters, phoneNumber: '={{ $json.to }}', testCall: 'always' };
		const { outputs } = await service.run(place, items);
		expect(jsonOf({ outputs })).toMatchObject([
			{ result: 'placed', isTest: true },
			{ result: 'sameNumber', isTest: true, sameNumberAsItem: 0 },
		]);
	});
});

describe('isTest says what was really sent', () => {
	const { place } = calling;
	const isTestOf = async (parameters: object, options: object = {}) => {
		const { outputs } = await service.run({ ...place().parameters, ...parameters }, [{}], { node: goesOn, ...options });
		return jsonOf({ outputs }).map(({ isTest }) => isTest);
	};
	const phoneNumber = '+12025550111';

	test('for a call that was placed', async () => {
		expect(await isTestOf({ phoneNumber, testCall: 'always' })).toEqual([true]);
		expect(await isTestOf({ phoneNumber, testCall: 'never' })).toEqual([false]);
		const credentials = service.credentials({ testCallsOnly: true });
		expect(await isTestOf({ phoneNumber, testCall: 'never' }, { credentials })).toEqual([true]);
		const sent = (await service.requests('POST')).map(({ body }) => Object(body).is_testing as boolean);
		expect(sent).toEqual([true, false, true]);
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
			const message = "'Delay (Seconds)': cannot convert to Luxon DateTime.";
			const advice = 'Check its expression.';
			expect(results).toEqualInAnyOrder([
				expect.objectContaining({ result: 'placed', to: '+12025550111', pairedItem: { item: 0 } }),
				expect.objectContaining({ result: 'placed', to: '+12025550133', pairedItem: { item: 2 } }),
				expect.objectContaining({ result: 'failed', code: 'INVALID_INPUT', message, advice, to: '+12025550122' }),
			]);
			expect(await service.requests('POST')).toHaveLength(2);
		},
	);

	test('a credential that cannot be used fails every item', async () => {
		const { outputs } = await service.run(place({}), items, {
			credentials: service.credentials({ baseUrl: 'http://example.com' }),
			node: goesOn,
		});
		expect(jsonOf({ outputs })).toMatchObject(
			items.map(({ to }) => ({ result: 'failed', message: expect.stringContaining('must start with https://'), to })),
		);
	});
});

test('each item fails if the operation does not exist, as in an imported workflow', async () => {
	const spec = { type: actionNode, ...goesOn, parameters: { resource: 'call', operation: 'dial' } };
	const credentials = service.credentials();
	const { outputs } = await harness.runNode(spec, [{ n: 1 }, { n: 2 }] as never, { credentials });
	const failed = { result: 'failed', code: 'INVALID_INPUT', message: expect.stringContaining('no operation "dial"') };
	expect(outputs[0]).toMatchObject([0, 1].map((item) => ({ json: failed, pairedItem: { item } })));
});
