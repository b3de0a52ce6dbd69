import { asTool } from '../../errorTable/provoke.mts';
import { harness } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const options = { defaultCountry: '={{ $json.country }}' };

const place = (more = {}) => ({
	resource: 'call',
	operation: 'place',
	agent: byId(service.seed.agents.published),
	phoneNumber: '={{ $json.phone }}',
	testCall: 'always',
	options,
	...more,
});
const queue = () => ({
	...place(),
	resource: 'campaign',
	operation: 'queueCall',
	campaign: byId(service.seed.campaigns.active),
});

/** A national number, an international number, and an invalid one. */
const items = [
	{ phone: '0151 12345678', country: 'DE' },
	{ phone: '+1 (202) 555-0123', country: 'DE' },
	{ phone: '0151', country: 'DE' },
];

describe('Default Country', () => {
	test.each([
		['Place', place],
		['Queue Call', queue],
	])(
		'%s sends national numbers in the international format, and the service accepts them',
		async (_operation, parameters) => {
			const sent = await expectItems(service, parameters(), items, [
				{ to: '+4915112345678' },
				{ to: '+12025550123' },
				failed('INVALID_PHONE_NUMBER', { message: expect.stringContaining('\'Phone Number\' cannot be "0151"') }),
			]);
			expect(sent.filter(([method]) => method === 'POST').map(([, , body]) => body)).toEqualInAnyOrder([
				{ to: '+4915112345678', is_testing: true },
				{ to: '+12025550123', is_testing: true },
			]);
		},
	);

	test('each item can have a different country, or none', async () => {
		await expectItems(
			service,
			place(),
			[
				{ phone: '020 7946 0958', country: 'gb' },
				{ phone: 2025550123, country: ' US ' },
				{ phone: '+12025550144', country: '' },
				{ phone: '020 7946 0958', country: '' },
				{ phone: '020 7946 0958', country: 'UK' },
				{ phone: '+12025550155', country: 'UK' },
				{ phone: '+12025550166', country: 49 },
				{ phone: '', country: 'DE' },
			],
			[
				{ to: '+442079460958' },
				{ to: '+12025550123' },
				{ to: '+12025550144' },
				failed('INVALID_PHONE_NUMBER', { message: expect.stringContaining('Phone Number') }),
				failed('INVALID_INPUT', { message: expect.stringContaining('\'Default Country\' cannot be "UK"') }),
				failed('INVALID_INPUT', { message: expect.stringContaining('\'Default Country\' cannot be "UK"') }),
				failed('INVALID_INPUT', { message: expect.stringContaining("'Default Country' cannot be 49") }),
				failed('MISSING_PHONE_NUMBER', { message: expect.stringContaining("'Phone Number' is empty") }),
			],
		);
	});

	test('the error suggests the option for a national number, and names both readings of an ambiguous one', async () => {
		const alone = await service.run(place({ options: {} }), [{ phone: '030 1234567' }]);
		expect(alone.run.error).toMatchObject({
			description: expect.stringContaining(
				"with + and the country code, for example +4915112345678, or add 'Default Country' to Options",
			),
		});
		const twofold = await service.run(place(), [{ phone: '4915123456789', country: 'DE' }]);
		expect(twofold.run.error).toMatchObject({
			description: expect.stringContaining('It can be +494915123456789 or +4915123456789'),
		});
		expect(await service.requests('POST')).toEqual([]);
	});

	test('Check Before Calling and Get Active read a number the same way', async () => {
		const check = { ...place(), operation: 'checkBeforeCalling' };
		await expectItems(service, check, items, [
			{ result: 'ready', normalizedTo: '+4915112345678' },
			{ result: 'ready', normalizedTo: '+12025550123' },
			{
				result: 'notReady',
				normalizedTo: null,
				reasons: [{ code: 'INVALID_PHONE_NUMBER', message: expect.stringContaining('It is not a phone number of DE') }],
			},
		]);
		const one = items.slice(0, 1);
		await service.run(place(), one);
		await expectItems(service, { ...place(), operation: 'getActive' }, one, [{ to: '+4915112345678' }]);
	});

	test('a number that is repeated in another format is called once', async () => {
		const forms = ['0151 12345678', '+49 151 12345678', '0049 151 12345678'].map((phone) => ({ phone, country: 'DE' }));
		await service.run(place(), forms, { node: { onError: 'continueRegularOutput' } });
		expect(await service.requests('POST')).toHaveLength(1);
	});

	test('the numbers that an AI agent may call are compared in the international format', async () => {
		const tool = {
			node: { ...asTool, onError: 'continueRegularOutput' as const },
			package: await harness.packageWithTool(),
		};
		const run = async (allowedPrefixes: string) =>
			(await service.run(place({ allowedPrefixes, maxCalls: 5 }), [{ phone: '0151 12345678', country: 'DE' }], tool))
				.outputs[0]?.[0]?.json;
		expect(await run('+1, +44')).toMatchObject({
			code: 'NUMBER_NOT_ALLOWED',
			message: expect.stringContaining('+4915112345678'),
		});
		const { to, code, message } = (await run('+49')) ?? {};
		expect({ to, code, message }).toEqual({ to: '+4915112345678', code: null, message: null });
	});

	test.each([
		['prefixes without a digit', { allowedPrefixes: ',' }],
		['prefixes that are spaces', { allowedPrefixes: ' ' }],
		['prefixes that are brackets', { allowedPrefixes: '()' }],
		['prefixes from an expression, which a model could fill', { allowedPrefixes: "={{ $fromAI('prefixes') }}" }],
		[
			'a number of calls from an expression, which a model could fill',
			{ maxCalls: "={{ $fromAI('limit', '', 'number') }}" },
		],
	])('an AI agent calls nobody with %s', async (_what, limits) => {
		const tool = {
			node: { ...asTool, onError: 'continueRegularOutput' as const },
			package: await harness.packageWithTool(),
		};
		const fromModel = { phone: '0151 12345678', country: 'DE', prefixes: '', limit: 100 };
		const { outputs } = await service.run(place(limits), [fromModel], tool);
		expect(outputs[0]?.[0]?.json).toMatchObject({ code: 'INVALID_INPUT' });
		expect(await service.requests('POST')).toEqual([]);
	});
});
