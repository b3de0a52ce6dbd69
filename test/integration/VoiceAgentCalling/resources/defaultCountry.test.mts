import { asTool } from '../../errorTable/provoke.mts';
import { harness } from '../../harness.mts';
import { byId, goesOn, useService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

const service = useService();

const place = (more = {}) => ({
	resource: 'call',
	operation: 'place',
	agent: byId(service.seed.agents.published),
	testCall: 'always',
	phoneNumber: '={{ $json.phone }}',
	options: { defaultCountry: '={{ $json.country }}' },
	...more,
});
const queue = () =>
	place({ resource: 'campaign', operation: 'queueCall', campaign: byId(service.seed.campaigns.active) });

/** A national number, an international number, and what cannot be one; each item has its country. */
const items = [
	{ phone: '0151 12345678', country: 'DE' },
	{ phone: '+1 (202) 555-0123', country: 'DE' },
	{ phone: '020 7946 0958', country: 'gb' },
	{ phone: '0151', country: 'DE' },
	{ phone: '020 7946 0958', country: '' },
	{ phone: '+12025550155', country: 'UK' },
];

describe('Default Country', () => {
	test.each([
		['Place', place],
		['Queue Call', queue],
	])('%s sends national numbers in the international format, and the service accepts them', async (_name, of) => {
		const numbers = ['+4915112345678', '+12025550123', '+442079460958'];
		const sent = await expectItems(service, of(), items, [
			...numbers.map((to) => ({ to })),
			...['INVALID_PHONE_NUMBER', 'INVALID_PHONE_NUMBER', 'INVALID_INPUT'].map((code) => failed(code)),
		]);
		const bodies = sent.filter(([method]) => method === 'POST').map(([, , body]) => body);
		expect(bodies).toEqualInAnyOrder(numbers.map((to) => ({ to, is_testing: true })));
	});

	/** The result of a tool that places a call to the first number with some limits. */
	const asToolWith = async (limits: object) => {
		const tool = { node: { ...asTool, ...goesOn }, package: await harness.packageWithTool() };
		const fromModel = { ...items[0], prefixes: '', limit: 100 };
		return (await service.run(place(limits), [fromModel], tool)).outputs[0]?.[0]?.json;
	};

	test('the numbers that an AI agent may call are compared in the international format', async () => {
		expect(await asToolWith({ allowedPrefixes: '+1, +44', maxCalls: 5 })).toMatchObject({ code: 'NUMBER_NOT_ALLOWED' });
		const called = { to: '+4915112345678', code: null };
		expect(await asToolWith({ allowedPrefixes: '+49', maxCalls: 5 })).toMatchObject(called);
	});

	test.each([
		['prefixes without a digit', { allowedPrefixes: ',' }],
		['prefixes that are spaces', { allowedPrefixes: ' ' }],
		['prefixes that are brackets', { allowedPrefixes: '()' }],
	])('an AI agent calls nobody with %s', async (_what, limits) => {
		expect(await asToolWith(limits)).toMatchObject({ code: 'INVALID_INPUT' });
		expect(await service.requests('POST')).toEqual([]);
	});
});
