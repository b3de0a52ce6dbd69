import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { byId, to, useService } from '../../service.mts';
import { teach } from '../callRules/ruledCalls.mts';

const service = useService();

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const numbers = to('+12025551000', '+12025551001', '+12025551002');

type Item = Record<string, unknown>;

const ofAgent = (more: object = {}) => ({
	resource: 'call',
	operation: 'checkBeforeCalling',
	phoneNumber: '={{ $json.to }}',
	agent: byId(`={{ $json.agent ?? '${service.seed.agents.published}' }}`),
	options: { variablesJson: '={{ $json.payload ?? {} }}' },
	...more,
});
const ofCampaign = (more: object = {}) => ({
	...ofAgent(),
	resource: 'campaign',
	campaign: byId(`={{ $json.campaign ?? '${service.seed.campaigns.active}' }}`),
	...more,
});

/** Runs a check, and asserts that it only reads. @returns for each item the codes and the whole result */
async function check(parameters: object, items: Item[]): Promise<{ codes: string[][]; results: Item[] }> {
	const { length } = await service.requests();
	const { outputs } = await service.run(parameters as never, items, { node: { onError: 'continueRegularOutput' } });
	expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_item, item) => ({ item })));
	const methods = new Set((await service.requests()).slice(length).map(({ method }) => method));
	expect([...methods]).toEqual(['GET']);
	const results = (outputs[0] ?? []).map(({ json }) => json as Item);
	for (const { result, reasons } of results) {
		expect(result).toBe(reasons === undefined ? 'failed' : (reasons as []).length === 0 ? 'ready' : 'notReady');
	}
	const codesOf = ({ reasons = [] }: Item) => (reasons as Array<{ code: string }>).map(({ code }) => code);
	return { results, codes: results.map(codesOf) };
}

/** What is returned for a call that is ready. */
const ready = {
	result: 'ready',
	to: '+1 (202) 555-0111',
	code: '',
	message: 'Ready.',
	advice: '',
	normalizedTo: '+12025550111',
	isTest: false,
	nextSlot: expect.any(String),
	reasons: [],
};

describe.each([
	['Call', ofAgent],
	['Campaign', ofCampaign],
])('%s: Check Before Calling', (_name, of) => {
	test('finds a call without the value of a variable ready where Missing Variables would send it', async () => {
		await teach(service, 'You are Ada. You greet {{name}}.');
		const items = [{ to: '+12025550111' }, { to: '+12025550122', payload: { name: 'Ada' } }];
		const value = { name: '={{ $json.payload?.name }}' };
		const mapped = of({ agentVariables: { mappingMode: 'defineBelow', value }, options: {} });
		for (const parameters of [of(), mapped]) {
			expect((await check(parameters, items)).codes).toEqual([['MISSING_VARIABLES'], []]);
		}
		expect((await check(of({ options: { missingVariables: 'ignore' } }), items)).codes).toEqual([[], []]);
	});

	test('says whether it would be a test call, as Test Call and the credential say', async () => {
		const items = numbers.map((item, index) => ({ ...item, testCall: ['always', 'automatic', 'never'][index] }));
		const { results } = await check(of({ testCall: '={{ $json.testCall }}' }), items);
		expect(results.map(({ isTest }) => isTest)).toEqual([true, false, false]);
	});

	test('keeps Metadata for the operation that calls, and refuses it as there', async () => {
		const options = (added: object) => of({ options: { metadataJson: '={{ $json.metadata }}', ...added } });
		const items = numbers.map((item, index) => ({ ...item, metadata: ['{"contact": 1}', '[1]', '{}'][index] }));
		expect((await check(options({}), items)).results.map(({ result }) => result)).toEqual(['ready', 'failed', 'ready']);
		const fields = { metadataFields: { values: [{ name: 'contact', value: '={{ $json.to }}' }] } };
		expect((await check(of({ options: fields }), items)).codes).toEqual([[], [], []]);
	});
});

test.each([
	['call', ['place', 'placeAndWait']],
	['campaign', ['queueCall', 'queueCallAndWait']],
])('who switches a node of %s to the check and back loses nothing but how it waits', (resource, calling) => {
	const { operations } = resources.find(({ value }) => value === resource)!;
	const namesIn = (operation: string) => {
		const { fields, options } = operations.find(({ value }) => value === operation)!;
		return [...fields, ...options].flatMap(({ properties }) => properties.map(({ name }) => name));
	};
	const waiting = ['waitBy', 'waitByNotice', 'pollInterval', 'timeLimit', 'waitFor'];
	const kept = namesIn('checkBeforeCalling');
	expect(kept.length).toBeGreaterThan(5);
	expect(calling.flatMap(namesIn).filter((name) => ![...kept, ...waiting].includes(name))).toEqual([]);
});

test('Call: Check Before Calling reports for each number whether it can be called, with the original and the normalized number', async () => {
	const { draft } = service.seed.agents;
	const before = Date.now();
	const numbers = ['+1 (202) 555-0111', '030 1234567', null, 4_930_123_456, '0012025550111'].map((to) => ({ to }));
	const agents = [draft, NOWHERE].map((agent) => ({ to: '+12025550122', agent }));
	const { codes, results } = await check(ofAgent(), [...numbers, ...agents]);
	const [invalid, missing] = [['INVALID_PHONE_NUMBER'], ['MISSING_PHONE_NUMBER']];
	const others = [['AGENT_INACTIVE'], ['AGENT_NOT_FOUND']];
	expect(codes).toEqual([[], invalid, missing, invalid, ['REPEATED_NUMBER'], ...others]);
	expect(results[0]).toEqual(ready);
	expect(Date.parse(String(results[0]?.nextSlot))).toBeGreaterThanOrEqual(before);
	expect([results[1], results[3]]).toMatchObject([{ to: '030 1234567', normalizedTo: null }, { to: 4_930_123_456 }]);
});

test('Campaign: Check Before Calling reports for each number whether it can be queued', async () => {
	const { draft, paused, completed, cancelled, active } = service.seed.campaigns;
	await service.api('PUT', `campaigns/${active}`, { initial_call_delay: 3600 });
	await service.api('POST', `campaigns/${active}/call`, { to: '+12025550144', is_testing: true });
	const { codes, results } = await check(ofCampaign(), [
		{ to: '+1 (202) 555-0111' },
		{ to: '030 1234567' },
		...[draft, paused, completed, cancelled, NOWHERE].map((campaign) => ({ to: '+12025550122', campaign })),
		{ to: '+12025550111' },
		{ to: '+12025550144' },
	]);
	const inactive = ['CAMPAIGN_NOT_ACTIVE'];
	const others = [['CAMPAIGN_NOT_FOUND'], ['REPEATED_NUMBER'], ['DUPLICATE_CALL']];
	expect(codes).toEqual([[], ['INVALID_PHONE_NUMBER'], inactive, inactive, inactive, inactive, ...others]);
	expect(results[0]).toEqual(ready);
	const isOver = results.map(({ nextSlot }) => nextSlot === null);
	expect(isOver).toEqual([false, false, false, false, true, true, true, false, false]);
});

test.each([
	['without rules', {}],
	['with a rule', { blockedNumbers: '+12025550199' }],
])('Call: Check Before Calling %s says that a call with a delay rings after it', async (_what, rule) => {
	const before = Date.now();
	const { results } = await check(ofAgent({ options: { delay: 1800, ...rule } }), [{ to: '+12025550111' }]);
	const checkedAt = Date.parse(String(results[0]?.nextSlot)) - 1_800_000;
	expect(checkedAt).toBeGreaterThanOrEqual(before);
	expect(checkedAt).toBeLessThanOrEqual(Date.now());
});

const always = { values: { hours: 'Daily 0-24', timeZone: 'UTC' } };
test.each([
	['Calling Hours', { callingHours: always }],
	['a Frequency Cap', { frequencyCap: { values: { atMost: 9, days: 1 } } }],
])(
	'Campaign: Check Before Calling with %s reports a missing campaign, an invalid number and a number listed twice, and fails none of them',
	async (_rule, rule) => {
		await service.api('PUT', `campaigns/${service.seed.campaigns.active}`, { max_retries: 0 });
		const options = { missingVariables: 'ignore', ...rule };
		const { codes } = await check(ofCampaign({ options }), [
			{ to: '+12025550111', campaign: NOWHERE },
			{ to: '030 1234567' },
			{ to: '+12025550122' },
			{ to: '+12025550122' },
		]);
		expect(codes).toEqual([['CAMPAIGN_NOT_FOUND'], ['INVALID_PHONE_NUMBER'], [], ['REPEATED_NUMBER']]);
	},
);
