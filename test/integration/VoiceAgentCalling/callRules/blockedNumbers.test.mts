import { timeInCopies } from '../../../processorTime.mts';
import { harness } from '../../harness.mts';
import { byId, goesOn, hintsOf, jsonOf, resultsOf, type Service, saidBy, to, useService } from '../../service.mts';
import { BERLIN as BLOCKED, callingOperations, LONDON as OTHER, ROME } from './ruledCalls.mts';

const service = useService();

const THIRD = '+12025550111';
const sent = async () => (await service.dialed()).toSorted();
/** Runs Place with these options. @returns the result of each item */
const results = async (options: object, items: Parameters<Service['run']>[1]) =>
	resultsOf(await service.run(service.place(options), items));

test.each([
	['a text', '+49 30 12345678, +39 06 12345678', {}],
	['a list of texts and numbers', '={{ ["+39 06 12345678", 493012345678] }}', { defaultCountry: 'DE' }],
	['national numbers', '={{ ["030 12345678"] }}', { defaultCountry: 'DE' }],
	['a JSON text', '["+493012345678"]', {}],
	['a list of the numbers of people', '={{ [["+39 06 12345678", ""], [null, "+49 30 12345678"]] }}', {}],
	['a column of a node', '={{ $("Source").all().slice(1, 2).map(row => row.json.to ?? row) }}', {}],
] as const)('nothing is sent to a number in %s', async (_what, blockedNumbers, more) => {
	for (const [, way, result] of callingOperations) {
		await service.reset();
		const ran = await service.run(
			service[way]({ blockedNumbers, ...more }),
			to(OTHER, BLOCKED, '+49 30 123456-78', THIRD),
		);
		const blocked = { result: 'blocked', code: 'DO_NOT_CALL', httpStatus: null, message: expect.any(String) };
		expect(jsonOf(ran)).toMatchObject([{ result }, { ...blocked, to: BLOCKED }, blocked, { result }]);
		expect(hintsOf(ran)[0]).toContain('2 in Blocked Numbers (sheet rows 3-4)');
		expect(await sent()).toEqual([THIRD, OTHER]);
	}
});

test.each<[list: string, mistake: string]>([
	['={{ ["+493012345678", "+49 0"] }}', 'entry 2 is not a phone number'],
	['+493012345678, hello', 'entry 2 is not a phone number'],
	['={{ ["+493012345678", "030 12345679", ""] }}', 'entry 2 has no country code; entry 3 is empty'],
	['={{ ["hello", "+493012345678", "hello", null] }}', 'entries 1, 3 are not phone numbers; entry 4 is empty'],
	['={{ [["+493012345678", "hello"], ["", null], []] }}', 'entry 1 is not a phone number; entries 2, 3 are empty'],
	['={{ [["+493012345678", ["+493012345679"]]] }}', 'entry 1 is not a phone number'],
	['={{ ["+493012345678", { phone: "+493012345679" }] }}', 'entry 2 is a row, not a phone number'],
	['={{ [{ json: { phone: "+493012345679" } }, { a: 1 }] }}', 'entries 1, 2 are rows, not phone numbers'],
	['={{ [["+493012345678", { phone: "+493012345679" }]] }}', 'entry 1 is a row, not a phone number'],
	['={{ ["+493012345678", {}] }}', 'entry 2 is a row, not a phone number'],
	['={{ [{}] }}', 'entry 1 is a row, not a phone number'],
	['={{ [{ json: {}, pairedItem: { item: 0 } }] }}', 'entry 1 is a row, not a phone number'],
	['={{ [{ "+493012345678": "+493012345679" }] }}', 'entry 1 is a row with a phone number as a name'],
	['={{ [{ "202-555-0123": "x" }] }}', 'entry 1 is a row with a phone number as a name'],
	['={{ [["+493012345678", undefined], ["+390612345678", undefined]] }}', 'number 2 of every person is missing'],
	['={{ [[{ json: { Phone: "+493012345678" } }, "+390612345678"]] }}', 'number 1 of every person is missing'],
	['={{ [[{ json: { id: 7 } }, undefined], ["+493012345678", "+390612345678"]] }}', 'entry 1 is a row'],
	['={{ [{ json: {}, binary: { data: {} } }] }}', 'entry 1 is a row, not a phone number'],
	['={{ [[{ json: {} }, "+493012345678"]] }}', 'number 1 of every person is missing'],
	['={{ $("Source").all() }}', 'entries 1, 2, 3 are rows, not phone numbers'],
	['={{ Array(25).fill("hello") }}', '19, 20 are not phone numbers; and 5 more cannot be read'],
	[
		'[{ "phone": "+493012345678",\n"phone": "+493012345679" }]',
		'has a name that its object has before: line 2, column 1',
	],
	['={{ { a: 1 } }}', 'is an object, not a list'],
	['={{ "+493012345678" }}', 'is a text, not a list'],
	['={{ "+493012345678, +39 06 12345678" }}', 'is a text, not a list'],
	['={{ 493012345678 }}', 'is a number, not a list'],
	['={{ $("Source").item.json.to }}', 'is a text, not a list'],
	['={{ true }}', 'is true, not a list'],
	['', 'is empty'],
	['={{ $json.missing }}', 'is empty'],
])('%j sends nothing at all, and says which entries are wrong', async (blockedNumbers, message) => {
	const ran = await service.run(service.place({ blockedNumbers }), to(OTHER, THIRD, ROME), { node: goesOn });
	for (const item of jsonOf(ran)) {
		expect(item).toMatchObject({ result: 'failed', message: expect.stringMatching(/^'Blocked Numbers'/) });
		expect(item.message).toContain(message);
		expect(item.message).not.toMatch(/hello|12345679|\+49 0/);
	}
	expect((await service.run(service.place({ blockedNumbers }), to(OTHER))).run.status).toBe('error');
	expect(await sent()).toEqual([]);
});

test.each<[rows: string, advice: string]>([
	[
		'[{ id: 7, "Phone No.": "", Name: "Ada" }, { id: 8, "Phone No.": "+493012345678", Name: "Bo" }]',
		`A row has the fields "id", "Phone No.", "Name": return all phone numbers alone, such as {{ $('Get Rows').all().map(row => row.json["Phone No."] ?? row) }}, and remove rows without one.`,
	],
	[
		'[{ json: { phone: "+493012345678", mobile: "+39 06 12345678" } }]',
		"{{ $('Get Rows').all().map(row => [row.json.phone ?? row, row.json.mobile]) }}",
	],
	[
		'[{ phone: "+493012345678", mobile: "" }, { phone: "", mobile: "030 12345678", note: "x" }]',
		'map(row => [row.json.phone ?? row, row.json.mobile])',
	],
	['[{ "2nd": "+493012345678" }]', 'row.json["2nd"] ?? row'],
	['[{ "+493012345678": "+390612345678" }]', "Turn off 'Header Row'"],
	['[{ Contact: "hello" }]', 'A row has the fields "Contact": return all phone numbers alone'],
	['["+493012345678", {}]', 'For an empty list, use the expression {{ [] }}.'],
])('the error about the rows %s gives an expression for their own fields', async (rows, advice) => {
	const ran = await service.run(service.place({ blockedNumbers: `={{ ${rows} }}` }), to(OTHER), { node: goesOn });
	expect(jsonOf(ran)[0]!.advice).toContain(advice);
});

test.each([
	['={{ ["", "hello"] }}', true],
	['={{ ["", "+49 30 12345678"] }}', false],
	['hello', false],
])('the error about %j asks for the name of the field only if no entry is a number', async (blockedNumbers, asks) => {
	const ran = await service.run(service.place({ blockedNumbers }), to(OTHER), { node: goesOn });
	expect(String(jsonOf(ran)[0]!.advice).includes('name of the field')).toBe(asks);
});

test('n8n’s error about an item that it cannot find names the option', async () => {
	for (const [option, name] of [
		['blockedNumbers', 'Blocked Numbers'],
		['metadataJson', 'Metadata (JSON)'],
	] as const) {
		const options = { [option]: '={{ $("Source").itemMatching(9).json.to }}' };
		const ran = await service.run(service.place(options), to(OTHER, THIRD), { node: goesOn });
		expect(String(jsonOf(ran)[1]!.message)).toContain(`'${name}': `);
	}
});

test('a spreadsheet’s numbers block all that they can be', async () => {
	const blockedNumbers = '={{ [614495062, 6702123539, 442079460958] }}';
	const people = ['+36 1 449 5062', '+36 70 212 3539', '+44 20 7946 0958', '+36 1 449 5063'];
	const options = { blockedNumbers, defaultCountry: 'HU' };
	expect(await results(options, to(...people))).toEqual(['blocked', 'blocked', 'blocked', 'placed']);
});

test.each([
	['an empty list', '={{ [] }}'],
	['the single item without fields that n8n makes of no rows', '={{ [{ json: {}, pairedItem: [{ item: 0 }] }] }}'],
	['such an item, as the numbers of a person', '={{ [[{ json: {}, pairedItem: [] }, undefined]] }}'],
])('%s blocks nobody, and a hint says so', async (_what, blockedNumbers) => {
	const ran = await service.run(service.place({ blockedNumbers }), to(OTHER, BLOCKED));
	expect(resultsOf(ran)).toEqual(['placed', 'placed']);
	expect(hintsOf(ran).join(' ')).toContain("'Blocked Numbers' is an empty list: it blocks nobody.");
});

test.each(['+493012345678', '030 12345678'])(
	'a row with %s under another name than other rows have is an error',
	async (number) => {
		const others = '{ phone: "+12025550100", mobile: "+12025550101" }';
		const rows = `[${others}, { Phone: "${number}", mobile: "+12025550102" }]`;
		const map = 'map(json => ({ json })).map(row => [row.json.phone ?? row, row.json.mobile])';
		const ran = await service.run(service.place({ blockedNumbers: `={{ ${rows}.${map} }}` }), to(BLOCKED), {
			node: goesOn,
		});
		expect(jsonOf(ran)[0]!.message).toContain('entry 2 is a row');
		expect(await sent()).toEqual([]);
	},
);

test('a list that is empty for one item only does not get the hint about an empty list', async () => {
	const blockedNumbers = '={{ $itemIndex === 0 ? [] : ["+39 06 12345678"] }}';
	const ran = await service.run(service.place({ blockedNumbers }), to(OTHER, ROME));
	expect([resultsOf(ran), hintsOf(ran).join().includes('empty list')]).toEqual([['placed', 'blocked'], false]);
});

test('of two numbers of a person, one may be missing', async () => {
	const rows = '[{ phone: "+493012345678" }, { mobile: "+390612345678" }, { phone: "+12025550100", mobile: "" }]';
	const map = 'map(json => ({ json })).map(row => [row.json.phone ?? row, row.json.mobile])';
	expect(await results({ blockedNumbers: `={{ ${rows}.${map} }}` }, to(OTHER, BLOCKED, ROME))).toEqual([
		'placed',
		'blocked',
		'blocked',
	]);
});

test.each([
	['San Marino', '+378 0549 886377', ['+3780549886377', '+390549886377'], '+39054988637'],
	['Palestine', '+970 59 912 3456', ['+970599123456', '+972599123456'], '+972599123457'],
	['Brazil, without the ninth digit', '+55 11 8765-4321', ['+5511987654321', '+551187654321'], '+5511987654322'],
	['Kosovo, as a number of Monaco', '+377 44 123 456', ['+38344123456'], '+38344123457'],
	['Kosovo, as a number of Slovenia', '+386 49 123 456', ['+38349123456'], '+38349123457'],
	['Kosovo, as a landline of Serbia', '+381 38 123 456', ['+38338123456'], '+38338123457'],
	['Vietnam, with the prefix before 2018', '+84 163 123 4567', ['+84331234567'], '+84331234568'],
	['Mexico, with the 1 of mobiles', '+52 1 55 1234 5678', ['+525512345678'], '+525512345679'],
	['Argentina, without the 9 of mobiles', '+54 11 1234-5678', ['+5491112345678', '+541112345678'], '+5491112345679'],
])(
	'an entry of %s blocks each number of its phone, and no other phone',
	async (_where, blockedNumbers, both, another) => {
		expect(await results({ blockedNumbers }, to(...both, another))).toEqual([...both.map(() => 'blocked'), 'placed']);
		expect(await sent()).toEqual([another]);
	},
);

test('a list that depends on the item counts for that item', async () => {
	const given = [
		{ to: OTHER, doNotCall: [ROME] },
		{ to: BLOCKED, doNotCall: [BLOCKED] },
		{ to: THIRD, doNotCall: [OTHER] },
	];
	for (const list of ['$json.doNotCall', '$input.item.json.doNotCall', '$("Source").item.json.doNotCall']) {
		expect(await results({ blockedNumbers: `={{ ${list} }}` }, given)).toEqual(['placed', 'blocked', 'placed']);
	}
	expect(await service.dialed()).not.toContain(BLOCKED);
});

test('a Default Country for all items applies to the list; where each item has its own, an entry needs its country code', async () => {
	const given = to('020 7946 0958', '030 12345678').map((item, index) => ({ ...item, c: ['GB', 'DE'][index] }));
	const own = { defaultCountry: '={{ $json.c }}' };
	const ran = await service.run(service.place({ blockedNumbers: '030 12345678', ...own }), given);
	expect(saidBy(ran)).toMatch(/'Blocked Numbers', entry 1 has no country code.* is an expression for each item/);
	expect(await sent()).toEqual([]);
	expect(await results({ blockedNumbers: '+49 30 12345678', ...own }, given)).toEqual(['placed', 'blocked']);
	const ofAll = { blockedNumbers: '030 12345678', defaultCountry: '={{ $("Source").first().json.c }}' };
	const numbers = to(OTHER, BLOCKED).map((item, index) => ({ ...item, c: ['DE', 'GB'][index] }));
	expect(await results(ofAll, numbers)).toEqual(['placed', 'blocked']);
});

test('n8n evaluates the expression of the list once, however many items there are', async () => {
	const count = '$execution.customData.get("count") ?? 0';
	const counting = `={{ ($execution.customData.set("count", String(Number(${count}) + 1)), ["+493012345678"]) }}`;
	const metadata = { metadataFields: { values: [{ name: 'count', value: `={{ ${count} }}` }] } };
	const ran = await service.run(service.place({ blockedNumbers: counting, ...metadata }), to(OTHER, THIRD, ROME));
	expect(jsonOf(ran).map(({ context }) => context)).toEqual(Array(3).fill({ count: '1' }));
});

test('a blocked number comes before everything else that may be wrong with its call', async () => {
	const callingHours = { values: { hours: 'Mon 0:00-0:01', timeZone: 'fromNumber' } };
	const agentVariables = { mappingMode: 'autoMapInputData', value: null };
	const parameters = service.place(
		{ blockedNumbers: BLOCKED, callingHours },
		{ agentVariables, agent: byId('nobody') },
	);
	expect(resultsOf(await service.run(parameters, to(BLOCKED, BLOCKED)))).toEqual(['blocked', 'blocked']);
	expect(await service.requests()).toEqual([]);
});

test('a model cannot set the country with which the list is read', async () => {
	const options = { blockedNumbers: '030 12345678', defaultCountry: "={{ $fromAI('value') }}" };
	const parameters = service.place(options, { phoneNumber: "={{ $fromAI('phone') }}" });
	const call = await harness.mcpTool({ parameters }, { credentials: service.credentials(), workflowId: 'model' });
	expect(await call({ phone: BLOCKED, value: '1' })).toContain('not available to AI agents');
	expect(await sent()).toEqual([]);
});

test('a list is read once for all items, in a time that grows with its length', async () => {
	const list = Array.from({ length: 50_000 }, (_none, id) => `+49 30 ${20_000_000 + id}`);
	const people = Array.from({ length: 100 }, (_none, index) => `+4930${1_000_000 + index}`);
	const time = (length: number, items: string[]) => {
		const blockedNumbers = `={{ Array.from({ length: ${length} }, (_, id) => "+49 30 " + (20000000 + id)) }}`;
		const parameters = service.place({ blockedNumbers }, { operation: 'checkBeforeCalling' });
		return timeInCopies(list, () => service.run(parameters, to(...items)));
	};
	const forOne = await time(100_000, people.slice(0, 1));
	// Without a list, a hundred people take some time, too.
	expect((await time(100_000, people)) - (await time(0, people))).toBeLessThan(2 * forOne);
	// Sixteen times as long, not 256 times.
	expect(forOne).toBeLessThan(4 * 16 * (await time(6250, people.slice(0, 1))));
});

test('an expression that n8n cannot resolve is said to be the one of the list', async () => {
	const blockedNumbers = "={{ $('Get Rows').all().map(row => row.json.phone ?? row) }}";
	expect(saidBy(await service.run(service.place({ blockedNumbers }), to(OTHER)))).toMatch(
		/^'Blocked Numbers': .*Check its expression/s,
	);
	expect(await sent()).toEqual([]);
});
