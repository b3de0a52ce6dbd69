import { asTool } from '../../errorTable/provoke.mts';
import { harness } from '../../harness.mts';
import { goesOn, useService } from '../../service.mts';

const service = useService();

/** The result of a tool that places a call to a national number with these prefixes. */
async function callWith(allowedPrefixes: string) {
	const tool = { node: { ...asTool, ...goesOn }, package: await harness.packageWithTool() };
	const parameters = service.place({ defaultCountry: '={{ $json.country }}' }, { allowedPrefixes, maxCalls: 5 });
	return (await service.run(parameters, [{ to: '0151 12345678', country: 'DE' }], tool)).outputs[0]?.[0]?.json;
}

test('a national number is sent, and compared with what an AI agent may call, in the international format', async () => {
	expect(await callWith('+1, +44')).toMatchObject({ code: 'NUMBER_NOT_ALLOWED' });
	expect(await service.dialed()).toEqual([]);
	expect(await callWith('+49')).toMatchObject({ to: '+4915112345678', code: null });
	expect(await callWith('+1, +49 151')).toMatchObject({ to: '+4915112345678', code: null });
	expect(await service.dialed()).toEqual(['+4915112345678', '+4915112345678']);
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
