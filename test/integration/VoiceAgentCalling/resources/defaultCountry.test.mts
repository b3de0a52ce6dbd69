import { asTool } from '../../errorTable/provoke.mts';
import { harness } from '../../harness.mts';
import { goesOn, jsonOf, resultsOf, saidBy, useService } from '../../service.mts';

const service = useService();

/** The result of a tool that places a call to a national number with these prefixes. */
async function callWith(allowedPrefixes: string, operation = 'place') {
	const tool = { node: { ...asTool, ...goesOn }, package: await harness.packageWithTool() };
	const parameters = service.place(
		{ defaultCountry: '={{ $json.country }}' },
		{ allowedPrefixes, maxCalls: 5, operation },
	);
	return (await service.run(parameters, [{ to: '0151 12345678', country: 'DE' }], tool)).outputs[0]?.[0]?.json;
}

test('a national number is sent, and compared with what an AI agent may call, in the international format', async () => {
	expect(await callWith('+1, +44')).toMatchObject({ code: 'NUMBER_NOT_ALLOWED' });
	expect(await service.dialed()).toEqual([]);
	expect(await callWith('+49')).toMatchObject({ to: '+4915112345678', code: '' });
	expect(await callWith('+1, +49 151')).toMatchObject({ to: '+4915112345678', code: '' });
	expect(await service.dialed()).toEqual(['+4915112345678', '+4915112345678']);
});

test('a check as a tool says the same of a number that the agent may not call', async () => {
	expect(await callWith('+1, +44', 'checkBeforeCalling')).toMatchObject({ code: 'NUMBER_NOT_ALLOWED' });
	expect(await callWith('+49', 'checkBeforeCalling')).toMatchObject({ normalizedTo: '+4915112345678' });
});

test.each([
	['prefixes without a digit', ','],
	['prefixes that are spaces', ' '],
	['prefixes that are brackets', '()'],
	['a prefix without +', '+1, 49'],
	['a prefix with a zero that is dialed only within the country', '+49 (0)151'],
])('an AI agent calls nobody with %s', async (_what, allowedPrefixes) => {
	expect(await callWith(allowedPrefixes)).toMatchObject({ code: 'INVALID_INPUT' });
	expect(await service.requests('POST')).toEqual([]);
});

describe('with the country of each item in a column', () => {
	const options = { defaultCountry: '={{ $json.country }}' };
	const plus = '+14155550123';
	const without = [{ country: '' }, { country: ' ' }, { country: null }, {}];

	test.each(without)('a number with + is called, whatever the column has: %j', async (row) => {
		const items = [
			{ to: plus, ...row },
			{ to: '0151 12345678', country: 'DE' },
		];
		expect(resultsOf(await service.run(service.place(options), items))).toEqual(['placed', 'placed']);
		expect(await service.dialed()).toEqual([plus, '+4915112345678']);
	});

	test.each(without)('a number without + is refused: %j', async (row) => {
		const items = [{ to: '0151 12345678', ...row }, { to: plus }];
		const ran = jsonOf(await service.run(service.place(options), items, { node: goesOn }));
		expect(ran).toMatchObject([{ result: 'failed', code: 'INVALID_PHONE_NUMBER' }, { result: 'placed' }]);
		expect(ran[0]?.advice).toMatch(/fill in 'Default Country', which is empty\.$/);
		expect(await service.dialed()).toEqual([plus]);
	});

	test('the column can have codes, names and calling codes, also as numbers', async () => {
		const given = ['DE', 'Germany', '+49', 49];
		const items = given.map((country, index) => ({ to: `0151 1234567${index}`, country }));
		expect(resultsOf(await service.run(service.place(options), items))).toEqual(given.map(() => 'placed'));
		expect(await service.dialed()).toEqual(given.map((_country, index) => `+491511234567${index}`));
	});

	test('a list of blocked numbers without + stops the run if the country is empty', async () => {
		const blocked = { blockedNumbers: '0151 12345678', defaultCountry: '={{ $("Source").first().json.country }}' };
		const ran = await service.run(service.place(blocked), [{ to: plus, country: '' }]);
		expect(saidBy(ran)).toMatch(/'Blocked Numbers', entry 1 has no country code/);
		expect(await service.dialed()).toEqual([]);
	});
});

test('`to` has + and the country code where the item has a call; otherwise it is what was entered', async () => {
	const options = { defaultCountry: 'DE', blockedNumbers: '+4915112345679' };
	const items = ['0151 12345678', '0151/12345678', '0151 123-45679', '0151'].map((to) => ({ to }));
	const ran = jsonOf(await service.run(service.place(options), items, { node: goesOn }));
	expect(ran.map(({ result, to }) => [result, to])).toEqual([
		['placed', '+4915112345678'],
		['sameNumber', '+4915112345678'],
		['blocked', '0151 123-45679'],
		['failed', '0151'],
	]);
});
