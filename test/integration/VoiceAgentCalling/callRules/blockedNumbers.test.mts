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
	['rows', '={{ [{ id: 1, phone: "+493012345678" }, { id: 2, phone: "+39 06 12345678" }] }}', {}],
	['items', '={{ [{ json: { phone: "+493012345678" }, pairedItem: 0 }] }}', {}],
	['rows with one field of another name', '={{ [{ number: "+49 30 12345678", name: "Ada" }] }}', {}],
	['rows with a field of any name', '={{ [{ id: 7, Contact: "+49 30 12345678", name: "Ada", active: true }] }}', {}],
	[
		'rows with other fields',
		'={{ [{ id: 1732838400, customerId: 10004523, phone: "+49 30 12345678", updated_at: 1732838400000, born: "01.02.1980", at: "2026-11-29T10:00:00.000Z", street: "Main St 12, 10115 Berlin", "E-Mail": "a1@example.com", cancelled: "no", tags: ["vip"] }] }}',
		{ defaultCountry: 'DE' },
	],
	[
		'rows with what is no number',
		'={{ [{ "Customer ID": "10004523", created: 1732838400, Latitude: "52.9248046875", score: 0.07234512, phone_ok: "no", Telegram: "@ada", Mobile: "-", number: 3, mail: "a.1234567@example.com", avatar: "https://example.com/0123456789.png", key: "550e8400-e29b-41d4-a716-446655440000", seen: "29.11.2026 10:00", Added: 1764400000000, lastmodifieddate: "1732838400000", at: "2026-11-29 10:15:00.123456 UTC", since: "Sun Nov 29 2026 10:15:00 GMT+0100", Reason: "asked on 29.11.2026 at 10:00", Period: "2026-11-01 - 2026-11-29", "Postal Code": "20500-0003", "Season 2024-2025": "2024-2025", hash: "0123456789abcdef", phone: "+49 30 12345678" }] }}',
		{},
	],
	['rows with the ID of a chat', '={{ [{ wa_id: "493012345678", other: "+39 06 12345678" }] }}', {}],
	['rows with two numbers', '={{ [{ phone: "+39 06 12345678", mobile: "+49 30 12345678" }] }}', {}],
	['rows without one of the numbers', '={{ [{ phone: "", mobile: "+49 30 12345678", fax: null }] }}', {}],
	['the items of a node', '={{ $("Source").all().slice(1, 2) }}', {}],
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

const unreadableFields = [
	['Work', '(202) 555-0123x45'],
	['Mobile', '493012345679privat'],
	['Chat', '493012345679@s.whatsapp.net'],
	['Chat', 'sip:+493012345679@example.com'],
	['Chat', 'https://signal.me/#p/+493012345679'],
	['Updated Phone', '202-555-0123 ext 5'],
	['note', 'until 2026-11-29: 030 123456 only'],
	['Mobile', '+49:30:12345:679'],
	['Mobile', '+49 30 1234S679'],
	['Mobile', '20.30.1980'],
	['Phone (updated)', '+49 30 12345679 (new)'],
].map(([name, value]): [list: string, mistake: string] => [
	`={{ [{ phone: "+493012345678", "${name}": "${value}" }] }}`,
	`entry 1 ("${name}") is not a phone number`,
]);

test.each<[list: string, mistake: string]>([
	['={{ ["+493012345678", "+49 0"] }}', 'entry 2 is not a phone number'],
	['+493012345678, hello', 'entry 2 is not a phone number'],
	['={{ ["+493012345678", "030 12345679", ""] }}', 'entry 2 has no country code; entry 3 is empty'],
	['={{ ["hello", "+493012345678", "hello", null] }}', 'entries 1, 3 are not phone numbers; entry 4 is empty'],
	['={{ [{ phone: "" }] }}', 'entry 1 ("phone") has no field with a phone number'],
	['={{ [{ Kontakt: "hello" }] }}', 'entry 1 ("Kontakt") has no field with a phone number'],
	['={{ [{ phone: "hello", to: "hello" }] }}', 'entry 1 ("phone", "to") has no field with a phone number'],
	['={{ [{ phone: "+493012345678", Work: "030-12-345679" }] }}', 'entry 1 ("Work") has no country code'],
	['={{ [{ phone: "+493012345678", Work: "202-555-0123 ext 5" }] }}', 'entry 1 ("Work") is not a phone number'],
	['={{ [{ phone: "+493012345678", Home: "4.91512E+11" }] }}', 'entry 1 ("Home") is not a phone number'],
	['={{ [{ phone: "+493012345678", note: "not on 202-555-0123 again" }] }}', '("note") is not a phone number'],
	['={{ [{ phone: "+493012345678", chat: "https://wa.me/493012345679" }] }}', '("chat") is not a phone number'],
	...unreadableFields,
	['={{ [{ phone: "+493012345678", "Caller ID": 2025550123 }] }}', 'entry 1 ("Caller ID") has no country code'],
	['={{ [{ "+493012345678": "+493012345679" }] }}', '("+493012345678") has a phone number as the name of a field'],
	['={{ [{ "202-555-0123": "202-555-0111" }] }}', '("202-555-0123") has a phone number as the name of a field'],
	['={{ [{ phone: "+493012345678", mobile: "030 12345679" }] }}', 'entry 1 ("mobile") has no country code'],
	['={{ [{ phone: "+493012345678", other: "030 12345679" }] }}', 'entry 1 ("other") has no country code'],
	['={{ [{ phone: "+493012345678", other: "+49 30 12345679 x5" }] }}', 'entry 1 ("other") is not a phone number'],
	['={{ [{ phone: "+493012345678", Mobil: "12345679" }] }}', 'entry 1 ("Mobil") has no country code'],
	['={{ [{ Teléfono: "+493012345678", Móvil: "12345679" }] }}', 'entry 1 ("Móvil") has no country code'],
	['={{ [{ phone: "+493012345678", Kontakt: 493012345679 }] }}', 'entry 1 ("Kontakt") has no country code'],
	['={{ [{ phone: "+493012345678", verified_phone: "493012345679" }] }}', '("verified_phone") has no country code'],
	['={{ [{ phone: "+493012345678", Guardian: "at (030) 12345679" }] }}', 'entry 1 ("Guardian") is not a phone number'],
	['={{ [{ phone: "+493012345678", others: ["+4930 12345679"] }] }}', 'entry 1 ("others") is not a phone number'],
	['={{ [{ id: 2025550123, contact: { phone: "+493012345679" } }] }}', 'entry 1 ("contact") is not a phone number'],
	['={{ [{ phone: "+493012345678", json: { a: "+493012345679" } }] }}', 'entry 1 ("json") is not a phone number'],
	['={{ [{ phone: "+493012345678" }, {}] }}', 'entry 2 (no fields) has no field with a phone number'],
	['={{ Array(25).fill("hello") }}', '19, 20 are not phone numbers; and 5 more cannot be read'],
	[
		'[{ "phone": "+493012345678",\n"phone": "+493012345679" }]',
		'has a name that its object has before: line 2, column 1',
	],
	['={{ { a: 1 } }}', 'is an object, not a list'],
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

test('entries that cannot be read are left out only by a choice, and a hint names them', async () => {
	const blockedNumbers = '={{ ["hello", "+49 30 12345678", "030 12345679"] }}';
	const ran = await service.run(service.place({ blockedNumbers, leaveOutUnreadable: true }), to(OTHER, BLOCKED));
	expect(resultsOf(ran)).toEqual(['placed', 'blocked']);
	expect(hintsOf(ran).join(' ')).toContain('entry 1 is not a phone number; entry 3 has no country code');
	const unclear = { blockedNumbers, leaveOutUnreadable: '={{ "true" }}' };
	expect((await service.run(service.place(unclear), to(OTHER))).run.status).toBe('error');
});

test('a spreadsheet’s numbers block all that they can be', async () => {
	const blockedNumbers = '={{ [614495062, 6702123539, 442079460958] }}';
	const people = ['+36 1 449 5062', '+36 70 212 3539', '+44 20 7946 0958', '+36 1 449 5063'];
	const options = { blockedNumbers, defaultCountry: 'HU' };
	expect(await results(options, to(...people))).toEqual(['blocked', 'blocked', 'blocked', 'placed']);
});

test.each([
	['an empty list', '={{ [] }}'],
	['the single item without fields that n8n makes of no rows', '={{ [{ json: {}, pairedItem: 0 }] }}'],
])('%s blocks nobody', async (_what, blockedNumbers) => {
	expect(await results({ blockedNumbers }, to(OTHER, BLOCKED))).toEqual(['placed', 'placed']);
});

test.each([
	['San Marino', '+378 0549 886377', ['+3780549886377', '+390549886377'], '+39054988637'],
	['Palestine', '+970 59 912 3456', ['+970599123456', '+972599123456'], '+972599123457'],
	['Brazil, without the ninth digit', '+55 11 8765-4321', ['+5511987654321', '+551187654321'], '+5511987654322'],
	['Kosovo, as a number of Monaco', '+377 44 123 456', ['+38344123456'], '+38344123457'],
	['Kosovo, as a number of Slovenia', '+386 49 123 456', ['+38349123456'], '+38349123457'],
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
		{ to: BLOCKED, doNotCall: BLOCKED },
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

test('100,000 entries add at most as much computing as 60 copies of them, n8n’s evaluation included', async () => {
	const items = to(...Array.from({ length: 100 }, (_none, index) => `+4930${1_000_000 + index}`));
	const list = Array.from({ length: 100_000 }, (_none, id) => ({ id, phone: `+49 30 ${20_000_000 + id}` }));
	const made = '={{ Array.from({ length: 100000 }, (_, id) => ({ id, phone: "+49 30 " + (20000000 + id) })) }}';
	const time = (options: object) =>
		timeInCopies(list, () => service.run(service.place(options, { operation: 'checkBeforeCalling' }), items));
	const without = await time({});
	expect((await time({ blockedNumbers: made })) - without).toBeLessThan(60);
});

test('a long list is read in parts, between which n8n does other work', async () => {
	const { BlockedNumbers } = await import('../../../../nodes/VoiceAgentCalling/fields/blockedNumbers.ts');
	const entries = Array.from({ length: 100_000 }, (_none, id) => `+4930${10_000_000 + id}`);
	const list = new BlockedNumbers(entries, { country: undefined, isCountryOfItem: false, leavesOut: false });
	let turns = 0;
	const timer = setInterval(() => turns++, 0);
	await list.prepare();
	clearInterval(timer);
	expect(turns).toBeGreaterThanOrEqual(40);
	expect([10_000_000, 10_099_999, 10_100_000].map((end) => list.phones.has(`+4930${end}`))).toEqual([
		true,
		true,
		false,
	]);
});
