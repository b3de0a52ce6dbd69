import type { NodeSpec } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const [BLOCKED, OTHER, THIRD] = ['+493012345678', '+442079460958', '+12025550111'];

const call = (options: object = {}, more: object = {}): NodeSpec['parameters'] => ({
	resource: 'call',
	operation: 'place',
	agent: byId(service.seed.agents.published),
	phoneNumber: '={{ $json.to }}',
	options: options as never,
	...more,
});
const queue = (options: object): NodeSpec['parameters'] => ({
	...call(options),
	resource: 'campaign',
	operation: 'queueCall',
	campaign: byId(service.seed.campaigns.active),
});
const to = (...numbers: string[]) => numbers.map((number) => ({ to: number }));
const sent = async () =>
	(await service.requests('POST', '/call')).map(({ body }) => (body as { to: string }).to).sort();
const json = (outputs: Array<Array<{ json: Record<string, unknown> }>>) => outputs.flat().map((item) => item.json);

test.each([
	['a text', '+49 30 12345678, +39 06 12345678', {}],
	['lines', '+39 06 12345678\n+49 (0)30 1234-5678\n', {}],
	['a list of texts and numbers', '={{ ["+39 06 12345678", 493012345678] }}', { defaultCountry: 'DE' }],
	['national numbers', '={{ ["030 12345678"] }}', { defaultCountry: 'DE' }],
	['a JSON text', '["+493012345678"]', {}],
	['rows', '={{ [{ id: 1, phone: "+493012345678" }, { id: 2, phone: "+39 06 12345678" }] }}', {}],
	['items', '={{ [{ json: { phone: "+493012345678" }, pairedItem: 0 }] }}', {}],
	['rows with one field of another name', '={{ [{ number: "+49 30 12345678", name: "Ada" }] }}', {}],
	['the items of a node', '={{ $("Source").all().slice(1, 2) }}', {}],
] as const)('nothing is sent to a number in %s', async (_what, blockedNumbers, more) => {
	for (const [parameters, result] of [
		[call({ blockedNumbers, ...more }), 'placed'],
		[queue({ blockedNumbers, ...more }), 'queued'],
	] as const) {
		await service.reset();
		const { outputs, run } = await service.run(parameters, to(OTHER, BLOCKED, '+49 30 123456-78', THIRD));
		expect(run.error?.message).toBeUndefined();
		const blocked = { result: 'blocked', code: 'DO_NOT_CALL', httpStatus: null, message: expect.any(String) };
		expect(json(outputs)).toMatchObject([{ result }, { ...blocked, to: BLOCKED }, blocked, { result }]);
		expect(await sent()).toEqual([OTHER, THIRD].sort());
	}
});

test.each([
	['={{ ["+493012345678", "+49 0"] }}', "'Blocked Numbers', entry 2 is not a phone number"],
	['+493012345678, hello', "'Blocked Numbers', entry 2 is not a phone number"],
	['={{ ["+493012345678", "030 12345679", ""] }}', "'Blocked Numbers', entry 2 has no country code"],
	['={{ ["+493012345678", null] }}', "'Blocked Numbers', entry 2 is empty"],
	['={{ [{ phone: "" }] }}', "'Blocked Numbers', entry 1 is empty"],
	['={{ [{ Telefon: "hello" }] }}', 'exactly one field named phone, number or to, and has "Telefon"'],
	['={{ [{ phone: "hello", to: "hello" }] }}', 'exactly one field named phone, number or to, and has "phone", "to"'],
	[
		'={{ [{ phone: "+493012345678" }, {}] }}',
		'entry 2 must have exactly one field named phone, number or to, and has no fields',
	],
	[
		'[{ "phone": "+493012345678",\n"phone": "+493012345679" }]',
		"'Blocked Numbers' has a name that its object has before: line 2, column 1",
	],
	['={{ { a: 1 } }}', "'Blocked Numbers' is an object, not a list"],
	['={{ true }}', "'Blocked Numbers' is true, not a list"],
])('%j sends nothing at all, and says which entry is wrong', async (blockedNumbers, message) => {
	for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
		const { run, outputs } = await service.run(call({ blockedNumbers }), to(OTHER, THIRD, '+390612345678'), {
			node: { onError },
		});
		const messages = [run.error?.message, ...json(outputs).map((item) => item.message)].filter(Boolean);
		expect(messages).toHaveLength(onError === 'stopWorkflow' ? 1 : 3);
		for (const text of messages) {
			expect(text).toContain(message);
			expect(text).not.toMatch(/hello|12345679|\+49 0/);
		}
	}
	expect(await sent()).toEqual([]);
});

test.each([
	['an empty list', '={{ [] }}'],
	['the single item without fields that n8n makes of no rows', '={{ [{ json: {}, pairedItem: 0 }] }}'],
])('%s blocks nobody', async (_what, blockedNumbers) => {
	await service.run(call({ blockedNumbers }), to(OTHER, BLOCKED, THIRD));
	expect(await sent()).toEqual([OTHER, BLOCKED, THIRD].sort());
});

test('an entry that lost its + blocks the number with a + and the number in the default country', async () => {
	const options = { blockedNumbers: '={{ [442079460958] }}', defaultCountry: 'DE' };
	const { outputs } = await service.run(call(options), to(OTHER, '+49442079460958', '+442079460959', BLOCKED));
	expect(json(outputs).map(({ result }) => result)).toEqual(['blocked', 'blocked', 'placed', 'placed']);
	expect(await sent()).toEqual(['+442079460959', BLOCKED].sort());
});

test.each([
	['San Marino', '+378 0549 886377', ['+3780549886377', '+390549886377'], '+39054988637'],
	[
		'San Marino, with the calling code of Italy',
		'+39 0549 886377',
		['+3780549886377', '+390549886377'],
		'+3780549886378',
	],
	['Palestine', '+970 59 912 3456', ['+970599123456', '+972599123456'], '+972599123457'],
	['Brazil, without the ninth digit', '+55 11 8765-4321', ['+5511987654321', '+551187654321'], '+5511987654322'],
	['Brazil, a landline', '+55 11 3456-7890', ['+551134567890'], '+5511934567890'],
	['Argentina, without the 9 of mobiles', '+54 11 1234-5678', ['+5491112345678', '+541112345678'], '+5491112345679'],
	[
		'Palestine, with the calling code of Israel',
		'+972 59 912 3456',
		['+970599123456', '+972599123456'],
		'+970599123457',
	],
])(
	'an entry of %s blocks each number of its phone, and no other phone',
	async (_where, blockedNumbers, both, another) => {
		const { outputs } = await service.run(call({ blockedNumbers }), to(...both, another));
		expect(json(outputs).map(({ result }) => result)).toEqual([...both.map(() => 'blocked'), 'placed']);
		expect(await sent()).toEqual([another]);
	},
);

test('an entry that can be two numbers blocks both, although neither would be called', async () => {
	const options = { blockedNumbers: '={{ [4915123456789] }}', defaultCountry: 'DE' };
	const { outputs } = await service.run(call(options), to('+4915123456789', '+494915123456789', BLOCKED));
	expect(json(outputs).map(({ result }) => result)).toEqual(['blocked', 'blocked', 'placed']);
});

test('a list that depends on the item counts for that item', async () => {
	const given = [
		{ to: OTHER, doNotCall: ['+390612345678'] },
		{ to: BLOCKED, doNotCall: BLOCKED },
		{ to: THIRD, doNotCall: [OTHER] },
	];
	for (const list of ['$json.doNotCall', '$input.item.json.doNotCall', '$("Source").item.json.doNotCall']) {
		await service.reset();
		const { outputs } = await service.run(call({ blockedNumbers: `={{ ${list} }}` }), given);
		expect(json(outputs).map(({ result }) => result)).toEqual(['placed', 'blocked', 'placed']);
		expect(await sent()).toEqual([OTHER, THIRD].sort());
	}
});

test('an entry without a country code is refused where each item has its own Default Country', async () => {
	const given = [
		{ to: '020 7946 0958', c: 'GB' },
		{ to: '030 12345678', c: 'DE' },
	];
	const of = (blockedNumbers: string) => call({ blockedNumbers, defaultCountry: '={{ $json.c }}' });
	const { run } = await service.run(of('030 12345678'), given);
	expect(run.error?.message).toContain("'Blocked Numbers', entry 1 has no country code");
	expect((run.error as { description?: string }).description).toContain('is an expression for each item');
	expect(await sent()).toEqual([]);
	const { outputs } = await service.run(of('+49 30 12345678'), given);
	expect(json(outputs).map(({ result }) => result)).toEqual(['placed', 'blocked']);
});

test('an expression for the Default Country of all items applies to the list', async () => {
	const options = { blockedNumbers: '030 12345678', defaultCountry: '={{ $("Source").first().json.c }}' };
	const { outputs } = await service.run(call(options), [
		{ to: OTHER, c: 'DE' },
		{ to: BLOCKED, c: 'GB' },
	]);
	expect(json(outputs).map(({ result }) => result)).toEqual(['placed', 'blocked']);
});

test('n8n evaluates the expression of the list once, however many items there are', async () => {
	const count = '$execution.customData.get("count") ?? 0';
	const counting = `={{ ($execution.customData.set("count", String(Number(${count}) + 1)), ["+493012345678"]) }}`;
	const metadata = { metadataFields: { values: [{ name: 'count', value: `={{ ${count} }}` }] } };
	const { outputs } = await service.run(
		call({ blockedNumbers: counting, ...metadata }),
		to(OTHER, THIRD, '+390612345678', '+81312345678'),
	);
	expect(json(outputs).map(({ context }) => context)).toEqual(Array(4).fill({ count: '1' }));
});

test('a first item that cannot be read leaves the list as it is', async () => {
	const { outputs } = await service.run(
		call({ blockedNumbers: '={{ $input.first().json.to === "12" ? ["+493012345678"] : [] }}' }),
		to('12', BLOCKED, THIRD),
		{ node: { onError: 'continueRegularOutput' } },
	);
	expect(json(outputs).map(({ result }) => result)).toEqual(['failed', 'blocked', 'placed']);
});

test('a blocked number comes before everything else that may be wrong with its call', async () => {
	const options = {
		blockedNumbers: BLOCKED,
		callingHours: { values: { from: '00:00', to: '00:01', daysOfWeek: [1], timeZone: 'fromNumber' } },
	};
	const { outputs } = await service.run(
		{ ...call(options), agentVariables: { mappingMode: 'autoMapInputData', value: null }, agent: byId('nobody') },
		to(BLOCKED, BLOCKED, BLOCKED),
	);
	expect(json(outputs).map(({ result }) => result)).toEqual(['blocked', 'blocked', 'blocked']);
	expect(await service.requests()).toEqual([]);
});

test('the call of an earlier try is returned, even if its number is blocked by now', async () => {
	const path = `/api/v1/agents/${service.seed.agents.published}/call`;
	await service.fault({ match: { path }, kind: 'latency', ms: 0 });
	await service.fault({ match: { path }, kind: 'status', status: 422 });
	const { outputs, tries } = await service.run(
		{
			...call({
				blockedNumbers:
					'={{ $execution.customData.get("tried") ? ["+493012345678"] : ($execution.customData.set("tried", "1"), []) }}',
			}),
			sending: { maxConcurrentRequests: 1 },
		},
		to(BLOCKED, OTHER, THIRD),
		{ node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } },
	);
	expect(tries).toBe(2);
	expect(json(outputs)).toMatchObject([
		{ result: 'placed', alreadySent: true },
		{ result: 'placed' },
		{ result: 'placed' },
	]);
	expect(await sent()).toEqual([BLOCKED, OTHER, OTHER, THIRD].sort());
});

test('100,000 entries add less than a second of computing, n8n’s evaluation included', async () => {
	const items = Array.from({ length: 100 }, (_none, index) => ({ to: `+4930${1_000_000 + index}` }));
	const timed = async (options: object) => {
		const before = process.cpuUsage();
		await service.run(call(options, { operation: 'checkBeforeCalling' }), items);
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1000;
	};
	const list =
		'={{ Array.from({ length: 100000 }, (_, index) => ({ id: index, phone: "+49 30 " + (20000000 + index) })) }}';
	const fastest = async (options: object) => Math.min(await timed(options), await timed(options), await timed(options));
	// The first run compiles; then what other programs do on the machine does not count.
	await timed({});
	const without = await fastest({});
	expect((await fastest({ blockedNumbers: list })) - without).toBeLessThan(1000);
}, 30_000);

test('a long list with a mistake is read once, and not again for each item', async () => {
	const items = Array.from({ length: 300 }, (_none, index) => ({ to: `+4930${1_000_000 + index}` }));
	const list = '={{ [...Array.from({ length: 20000 }, (_, index) => "+49 30 " + (20000000 + index)), "hello"] }}';
	const before = process.cpuUsage();
	const { run } = await service.run(call({ blockedNumbers: list }), items);
	expect(run.error?.message).toContain('entry 20001 is not a phone number');
	expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
	expect(await sent()).toEqual([]);
}, 60_000);
