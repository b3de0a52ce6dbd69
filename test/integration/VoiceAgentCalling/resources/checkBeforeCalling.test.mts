import { byId, type Service, startService } from '../../service.mts';
import { failed } from './items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const numbers = (count: number) => Array.from({ length: count }, (_none, index) => ({ to: `+1202555${1000 + index}` }));

type Item = Record<string, unknown>;

const ofAgent = (more: object = {}) => ({
	resource: 'call',
	operation: 'checkBeforeCalling',
	agent: byId(`={{ $json.agent ?? '${service.seed.agents.published}' }}`),
	phoneNumber: '={{ $json.to }}',
	options: { variablesJson: '={{ $json.payload ?? {} }}' },
	...more,
});
const ofCampaign = (more: object = {}) => ({
	...ofAgent(),
	operation: 'checkBeforeCalling',
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
	for (const { result, reasons, ...others } of results) {
		expect(result).toBe(reasons === undefined ? 'failed' : (reasons as []).length === 0 ? 'ready' : 'notReady');
		expect(Object.keys(others).slice(0, 3)).toEqual(['to', 'code', 'message']);
	}
	return {
		results,
		codes: results.map(({ reasons = [] }) => (reasons as Array<{ code: string }>).map(({ code }) => code)),
	};
}

/** Sets the texts of an agent directly with the API, and publishes it. */
async function teach(id: string, texts: Item): Promise<void> {
	const knowledge = {
		description: 'You are Ada.',
		interrupt_sensitivity: 'low',
		ask_if_human_present_on_idle: true,
		llm_temperature: 0,
		initial_message_delay: 0,
	};
	await service.api('PUT', `agents/${id}/knowledge`, { ...knowledge, ...texts });
	await service.api('POST', `agents/${id}/publish`);
}

test.each([
	['Call', ofAgent],
	['Campaign', ofCampaign],
])('%s: a call without the value of a variable is ready where Missing Variables would send it', async (_name, of) => {
	await teach(service.seed.agents.published, { description: 'Talk with {{name}}.' });
	const items = [{ to: '+12025550111' }];
	expect((await check(of(), items)).codes).toEqual([['MISSING_VARIABLES']]);
	expect((await check(of({ options: { missingVariables: 'ignore' } }), items)).codes).toEqual([[]]);
});

describe('Call: Check Before Calling', () => {
	test('reports for each number whether it can be called, with the original and the normalized number', async () => {
		const { draft } = service.seed.agents;
		const before = Date.now();
		const { codes, results } = await check(ofAgent(), [
			{ to: '+1 (202) 555-0111' },
			{ to: '030 1234567' },
			{ to: '+12025550122', agent: draft },
			{ to: '+12025550133', agent: NOWHERE },
			{ to: '' },
			{ to: null },
			{ to: 4_930_123_456 },
			{ to: '+12025550144' },
		]);
		expect(codes).toEqual([
			[],
			['INVALID_PHONE_NUMBER'],
			['AGENT_INACTIVE'],
			['AGENT_NOT_FOUND'],
			['MISSING_PHONE_NUMBER'],
			['MISSING_PHONE_NUMBER'],
			['INVALID_PHONE_NUMBER'],
			[],
		]);
		expect(results[0]).toEqual({
			result: 'ready',
			to: '+1 (202) 555-0111',
			code: null,
			message: null,
			normalizedTo: '+12025550111',
			nextSlot: expect.any(String),
			reasons: [],
		});
		expect(Date.parse(String(results[0]?.nextSlot))).toBeGreaterThanOrEqual(before);
		expect(results[1]).toMatchObject({
			to: '030 1234567',
			normalizedTo: null,
			reasons: [{ message: expect.stringContaining('country code') }],
		});
		expect(results[2]).toMatchObject({ reasons: [{ message: expect.stringContaining('Use Agent → Publish') }] });
		expect(results[3]).toMatchObject({ nextSlot: null });
		expect(results[6]).toMatchObject({ to: 4_930_123_456 });
	});

	test('reports all problems of a call, not only the first', async () => {
		const { draft } = service.seed.agents;
		const { body } = await service.api('GET', 'phone-numbers');
		const inactive = (body.data as Array<{ id: string; current_status: string }>).find(
			({ current_status }) => current_status === 'inactive',
		);
		await service.api('PUT', `agents/${draft}/calling`, { direction: 'inbound', phone_number_ids: [inactive?.id] });
		expect((await check(ofAgent(), [{ to: '555', agent: draft }])).codes).toEqual([
			['INVALID_PHONE_NUMBER', 'AGENT_INACTIVE', 'AGENT_NOT_OUTBOUND', 'NO_ACTIVE_NUMBER'],
		]);
	});

	test('finds a number that an earlier item calls, in any format, unless Call Each Time is chosen', async () => {
		const items = ['+12025550111', '555', '0012025550111', '+12025550122', '+1 202 555 0111'].map((to) => ({ to }));
		expect((await check(ofAgent(), items)).codes).toEqual([
			[],
			['INVALID_PHONE_NUMBER'],
			['REPEATED_NUMBER'],
			[],
			['REPEATED_NUMBER'],
		]);
		const twoNumbers = ['+390549886377', '+3780549886377'].map((to) => ({ to }));
		expect((await check(ofAgent(), twoNumbers)).codes).toEqual([[], ['REPEATED_NUMBER']]);
		const again = await check(ofAgent({ options: { repeatedNumber: 'callEachTime' } }), items);
		expect(again.codes).toEqual([[], ['INVALID_PHONE_NUMBER'], [], [], []]);
		// An item that is not ready places no call. Calls of another agent do not count.
		await teach(service.seed.agents.draft, { description: 'Talk with {{name}}.' });
		const others = [{}, { payload: { name: 'Ada' } }, { agent: service.seed.agents.published }].map((more) => ({
			to: '+12025550111',
			agent: service.seed.agents.draft,
			...more,
		}));
		expect((await check(ofAgent(), others)).codes).toEqual([['MISSING_VARIABLES'], [], []]);
	});

	test('finds placeholders without a value in all texts of the prompt that the API returns', async () => {
		const agent = service.seed.agents.published;
		const training = (subject: string, instructions: string, current_status: string) => ({
			subject,
			instructions,
			current_status,
		});
		await service.api(
			'POST',
			`agents/${agent}/trainings`,
			training('About {{product}}', 'Cost: {{ price }}', 'active'),
		);
		await service.api('POST', `agents/${agent}/trainings`, training('Old', '{{never}}', 'inactive'));
		const nodes = [
			{ id: 'a', type: 'say', content: 'See you on {{day}}.', next: 'b' },
			{ id: 'b', type: 'end' },
		];
		await service.api('PUT', `agents/${agent}/flow`, {
			conversation_mode: 'flow_driven',
			flow_config: { initial_node_id: 'a', nodes },
		});
		await teach(agent, {
			description: 'You talk with {{ contact.name }}, { not } {{}} {{#if x}}.',
			initial_message: 'Hello {{contact.name}} from {{city}}!',
		});
		const payloads = [
			undefined,
			{ contact: { name: 'Ada' }, city: 'Rome', product: 'tea', price: 0, day: false },
			{ 'contact.name': 'Ada', city: null, product: '', price: 1, day: 'Monday' },
		];
		const { codes, results } = await check(
			ofAgent(),
			payloads.map((payload, index) => ({ to: `+1202555011${index}`, payload })),
		);
		expect(codes).toEqual([['MISSING_VARIABLES'], [], ['MISSING_VARIABLES']]);
		expect(results).toMatchObject([
			{ reasons: [{ message: expect.stringContaining(': city, product, price, day.') }] },
			{},
			{ reasons: [{ message: expect.stringContaining(': city, product.') }] },
		]);
	});

	test('finds a call in progress with the number', async () => {
		const agent = service.seed.agents.published;
		await service.api('POST', `agents/${agent}/call`, { to: '+12025550111', is_testing: true });
		const { codes } = await check(ofAgent(), [{ to: '+12025550111' }, { to: '+12025550122' }]);
		expect(codes).toEqual([['CALL_IN_PROGRESS'], []]);
	});

	test('reads each agent once, for any number of items', async () => {
		await check(ofAgent(), numbers(300));
		const { published } = service.seed.agents;
		const sent = (await service.requests()).map(({ path, query }) => [path.replace('/api/v1/', ''), query.status]);
		const calls = ['initiated', 'ringing', 'answered'].map((status) => [`agents/${published}/calls`, status]);
		expect(sent).toEqualInAnyOrder([
			[`agents/${published}`, undefined],
			[`agents/${published}/flow`, undefined],
			...calls,
		]);
	});

	test('fails if it cannot check, because of a wrong token or an invalid value', async () => {
		const credentials = service.credentials({ environmentToken: 'wrong' });
		const { run } = await service.run(ofAgent(), numbers(3), { credentials });
		expect(run.error?.message).toContain('token');
		const items = [{ to: '+12025550111', agent: '' }, { to: '+12025550122', payload: 'none' }, { to: '+12025550133' }];
		const { outputs } = await service.run(ofAgent(), items, { node: { onError: 'continueRegularOutput' } });
		expect(outputs[0]?.map(({ json }) => json)).toMatchObject([
			failed('INVALID_INPUT'),
			failed('INVALID_INPUT'),
			{ result: 'ready' },
		]);
	});

	test('ignores a flow that does not exist or that the token cannot read', async () => {
		const path = `/api/v1/agents/${service.seed.agents.published}/flow`;
		const end = [
			{ id: 'a', type: 'say', content: '{{day}}', next: 'b' },
			{ id: 'b', type: 'end' },
		];
		await service.api('PUT', path.replace('/api/v1/', ''), {
			conversation_mode: 'flow_driven',
			flow_config: { initial_node_id: 'a', nodes: end },
		});
		for (const [status, expected] of [
			[404, []],
			[403, ['VARIABLES_NOT_READ']],
		] as const) {
			await service.fault({ match: { path }, kind: 'status', status, body: { success: false, message: 'No flow.' } });
			expect((await check(ofAgent(), numbers(1))).codes).toEqual([expected]);
		}
		expect((await check(ofAgent(), numbers(1))).codes).toEqual([['MISSING_VARIABLES']]);
	});
});

describe('Campaign: Check Before Calling', () => {
	test('reports for each number whether it can be queued', async () => {
		const { draft, paused, completed, cancelled } = service.seed.campaigns;
		const { codes, results } = await check(ofCampaign(), [
			{ to: '+1 (202) 555-0111' },
			{ to: '030 1234567' },
			...[draft, paused, completed, cancelled, NOWHERE].map((campaign) => ({ to: '+12025550122', campaign })),
			{ to: '+12025550111' },
		]);
		const inactive = ['CAMPAIGN_NOT_ACTIVE'];
		expect(codes).toEqual([
			[],
			['INVALID_PHONE_NUMBER'],
			inactive,
			inactive,
			inactive,
			inactive,
			['CAMPAIGN_NOT_FOUND'],
			['REPEATED_NUMBER'],
		]);
		expect(results[0]).toEqual({
			result: 'ready',
			to: '+1 (202) 555-0111',
			code: null,
			message: null,
			normalizedTo: '+12025550111',
			nextSlot: expect.any(String),
			reasons: [],
		});
		expect(results.map(({ nextSlot }) => nextSlot === null)).toEqual([
			false,
			false,
			false,
			false,
			true,
			true,
			true,
			false,
		]);
		expect(results[3]).toMatchObject({
			reasons: [
				{
					message:
						'The campaign is paused. Calls can be queued only while the campaign is active: use Campaign → Set Status first, or Campaign → Create if it is completed or cancelled.',
				},
			],
		});
		expect(results[4]).toMatchObject({ reasons: [{ message: expect.stringContaining('create a new one') }] });
	});

	test('returns the next calling time of a campaign that is closed now, and the call is still ready', async () => {
		const { active } = service.seed.campaigns;
		const hours = {
			start_date: '2199-07-01',
			days_of_week: [1, 5],
			call_time_ranges: [{ start: '09:30', end: '17:00' }],
			timezone: 'Europe/Berlin',
		};
		await service.api('PUT', `campaigns/${active}`, hours);
		expect((await check(ofCampaign(), numbers(1))).results).toMatchObject([
			{ result: 'ready', nextSlot: '2199-07-01T07:30:00.000Z' },
		]);
		const { body } = await service.api('POST', `campaigns/${active}/call`, { to: '+12025550111', is_testing: true });
		expect(body).toMatchObject({ campaign_call: { scheduled_at: '2199-07-01T07:30:00Z' } });
	});

	test('adds the first delay of the campaign, as the service does', async () => {
		const { active } = service.seed.campaigns;
		await service.api('PUT', `campaigns/${active}`, { initial_call_delay: 7200 });
		const { results } = await check(ofCampaign(), numbers(1));
		const { body } = await service.api('POST', `campaigns/${active}/call`, { to: '+12025550111', is_testing: true });
		const scheduled = Date.parse((body as { campaign_call: { scheduled_at: string } }).campaign_call.scheduled_at);
		const late = scheduled - Date.parse(String(results[0]?.nextSlot));
		expect(late).toBeGreaterThan(-1000);
		expect(late).toBeLessThan(60_000);
	});

	test('also checks the agent of the campaign', async () => {
		const { active } = service.seed.campaigns;
		const agent = service.seed.agents.published;
		await teach(agent, { initial_message: 'Hello {{name}}!' });
		const items = [{ to: '+12025550111' }, { to: '+12025550122', payload: { name: 'Ada' } }];
		expect((await check(ofCampaign(), items)).codes).toEqual([['MISSING_VARIABLES'], []]);
		await service.api('POST', `agents/${agent}/unpublish`);
		expect((await check(ofCampaign(), items)).codes).toEqual([
			['AGENT_INACTIVE', 'MISSING_VARIABLES'],
			['AGENT_INACTIVE'],
		]);
		await service.api('DELETE', `agents/${agent}`);
		expect((await check(ofCampaign(), items)).codes).toEqual([['AGENT_NOT_FOUND'], ['AGENT_NOT_FOUND']]);
		expect((await service.requests('GET')).map(({ path }) => path)).toContain(`/api/v1/campaigns/${active}`);
	});

	test('is not ready without an agent, for which Queue Call fails', async () => {
		const { active } = service.seed.campaigns;
		const { body } = await service.api('GET', `campaigns/${active}`);
		const data = { ...(body.data as Item), agent_id: null, agent: null };
		const match = { method: 'GET', path: `/api/v1/campaigns/${active}` };
		await service.fault({ match, kind: 'status', status: 200, body: { ...body, data }, times: 100 });
		const manual = { agentVariables: { mappingMode: 'defineBelow', value: {} } };
		expect((await check(ofCampaign(), numbers(2))).codes).toEqual([['VARIABLES_NOT_READ'], ['VARIABLES_NOT_READ']]);
		const { results } = await check(ofCampaign(manual), numbers(1));
		expect(results).toMatchObject([
			{ reasons: [{ code: 'VARIABLES_NOT_READ', message: expect.stringContaining('The campaign has no agent') }] },
		]);
		const { outputs } = await service.run(
			ofCampaign({ ...manual, operation: 'queueCall', options: {} }) as never,
			numbers(1),
			{ node: { onError: 'continueRegularOutput' } },
		);
		expect(outputs[0]).toMatchObject([{ json: failed('VARIABLES_NOT_READ') }]);
	});

	test('fails if the campaign comes without its calls: a number may have one', async () => {
		const { active } = service.seed.campaigns;
		const { body } = await service.api('GET', `campaigns/${active}`);
		const data = { ...(body.data as Item), calls: undefined };
		const match = { method: 'GET', path: `/api/v1/campaigns/${active}` };
		await service.fault({ match, kind: 'status', status: 200, body: { ...body, data }, times: 100 });
		expect((await check(ofCampaign(), numbers(1))).results).toMatchObject([failed('UNREADABLE_ANSWER')]);
	});

	test('finds a queued call, and ignores calls that are over', async () => {
		const { active } = service.seed.campaigns;
		const queue = async (to: string) => await service.api('POST', `campaigns/${active}/call`, { to, is_testing: true });
		await queue('+12025550001');
		await service.advance(120);
		await service.api('PUT', `campaigns/${active}`, { initial_call_delay: 3600 });
		await queue('+12025550122');
		const items = [{ to: '+12025550001' }, { to: '+1 202 555 0122' }, { to: '+12025550133' }];
		expect((await check(ofCampaign(), items)).codes).toEqual([[], ['DUPLICATE_CALL'], []]);
	});

	test('reads each campaign and its agent once, for any number of items', async () => {
		await check(ofCampaign(), numbers(300));
		const { agents, campaigns } = service.seed;
		const paths = (await service.requests()).map(({ path }) => path.replace('/api/v1/', ''));
		expect(paths).toEqualInAnyOrder([
			`campaigns/${campaigns.active}`,
			`agents/${agents.published}`,
			`agents/${agents.published}/flow`,
		]);
	});
});
