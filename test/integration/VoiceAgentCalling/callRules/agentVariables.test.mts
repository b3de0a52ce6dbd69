import { goesOn, hintsOf, jsonOf, retried, shortWait, useService } from '../../service.mts';
import { failed } from '../resources/items.mts';
import { teach } from './ruledCalls.mts';

const service = useService();

type Item = Record<string, unknown>;

const manual = (value: Item | null) => ({ mappingMode: 'defineBelow', value });
const automatic = { mappingMode: 'autoMapInputData', value: null };
const place = (agentVariables: Item, options: object = {}, more: object = {}) =>
	service.place(options, { agentVariables, ...more });

/** Items with a number each. */
const itemsWith = (...fields: Item[]) => fields.map((more, index) => ({ to: `+1202555${1000 + index}`, ...more }));
const three = itemsWith({}, {}, {});

/** What the service got for each number, in the order of the items; undefined for a call without variables. */
async function payloads(items: Item[]): Promise<unknown[]> {
	const bodies = (await service.requests('POST', '/call')).map(({ body }) => body as Item);
	return items.map(({ to }) => bodies.find((body) => body.to === to)?.payload);
}

const run = async (parameters: object, items: Item[] = three) =>
	await service.run(parameters as never, items, { node: goesOn });

describe('Agent Variables', () => {
	/** Places calls. @returns what the service got for each item */
	const sentFor = async (agentVariables: Item, items: Item[]) => {
		await run(place(agentVariables, { missingVariables: 'ignore' }), items);
		return await payloads(items);
	};

	test('mapped by hand keep their types; an empty text is sent, and an empty field or payload is not', async () => {
		const items = itemsWith({ age: 7, vip: false, note: '' }, { age: 0, vip: true, note: 'hi' }, {});
		const fields = { age: '={{ $json.age }}', vip: '={{ $json.vip }}', note: '={{ $json.note }}' };
		const schema = [...Object.keys(fields), 'fixed', 'none'].map((id) => ({ id, type: 'string', required: false }));
		const mapped = { ...manual({ ...fields, fixed: 'x', none: null }), schema };
		expect(await sentFor(mapped, items)).toEqual([
			{ age: 7, vip: false, note: '', fixed: 'x' },
			{ age: 0, vip: true, note: 'hi', fixed: 'x' },
			{ fixed: 'x' },
		]);
		await service.reset();
		expect(await sentFor(manual(null), items)).toEqual([undefined, undefined, undefined]);
	});

	test('Map Automatically sends the input fields that the agent needs, and no other field', async () => {
		await teach(service, 'Hello {{name}} of {{ company.name }}, code {{code}}!');
		const items = itemsWith(
			{ name: 'Ada', secret: 's1', company: { name: 'ACME', iban: 's2' }, code: 0 },
			{ name: '', 'company.name': 'Dotted', company: { name: 'not this', iban: 's3' } },
			{ name: null, secret: 's4' },
		);
		// The stored schema is of another time: it does not count.
		const stored = { ...automatic, value: { secret: '={{ $json.secret }}' }, schema: [{ id: 'secret' }] };
		expect(await sentFor(stored, items)).toEqual([
			{ name: 'Ada', company: { name: 'ACME' }, code: 0 },
			{ name: '', 'company.name': 'Dotted' },
			undefined,
		]);
	});
});

test('what is no mapping is refused before anything is sent', async () => {
	for (const mapping of [
		{ mappingMode: 'someOther', value: {} },
		{ mappingMode: 'defineBelow', value: 'name' },
	]) {
		expect(jsonOf(await run(place(mapping)))).toMatchObject(Array(3).fill(failed('INVALID_INPUT')));
	}
	// The hint says whether the agent can call at all, for which it is read.
	expect((await service.requests()).filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('dates and times are sent as JSON has them, wherever they are', async () => {
	const when = '2027-01-02T03:04:05.000Z';
	const date = `new Date('${when}')`;
	const list = `[{ at: ${date} }, DateTime.fromISO('${when}').toUTC(), Duration.fromISO('PT5M')]`;
	const options = {
		variablesJson: `={{ { json: ${date}, list: ${list} } }}`,
		metadataJson: `={{ { nested: { at: ${date} } } }}`,
	};
	await run(place(manual({ mapped: `={{ ${date} }}` }), options));
	const bodies = (await service.requests('POST', '/call')).map(({ body }) => body);
	const payload = { json: when, list: [{ at: when }, when, 'PT5M'], mapped: expect.stringContaining('2027-01-0') };
	expect(bodies).toMatchObject(Array(3).fill({ payload, context: { nested: { at: when } } }));
});

/** An item that lacks variables. */
const missing = (names: string) =>
	failed('MISSING_VARIABLES', { result: 'notReady', message: expect.stringContaining(`have no value: ${names}.`) });

describe('Missing Variables', () => {
	const mapping = manual({ name: '={{ $json.nmae }}', city: '={{ $json.city }}' });
	const items = itemsWith({ city: 'Rome' }, { nmae: 'Ada', city: '' }, { nmae: 'Bob', city: 'Bonn' }, { city: 'Oslo' });
	beforeEach(async () => await teach(service, 'Hello {{name}} in {{city}}!'));

	test('Fail sends nothing at all if On Error is to stop', async () => {
		const { run: ended } = await service.run(place(mapping), items);
		expect(ended.error?.message).toBe('Not sent: variables of the agent have no value: name [item 0]');
		expect(await service.dialed()).toEqual([]);
	});

	test.each(['place', 'queue'] as const)('Fail fails only the items that lack a variable (%s)', async (way) => {
		const ran = await run(service[way]({}, { agentVariables: mapping }), items);
		expect(jsonOf(ran)).toMatchObject([missing('name'), missing('city'), { to: items[2]?.to }, missing('name')]);
		expect(await service.dialed()).toEqual([items[2]?.to]);
	});

	test.each<[string, () => object]>([
		['Place', () => place(automatic)],
		['Place and Wait', () => place(automatic, shortWait, { operation: 'placeAndWait', waitBy: 'polling' })],
		['Queue Call', () => service.queue({}, { agentVariables: automatic })],
		[
			'Queue Call and Wait',
			() => service.queue(shortWait, { agentVariables: automatic, operation: 'queueCallAndWait', waitBy: 'polling' }),
		],
		['Check Before Calling', () => place(automatic, {}, { operation: 'checkBeforeCalling' })],
	])('only blanks are no value, nor is an object or a list (%s)', async (_what, parameters) => {
		const unusable = itemsWith(
			{ name: '   ', city: 'Rome' },
			{ name: '\u00a0\u200b\n', city: 'Rome' },
			{ name: { a: 1 }, city: ['x', 'y'] },
			{ name: 'Dear [object Object]', city: 'Rome' },
		);
		const results = jsonOf(await run(parameters(), unusable));
		expect(results.map(({ result }) => result)).toEqual(Array(4).fill('notReady'));
		expect(results.map(({ code }) => code)).toEqual(Array(4).fill('MISSING_VARIABLES'));
		const said = results.map(({ message }) => /no value: ([^.]*)\./.exec(String(message))?.[1]);
		const list = 'name (an object, not a text), city (a list, not a text)';
		expect(said).toEqual(['name', 'name', list, 'name ([object Object], not a text)']);
		expect(results[2]?.advice).toContain('Give a list or an object as a text');
		expect(await service.dialed()).toEqual([]);
	});

	test('with a hyphen or a space in their names are missing, too, and an object is a value of a path into it', async () => {
		await teach(service, 'Hello {{user-name}} {{first name}} of {{company}}: {{company.name}}!');
		const given = itemsWith(
			{ company: { name: 'ACME' } },
			{ 'user-name': 'ada', 'first name': 'Ada', company: { name: 'ACME' } },
		);
		expect(jsonOf(await run(place(automatic), given))).toMatchObject([
			missing('user-name, first name'),
			{ result: 'placed' },
		]);
		expect(await payloads(given)).toEqual([
			undefined,
			{ 'user-name': 'ada', 'first name': 'Ada', company: { name: 'ACME' } },
		]);
	});

	test('undefined in Variables (JSON) keeps a mapped value, and a number that JSON does not have is missing', async () => {
		await teach(service, 'Hello {{name}}, {{age}}!');
		const options = { variablesJson: '={{ { name: $json.nothing, age: Number("x") } }}' };
		const given = manual({ name: 'Ada' });
		expect(jsonOf(await run(place(given, options)))).toMatchObject(three.map(() => missing('age')));
		await run(place(given, { ...options, missingVariables: 'ignore' }));
		expect(await payloads(three)).toEqual(three.map(() => ({ name: 'Ada', age: null })));
	});
});

describe('a text in another notation of variables', () => {
	beforeEach(async () => await teach(service, 'Call {name} & <name> about {{topic | upper}}. Return {"a": {"b": 1}}.'));
	const note =
		/^The agent "[^"]+" may say as it is written: "\{name\}" \(prompt\), "&lt;name&gt;" \(prompt\), "\{\{topic \| upper\}\}" \(prompt\)\. .*write \{\{name\}\}, \{\{topic\}\} in the agent/;
	const notes = (ran: Awaited<ReturnType<typeof run>>) =>
		hintsOf(ran).filter((hint) => hint.includes('as it is written'));

	test.each<[string, () => object]>([
		['Place', () => place(manual({}))],
		['Place, with the columns of the items', () => place(automatic)],
		['Queue Call', () => service.queue({}, { agentVariables: manual({}) })],
	])('is named above the output, once for the agent, and the calls are sent (%s)', async (_what, parameters) => {
		expect(notes(await run(parameters()))).toEqual([expect.stringMatching(note)]);
		expect(await service.dialed()).toHaveLength(3);
	});

	test.each(['place', 'queue'] as const)('is named for a call that is ready, too (%s)', async (way) => {
		const ran = await run(service[way]({}, { operation: 'checkBeforeCalling' }), three);
		expect(notes(ran)).toEqual([expect.stringMatching(note)]);
		const message = expect.stringContaining('"{name}" (prompt), "<name>" (prompt)');
		expect(jsonOf(ran)).toMatchObject(Array(3).fill({ result: 'ready', code: '', message, reasons: [] }));
	});

	test('is not named where variables are ignored', async () => {
		expect(notes(await run(place(automatic, { missingVariables: 'ignore' })))).toEqual([]);
	});

	test('is not named where there is none', async () => {
		await teach(service, 'Call {{name}} at 10:00. Return {"a": {"b": 1}}. 10% off, <break time="1s"/>.');
		expect(notes(await run(place(manual({ name: 'Ada' }))))).toEqual([]);
	});
});

/** Runs three items twice, of which the service refuses the last at first. The agent has another message at the second try. */
async function runTwice(initial_message: string) {
	await teach(service, 'Hello {{name}}!');
	await service.fault({ match: { method: 'POST' }, kind: 'latency', ms: 0, times: 2 });
	await service.answer('POST', 403);
	const id = service.seed.agents.published;
	const body = { success: true, data: { id, current_status: 'published', initial_message } };
	const match = { method: 'GET', path: `/api/v1/agents/${id}` };
	await service.fault({ match, kind: 'latency', ms: 0 });
	await service.fault({ match, kind: 'status', status: 200, body, times: 9 });
	const items = itemsWith({ name: 'Ada', city: 'Rome' }, { name: 'Bob', city: 'Bonn' }, { name: 'Cyd', city: 'Oslo' });
	const parameters = place(automatic, {}, { sending: { maxConcurrentRequests: 1 } });
	return (await service.run(parameters, items, { node: retried })).run;
}

test('variables that changed between two tries do not lead to a second call', async () => {
	expect((await runTwice('In {{city}}.')).status).toBe('success');
	const requests = await service.requests('POST', '/call');
	expect(requests.map(({ body, status }) => [(body as Item).payload, status])).toEqual([
		[{ name: 'Ada' }, 200],
		[{ name: 'Bob' }, 200],
		[{ name: 'Cyd' }, 403],
		[{ city: 'Oslo' }, 200],
	]);
});

test('variables that are missing at the second try only do not hide the calls of the first one', async () => {
	const description = expect.stringContaining(
		'Calls placed: sheet rows 2-3. Not called: 1 without country (sheet row 4).',
	);
	expect((await runTwice('In {{country}}.')).error).toMatchObject({ description });
	expect(await service.dialed()).toHaveLength(3);
});
