import { harness } from '../../harness.mts';
import { byId, inFastTime, type Service, startService } from '../../service.mts';
import { failed } from '../resources/items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

type Item = Record<string, unknown>;

const type = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';
const goesOn = { node: { onError: 'continueRegularOutput' as const } };
const manual = (value: Item | null) => ({ mappingMode: 'defineBelow', value });
const automatic = { mappingMode: 'autoMapInputData', value: null };
const operations = ['place', 'placeAndWait', 'queueCall', 'queueCallAndWait'] as const;
type Calling = (typeof operations)[number];

/** The parameters of an operation. The agent or campaign of an item comes first. */
const call = (operation: Calling, agentVariables: Record<string, unknown>, options: Record<string, unknown> = {}) => ({
	...(operation.startsWith('place')
		? { resource: 'call', agent: byId(`={{ $json.agent ?? '${service.seed.agents.published}' }}`) }
		: { resource: 'campaign', campaign: byId(`={{ $json.campaign ?? '${service.seed.campaigns.active}' }}`) }),
	operation,
	phoneNumber: '={{ $json.to }}',
	agentVariables,
	...(operation.endsWith('AndWait') && { waitBy: 'polling' }),
	options: {
		...(operation.endsWith('AndWait') && { timeLimit: { values: { amount: 6, unit: 'seconds' } }, pollInterval: 1 }),
		...options,
	},
});

/** Items with the numbers of calls that nobody answers for long, so that waiting is short. */
const itemsWith = (...fields: Item[]) => fields.map((more, index) => ({ to: `+1202555${1000 + index}`, ...more }));

/** Gives an agent texts with these variables, and publishes it. */
async function teach(description: string, agent = service.seed.agents.published): Promise<void> {
	const knowledge = {
		description,
		initial_message: 'Hello!',
		interrupt_sensitivity: 'low',
		ask_if_human_present_on_idle: true,
		llm_temperature: 0,
		initial_message_delay: 0,
	};
	await service.api('PUT', `agents/${agent}/knowledge`, knowledge);
	await service.api('POST', `agents/${agent}/publish`);
}

/** What the service got for each number, in the order of the items; undefined for a call without variables. */
async function payloads(items: Item[]): Promise<unknown[]> {
	const posts = await service.requests('POST', '/call');
	const bodies = posts.map(({ body }) => body as Item);
	return items.map(({ to }) => bodies.find((body) => body.to === to)?.payload);
}

const calls = async () => await service.requests('POST', '/call');
const reads = async (since: number) =>
	(await service.requests())
		.slice(since)
		.filter(({ method }) => method === 'GET')
		.map(({ path }) => path.replace('/api/v1/', ''));

/** The service takes the first two calls, refuses the third one, and takes all others. */
async function refusedThird(): Promise<void> {
	await service.fault({ match: { method: 'POST' }, kind: 'latency', ms: 0, times: 2 });
	await service.fault({ match: { method: 'POST' }, kind: 'status', status: 403, times: 1 });
}

const goingOn = async (parameters: object, items: Item[], more: object = {}) =>
	await service.run(parameters as never, items, { ...goesOn, ...more });

describe.each(operations)('%s: Agent Variables', (operation) => {
	const advance = async <Value,>(running: Promise<Value>): Promise<Value> => {
		let isOver = false;
		const result = running.finally(() => {
			isOver = true;
		});
		return await inFastTime(async () => {
			while (operation.endsWith('AndWait') && !isOver) {
				await Promise.race([result.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 20))]);
				await service.advance(60);
			}
			return await result;
		});
	};

	test('mapped by hand keep their types; an empty text is sent, and an empty field is not', async () => {
		const items = itemsWith({ age: 7, vip: false, note: '' }, { age: 0, vip: true, note: 'hi' }, {});
		const value = {
			age: '={{ $json.age }}',
			vip: '={{ $json.vip }}',
			note: '={{ $json.note }}',
			fixed: 'x',
			none: null,
		};
		const schema = ['age', 'vip', 'note', 'fixed', 'none'].map((id) => ({ id, type: 'string', required: false }));
		await advance(goingOn(call(operation, { ...manual(value), schema }), items));
		expect(await payloads(items)).toEqual([
			{ age: 7, vip: false, note: '', fixed: 'x' },
			{ age: 0, vip: true, note: 'hi', fixed: 'x' },
			{ fixed: 'x' },
		]);
	});

	test('Map Automatically sends the input fields that the agent needs, and no other field', async () => {
		await teach('Hello {{name}} of {{ company.name }}, code {{code}}!');
		const items = itemsWith(
			{ name: 'Ada', secret: 's1', company: { name: 'ACME', iban: 's2' }, code: 0 },
			{ name: '', 'company.name': 'Dotted', company: { name: 'not this', iban: 's3' } },
			{ name: null, secret: 's4' },
		);
		// The stored schema is of another time: it does not count.
		const stored = { ...automatic, value: { secret: '={{ $json.secret }}' }, schema: [{ id: 'secret' }] };
		await advance(goingOn(call(operation, stored, { missingVariables: 'ignore' }), items));
		expect(await payloads(items)).toEqual([
			{ name: 'Ada', company: { name: 'ACME' }, code: 0 },
			{ name: '', 'company.name': 'Dotted' },
			undefined,
		]);
		expect(JSON.stringify((await calls()).map(({ body }) => body))).not.toMatch(/s\d|not this/);
	});

	test('an empty payload is not sent', async () => {
		await advance(goingOn(call(operation, manual(null)), itemsWith({}, {}, {})));
		for (const { body } of await calls()) {
			expect(body).not.toHaveProperty('payload');
		}
	});
});

test('Variables (JSON) replaces mapped values, and adds names that the agent does not list', async () => {
	const items = itemsWith({}, {}, {});
	const options = { variablesJson: '{"a": "json", "d": null}' };
	await goingOn(call('place', manual({ a: 'mapped', b: 'mapped' }), options), items);
	expect(await payloads(items)).toEqual(items.map(() => ({ a: 'json', b: 'mapped', d: null })));
});

test.each([
	['a value that is no mapping', { mappingMode: 'someOther', value: {} }],
	['values that are a text', { mappingMode: 'defineBelow', value: 'name' }],
])('%s is refused before anything is sent', async (_what, mapping) => {
	const { outputs } = await goingOn(call('place', mapping), itemsWith({}, {}, {}));
	expect(outputs[0]).toMatchObject(Array(3).fill({ json: failed('INVALID_INPUT') }));
	expect(await service.requests()).toEqual([]);
});

/** The JSON of an item that lacks a variable. */
const missing = (more: object = {}) => failed('MISSING_VARIABLES', { result: 'notReady', ...more });

describe('the variables of an agent are read', () => {
	test('once for each agent of a run', async () => {
		await teach('Hello {{name}}!');
		const { published, draft } = service.seed.agents;
		const items = itemsWith({ name: 'A' }, { name: 'B', agent: draft }, { name: 'C' }, { name: 'D', agent: draft });
		const since = (await service.requests()).length;
		await goingOn(call('place', automatic), items);
		expect((await reads(since)).sort()).toEqual(
			[draft, published].flatMap((id) => [`agents/${id}`, `agents/${id}/flow`]).sort(),
		);
	});

	test('once for each campaign, through its agent', async () => {
		const since = (await service.requests()).length;
		await goingOn(call('queueCall', automatic), itemsWith({}, {}, {}));
		const { published } = service.seed.agents;
		expect(await reads(since)).toEqual([
			`campaigns/${service.seed.campaigns.active}`,
			`agents/${published}`,
			`agents/${published}/flow`,
		]);
	});

	test('before the first call, and not at all for Ignore with manual mapping', async () => {
		const mapping = manual({ name: 'Ada' });
		await service.run(call('place', mapping) as never, itemsWith({}, {}, {}));
		const methods = (await service.requests()).map(({ method }) => method);
		expect(methods).toEqual(['GET', 'GET', 'POST', 'POST', 'POST']);
		await service.reset();
		await service.run(call('place', mapping, { missingVariables: 'ignore' }) as never, itemsWith({}, {}, {}));
		expect((await service.requests()).map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
	});
});

test('dates and times are sent as JSON has them, wherever they are', async () => {
	const items = itemsWith({}, {}, {});
	const when = '2027-01-02T03:04:05.000Z';
	const date = `new Date('${when}')`;
	const options = {
		variablesJson: `={{ { json: ${date}, list: [{ at: ${date} }, DateTime.fromISO('${when}').toUTC(), Duration.fromISO('PT5M')] } }}`,
		metadataJson: `={{ { nested: { at: ${date} } } }}`,
	};
	await goingOn(call('place', manual({ mapped: `={{ ${date} }}` }), options), items);
	const expected = { json: when, list: [{ at: when }, when, 'PT5M'] };
	for (const { body } of await calls()) {
		expect(body).toMatchObject({ payload: expected, context: { nested: { at: when } } });
		expect(JSON.stringify((body as { payload: Item }).payload.mapped)).toContain('2027-01-0');
	}
	expect(await calls()).toHaveLength(3);
});

test('undefined in Variables (JSON) keeps a mapped value, and a number that JSON does not have is missing', async () => {
	await teach('Hello {{name}}, {{age}}!');
	const items = itemsWith({}, {}, {});
	const options = { variablesJson: '={{ { name: $json.nothing, age: Number("x") } }}' };
	const { outputs } = await goingOn(call('place', manual({ name: 'Ada' }), options), items);
	expect(outputs[0]?.map(({ json }) => json)).toMatchObject(
		items.map(() => missing({ message: expect.stringContaining('have no value: age.') })),
	);
	await goingOn(call('place', manual({ name: 'Ada' }), { ...options, missingVariables: 'ignore' }), items);
	expect(await payloads(items)).toEqual(items.map(() => ({ name: 'Ada', age: null })));
});

test('names that are not plain are not missing: they may be values of the service', async () => {
	await teach('Hello {{call.id}}, {{first name}}, {{some-name}}!');
	const { outputs } = await goingOn(call('place', manual(null)), itemsWith({}, {}, {}));
	expect(outputs[0]?.map(({ json }) => json.result)).toEqual(['placed', 'placed', 'placed']);
});

describe('if the token may not read the flow', () => {
	const items = itemsWith({ name: 'Ada' }, {}, { name: 'Cyd' });
	beforeEach(async () => {
		await teach('Hello {{name}}!');
		const path = `/api/v1/agents/${service.seed.agents.published}/flow`;
		await service.fault({ match: { method: 'GET', path }, kind: 'status', status: 403, times: 20 });
	});

	test('no call is sent, because it may have more variables', async () => {
		const { outputs } = await goingOn(call('place', manual({ name: 'Ada' })), items);
		expect(outputs[0]?.map(({ json }) => json)).toMatchObject(
			items.map(() =>
				failed('VARIABLES_NOT_READ', { message: expect.stringContaining("'Missing Variables' to Ignore") }),
			),
		);
		expect(await calls()).toEqual([]);
	});

	test.each(['place', 'queueCall'] as const)(
		'Check Before Calling with Map Automatically cannot tell which are missing, as for %s',
		async (operation) => {
			const parameters = { ...call(operation, automatic), operation: 'checkBeforeCalling' };
			const { outputs } = await goingOn(parameters, items);
			expect(outputs[0]?.map(({ json }) => json)).toMatchObject(
				items.map(() => ({ result: 'notReady', reasons: [{ code: 'VARIABLES_NOT_READ' }] })),
			);
		},
	);
});

test('a model must not set Missing Variables', async () => {
	const parameters = call('place', manual(null), { missingVariables: "={{ $fromAI('it', '', 'string') }}" });
	const tool = { ...parameters, maxCalls: 4, maxCallsPerHour: 10, allowedPrefixes: '', phoneNumber: '+12025551000' };
	const answer = await harness.mcpTool(
		{ parameters: { ...tool, agent: byId(service.seed.agents.published) } as never },
		{ credentials: service.credentials(), workflowId: 'model' },
	);
	expect(await answer({ it: 'ignore' } as never)).toContain('fixed value');
	expect(await calls()).toEqual([]);
});

describe('Missing Variables', () => {
	const mapping = manual({ name: '={{ $json.nmae }}', city: '={{ $json.city }}' });
	const items = itemsWith({ city: 'Rome' }, { nmae: 'Ada', city: '' }, { nmae: 'Bob', city: 'Bonn' }, { city: 'Oslo' });
	beforeEach(async () => await teach('Hello {{name}} in {{city}}!'));

	test('Fail sends nothing at all if On Error is to stop', async () => {
		const { run } = await service.run(call('place', mapping) as never, items);
		expect(run.error?.message).toBe('Not sent: variables of the agent have no value: name [item 0]');
		expect(await calls()).toEqual([]);
	});

	test.each(['place', 'queueCall'] as const)(
		'Fail fails only the items that lack a variable (%s)',
		async (operation) => {
			const { outputs } = await goingOn(call(operation, mapping), items);
			expect(outputs[0]?.map(({ json }) => json)).toMatchObject([
				missing({ httpStatus: null, message: expect.stringContaining('name. Map') }),
				missing({ message: expect.stringContaining('city. Map') }),
				{ to: items[2]?.to },
				missing(),
			]);
			expect((await calls()).map(({ body }) => (body as Item).to)).toEqual([items[2]?.to]);
		},
	);

	test('Ignore sends all calls', async () => {
		const { outputs } = await goingOn(call('place', mapping, { missingVariables: 'ignore' }), items);
		expect(outputs[0]?.map(({ json }) => json.status)).toEqual(Array(4).fill('initiated'));
	});
});

describe('if the variables cannot be read', () => {
	const items = itemsWith({ name: 'Ada' }, { name: 'Bob' }, { name: 'Cyd' });
	const broken = async (path: string, status: number) =>
		await service.fault({ match: { method: 'GET', path }, kind: 'status', status, times: 20 });
	const agentPath = () => `/api/v1/agents/${service.seed.agents.published}`;

	test.each([
		['the agent', '', 403],
		['its flow', '/flow', 403],
	])('(%s), Map Automatically and Fail send nothing, and it is not called unknown', async (_what, path, status) => {
		for (const parameters of [call('place', automatic), call('queueCall', automatic), call('place', manual(null))]) {
			await broken(`${agentPath()}${path}`, status);
			const { outputs } = await goingOn(parameters, items);
			expect(outputs[0]).toMatchObject(
				items.map(({ to }, item) => ({
					json: failed('VARIABLES_NOT_READ', { to, message: expect.stringContaining('could not be read') }),
					pairedItem: { item },
				})),
			);
			const { run } = await service.run(parameters as never, items);
			expect(run.error?.message).toContain('Not sent');
			expect(await calls()).toEqual([]);
			await service.reset();
		}
	});

	test.each(['agent', 'campaign'])('because there is no such %s, Map Automatically says so', async (owner) => {
		const unknown = { [owner]: '00000000-0000-4000-8000-000000000000' };
		const parameters = call(owner === 'agent' ? 'place' : 'queueCall', automatic);
		const { outputs } = await goingOn(parameters, [items[0], { ...items[1], ...unknown }, items[2]] as Item[]);
		expect(outputs[0]?.[1]?.json).toMatchObject(
			failed(owner === 'agent' ? 'AGENT_NOT_FOUND' : 'CAMPAIGN_NOT_FOUND', {
				message: expect.stringContaining(`The ${owner} does not exist`),
			}),
		);
		expect((await calls()).map(({ body }) => (body as Item).to).sort()).toEqual([items[0]?.to, items[2]?.to]);
	});

	test('in a later try, what an earlier try placed is still reported, and not placed again', async () => {
		await teach('Hello {{name}}!');
		await refusedThird();
		// The agent is read well once. The next tries cannot read it.
		const path = `${agentPath()}/flow`;
		await service.fault({ match: { method: 'GET', path }, kind: 'latency', ms: 0, times: 1 });
		await broken(path, 403);
		const parameters = { ...call('place', automatic), sending: { maxConcurrentRequests: 1 } };
		const { run, tries } = await service.run(parameters as never, items, {
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		expect(tries).toBe(3);
		expect(run.error).toMatchObject({
			description: expect.stringContaining('Calls placed: items 0-1. Errors: item 2.'),
		});
		expect((await calls()).map(({ body }) => (body as Item).to)).toEqual(items.map(({ to }) => to));
	});
});

/** Runs three items twice, of which the service refuses the last at first. The agent has another message at the second try. */
async function runTwice(initial_message: string) {
	await teach('Hello {{name}}!');
	const items = itemsWith({ name: 'Ada', city: 'Rome' }, { name: 'Bob', city: 'Bonn' }, { name: 'Cyd', city: 'Oslo' });
	await refusedThird();
	const id = service.seed.agents.published;
	const body = { success: true, data: { id, current_status: 'published', initial_message } };
	const path = `/api/v1/agents/${id}`;
	await service.fault({ match: { method: 'GET', path }, kind: 'latency', ms: 0, times: 1 });
	await service.fault({ match: { method: 'GET', path }, kind: 'status', status: 200, body, times: 9 });
	const parameters = { ...call('place', automatic), sending: { maxConcurrentRequests: 1 } };
	const { run } = await service.run(parameters as never, items, {
		node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
	});
	return { run, items };
}

test('variables that changed between two tries do not lead to a second call', async () => {
	const { run, items } = await runTwice('In {{city}}.');
	expect(run.status).toBe('success');
	const sent = (await calls()).map(({ body, status }) => [(body as Item).to, (body as Item).payload, status]);
	expect(sent).toEqual([
		[items[0]?.to, { name: 'Ada' }, 200],
		[items[1]?.to, { name: 'Bob' }, 200],
		[items[2]?.to, { name: 'Cyd' }, 403],
		[items[2]?.to, { city: 'Oslo' }, 200],
	]);
});

test('variables that are missing at the second try only do not hide the calls of the first one', async () => {
	const { run } = await runTwice('In {{country}}.');
	expect(run.error).toMatchObject({
		description: expect.stringContaining('Calls placed: items 0-1. Errors: item 2.'),
	});
	expect(await calls()).toHaveLength(3);
});

describe('the columns in the editor', () => {
	const columns = async (parameters: object, credentials = service.credentials()) =>
		await harness.resourceMapperFields({
			type,
			method: 'getAgentVariables',
			credentials,
			parameters: parameters as never,
		});
	const place = (more: object = {}) => ({
		resource: 'call',
		operation: 'place',
		agent: byId(service.seed.agents.published),
		...more,
	});
	const queue = (more: object = {}) => ({
		resource: 'campaign',
		operation: 'queueCall',
		campaign: byId(service.seed.campaigns.active),
		...more,
	});

	test('are the variables of the agent, or of the agent of the campaign', async () => {
		await teach('Hello {{name}} of {{company.name}}!');
		for (const parameters of [place(), queue(), place({ operation: 'checkBeforeCalling' })]) {
			const { fields, emptyFieldsNotice } = await columns(parameters);
			expect(fields).toEqual(
				['name', 'company.name'].map((id) => ({
					id,
					displayName: id,
					type: 'string',
					required: false,
					defaultMatch: false,
					display: true,
				})),
			);
			expect(emptyFieldsNotice).toContain('Variables of the agent: name, company.name.');
		}
	});

	test.each([
		[
			'an expression without a value',
			() => place({ agent: byId('') }),
			'The expression for the agent has no value yet',
		],
		[
			'such an expression for a campaign',
			() => queue({ campaign: byId('') }),
			'The expression for the campaign has no',
		],
	])('with %s are replaced by a sentence', async (_what, parameters, text) => {
		expect(await columns(parameters())).toEqual({ fields: [], emptyFieldsNotice: expect.stringContaining(text) });
	});

	test('stay while the expression for the agent has no value', async () => {
		const stored = [{ id: 'name', displayName: 'name', required: false, defaultMatch: false, display: true }];
		const agentVariables = { ...manual({ name: 'Ada' }), schema: stored };
		const { fields } = await columns(place({ agent: byId(null as never), agentVariables }));
		expect(fields).toEqual(stored);
	});

	test.each([
		['a wrong token', { environmentToken: 'another' }, 'does not accept'],
		['no connection', { baseUrl: 'http://127.0.0.1:9' }, 'cannot be read'],
	])('with %s are replaced by the reason, but columns that are there stay', async (_what, changes, text) => {
		const credentials = service.credentials(changes);
		const { fields, emptyFieldsNotice } = await columns(place(), credentials);
		expect([fields, emptyFieldsNotice]).toEqual([[], expect.stringContaining(text)]);
		// The editor deletes the mapped values if the columns are gone, and keeps them if there is an error.
		const stored = { agentVariables: { ...manual({ name: 'Ada' }), schema: [{ id: 'name' }] } };
		await expect(columns(place(stored), credentials)).rejects.toThrow();
	});
});
