import { byId, type Service, startService } from '../../service.mts';
import { runMixed, sent } from './mixedItems.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const three = [{ n: 1 }, { n: 2 }, { n: 3 }];

describe('Campaign', () => {
	test('Get reads the campaign of each item', async () => {
		const { active, draft, paused } = service.seed.campaigns;
		const ids = [active, draft, paused];
		const parameters = { resource: 'campaign', operation: 'get', campaign: byId('={{ $json.id }}') };
		const { outputs } = await service.run(
			parameters,
			ids.map((id) => ({ id })),
		);
		expect(outputs[0]).toMatchObject(ids.map((id, item) => ({ json: { id }, pairedItem: { item } })));
		expect(outputs[0]?.[0]?.json).toMatchObject({ status: 'active', stats: { total_calls: 0 } });
		expect(Object.keys(outputs[0]?.[0]?.json ?? {})).toHaveLength(10);
		expect(await service.requests('GET', '/campaigns/')).toMatchObject(
			ids.map((id) => ({ path: `/api/v1/campaigns/${id}`, query: {} })),
		);
	});

	test('Get returns all fields, including calls and files, without Simplify', async () => {
		const parameters = {
			resource: 'campaign',
			operation: 'get',
			campaign: byId(service.seed.campaigns.active),
			output: 'raw',
		};
		const { body } = await service.api('GET', `campaigns/${service.seed.campaigns.active}`);
		expect((await service.run(parameters)).outputs[0]).toEqual([{ json: body.data, pairedItem: { item: 0 } }]);
		expect(body.data).toMatchObject({ calls: [], files: [] });
	});

	test('Set Status changes the status, and returns the campaign unchanged if it already has that status', async () => {
		const { active, draft, paused } = service.seed.campaigns;
		const items = [active, paused, draft].map((id, index) => ({ id, status: ['paused', 'paused', 'active'][index] }));
		const parameters = {
			resource: 'campaign',
			operation: 'setStatus',
			campaign: byId('={{ $json.id }}'),
			status: '={{ $json.status }}',
		};
		const { outputs } = await service.run(parameters, items);
		expect(outputs[0]).toMatchObject(
			items.map(({ id, status }, item) => ({ json: { id, status, changed: item !== 1 }, pairedItem: { item } })),
		);
		expect((await service.requests('PATCH')).map(({ path, body }) => [path, body])).toEqualInAnyOrder(
			items.map(({ id, status }) => [`/api/v1/campaigns/${id}/status`, { status }]),
		);
	});

	test.each([
		['cancelled', 'active', 'create a new one'],
		['completed', 'paused', 'create a new one'],
		['draft', 'completed', 'From draft it can become active or cancelled.'],
		['draft', 'paused', 'From draft it can become active or cancelled.'],
	] as const)(
		'Set Status says which changes are possible if a campaign that is %s cannot become %s',
		async (from, to, advice) => {
			const parameters = {
				resource: 'campaign',
				operation: 'setStatus',
				campaign: byId(service.seed.campaigns[from]),
				status: to,
			};
			const stopped = await service.run(parameters, three);
			expect(stopped.run.error).toMatchObject({
				message: `The campaign is ${from} and cannot become ${to} [item 0]`,
				description: expect.stringContaining(advice),
			});
			const { outputs } = await service.run(parameters, three, { node: { onError: 'continueRegularOutput' } });
			expect(outputs[0]?.map(({ json }) => json)).toMatchObject(
				three.map(() => ({ code: 'INVALID_TRANSITION', httpStatus: 400 })),
			);
		},
	);

	test('Set Status shows the message of the service if it rejects a valid transition', async () => {
		const body = { success: false, message: 'The agent is not published.' };
		const parameters = {
			resource: 'campaign',
			operation: 'setStatus',
			campaign: byId(service.seed.campaigns.draft),
			status: 'active',
		};
		await service.fault({ match: { method: 'PATCH' }, kind: 'status', status: 400, body });
		expect((await service.run(parameters)).run.error?.message).toContain('The agent is not published.');
	});

	test('Set Status also handles 409, and shows the original error if the campaign cannot be read', async () => {
		const body = { success: false, code: 'INVALID_STATUS_TRANSITION', message: 'No such move.' };
		const parameters = {
			resource: 'campaign',
			operation: 'setStatus',
			campaign: byId(service.seed.campaigns.draft),
			status: 'paused',
		};
		await service.fault({ match: { method: 'PATCH' }, kind: 'status', status: 409, body, times: 2 });
		expect((await service.run(parameters)).run.error?.message).toContain('cannot become paused');
		await service.fault({ match: { method: 'GET' }, kind: 'status', status: 500 });
		expect((await service.run(parameters)).run.error?.message).toContain('No such move.');
	});

	test('Get Many returns all matching campaigns for each input item', async () => {
		const agent = service.seed.agents.published;
		const filters = {
			status: '={{ $json.status }}',
			campaignType: 'sales',
			search: 'Berlin',
			agent: byId(agent),
			dateFrom: '2020-01-01',
			dateTo: '2199-12-31',
		};
		const parameters = { resource: 'campaign', operation: 'getAll', returnAll: true, output: 'raw', filters };
		const statuses = ['active', 'draft', 'paused'];
		const { outputs } = await service.run(
			parameters,
			statuses.map((status) => ({ status })),
		);
		const requests = await service.requests('GET', '/campaigns');
		const query = {
			agent_id: agent,
			campaign_type: 'sales',
			date_from: '2020-01-01',
			date_to: '2199-12-31',
			search: 'Berlin',
			page: '1',
			per_page: '100',
		};
		expect(requests.map((request) => request.query)).toEqualInAnyOrder(
			statuses.map((status) => ({ ...query, status })),
		);
		for (const [item, status] of statuses.entries()) {
			const { body } = await service.api(
				'GET',
				`campaigns?status=${status}&campaign_type=sales&search=Berlin&per_page=100`,
			);
			const own = outputs[0]?.filter(({ pairedItem }) => (pairedItem as { item: number }).item === item);
			expect(own?.map(({ json }) => json)).toEqual(body.data);
		}
		expect(outputs[0]?.map(({ json }) => json.id)).toContain(service.seed.campaigns.active);
	});

	test('Get Many returns ten fields of each campaign', async () => {
		const { outputs } = await service.run({ resource: 'campaign', operation: 'getAll', limit: 3 });
		expect(outputs[0]?.map(({ json }) => Object.keys(json).length)).toEqual([10, 10, 10]);
	});

	const required = (more = {}) => ({
		resource: 'campaign',
		operation: 'create',
		name: '={{ $json.name }}',
		campaignType: 'reminder',
		agent: byId('={{ $json.agent }}'),
		startDate: '={{ $json.from }}',
		daysOfWeek: [1, 3, 5],
		callTimeRanges: {
			values: [
				{ start: '9:00', end: '12:30' },
				{ start: '14:00', end: '23:59' },
			],
		},
		timezone: 'Europe/Berlin',
		...more,
	});
	const plan = (name: string) => ({
		name,
		agent: service.seed.agents.published,
		from: '2030-04-01T00:00:00.000+02:00',
	});
	const sentPlan = ({ name, agent }: { name: string; agent: string }) => ({
		name,
		campaign_type: 'reminder',
		agent_id: agent,
		start_date: '2030-04-01',
		days_of_week: [1, 3, 5],
		call_time_ranges: [
			{ start: '09:00', end: '12:30' },
			{ start: '14:00', end: '23:59' },
		],
		timezone: 'Europe/Berlin',
	});

	test('Create makes a draft for each item, and sends only the settings that the user chose', async () => {
		const good = [plan('Spring'), plan('Summer')];
		const refused = { ...plan('Autumn'), agent: NOWHERE };
		const { good: created, requests } = await runMixed(service, required(), {
			good,
			refused,
			wrong: { ...plan('Winter'), from: 'soon' },
			code: 'VALIDATION_ERROR',
		});
		expect(sent(requests)).toEqualInAnyOrder(
			[good[0], refused, good[1]].map((item) => ['POST', 'campaigns', sentPlan(item as typeof refused)]),
		);
		expect(created).toMatchObject(good.map((item) => [{ id: expect.any(String), status: 'draft', ...sentPlan(item) }]));
	});

	test.each([
		['UTC', 0],
		['Pacific/Kiritimati', 14],
		['Pacific/Pago_Pago', -11],
	])('Create needs a name, an agent and a time zone only: in %s it starts today, there', async (timezone, offset) => {
		const today = () => new Date(Date.now() + offset * 3_600_000).toISOString().slice(0, 10);
		const days = [today()];
		const names = ['Spring', 'Summer', 'Autumn'];
		const parameters = {
			resource: 'campaign',
			operation: 'create',
			name: '={{ $json.name }}',
			agent: byId(service.seed.agents.published),
			timezone,
		};
		const { run, outputs } = await service.run(
			parameters,
			names.map((name) => ({ name })),
			{ timezone: 'Asia/Tokyo' },
		);
		expect(run.status).toBe('success');
		// Midnight may pass meanwhile.
		days.push(today());
		expect(outputs[0]).toMatchObject(
			names.map((name, item) => ({ json: { name, status: 'draft', timezone }, pairedItem: { item } })),
		);
		for (const { body } of await service.requests('POST')) {
			expect(body).toEqual({
				name: expect.any(String),
				agent_id: service.seed.agents.published,
				campaign_type: 'sales',
				start_date: expect.stringMatching(new RegExp(`^(${days.join('|')})$`)),
				days_of_week: [1, 2, 3, 4, 5],
				call_time_ranges: [{ start: '09:00', end: '17:00' }],
				timezone,
			});
		}
	});

	const everyRule = {
		description: 'To be called',
		endDate: '2030-06-30',
		firstCallDelay: 60,
		maxRetries: 10,
		autoComplete: true,
		retryOnNoConversion: true,
		retryCooldown: 1,
		busyCooldown: 2,
		failedCooldown: 3,
		noAnswerCooldown: 4,
		successCooldown: 5,
		voicemailCooldown: 6,
		restAfterCompletion: false,
		restAfterCompletionHours: 168,
		doNotCall: true,
		doNotCallList: 'custom',
		doNotCallNumbers: '+1 (202) 555-0111, 0012025550122\n+12025550133',
		addToDoNotCall: true,
		addAfterStatuses: ['completed', 'voicemail'],
		addAfterErrors: ['invalid_number'],
	};
	const sentRules = {
		description: 'To be called',
		end_date: '2030-06-30',
		initial_call_delay: 60,
		max_retries: 10,
		auto_complete: true,
		retry_on_no_conversion: true,
		retry_cooldown_hours: 1,
		busy_cooldown_hours: 2,
		failed_cooldown_hours: 3,
		no_answer_cooldown_hours: 4,
		success_cooldown_hours: 5,
		voicemail_cooldown_hours: 6,
		enable_post_completion_cooldown: false,
		post_completion_cooldown_hours: 168,
		do_not_call_enabled: true,
		do_not_call_list_source: 'custom',
		do_not_call_custom_list: ['+12025550111', '+12025550122', '+12025550133'],
		auto_add_to_dnc_enabled: true,
		auto_dnc_trigger_statuses: ['completed', 'voicemail'],
		auto_dnc_trigger_errors: ['invalid_number'],
	};

	test('Create sends all settings of a campaign', async () => {
		const { run } = await service.run(required({ options: everyRule }), [plan('All')]);
		expect(run.status).toBe('success');
		expect((await service.requests('POST')).map(({ body }) => body)).toEqual([
			{ ...sentPlan(plan('All')), ...sentRules },
		]);
	});

	test.each([
		[
			'a range that ends before it starts',
			{ callTimeRanges: { values: [{ start: '12:00', end: '09:00' }] } },
			'Range 1 must end after it starts',
		],
		['no range', { callTimeRanges: {} }, 'Add at least one range'],
		[
			'an invalid time of day',
			{ callTimeRanges: { values: [{ start: '12 am', end: '13:00' }] } },
			'Range 1, Start: "12 am" must look like 09:00',
		],
		['an end before the start', { options: { endDate: '2030-04-01' } }, 'later end date'],
		['no day', { daysOfWeek: '={{ [] }}' }, 'Choose at least one day'],
		['a time zone that is an offset', { timezone: '+02:00' }, 'Europe/Berlin'],
		[
			'an invalid number',
			{ options: { doNotCallList: 'custom', doNotCallNumbers: '+12025550111, 555' } },
			'country code',
		],
		[
			'numbers for a list that is not used',
			{ options: { doNotCallNumbers: '+12025550111' } },
			"'Do Not Call List' to Custom",
		],
		[
			'numbers for another list',
			{ options: { doNotCallList: 'environment', doNotCallNumbers: '+12025550111' } },
			"'Do Not Call List' to Custom",
		],
		['a cooldown of more than a week', { options: { busyCooldown: 169 } }, '168'],
		['an agent without ID', { agent: byId('Ada') }, 'complete ID'],
	])('Create with %s fails without a request', async (_what, more, advice) => {
		const { run } = await service.run(required(more), [plan('Wrong')]);
		const { message, description } = run.error as Error & { description?: string };
		expect(`${message} ${description}`).toContain(advice);
		expect(await service.requests()).toEqual([]);
	});

	test('Create reports that the plan allows no more campaigns', async () => {
		const body = { success: false, code: 'CAMPAIGN_LIMIT_REACHED', message: 'The limit is reached.' };
		await service.fault({ match: { method: 'POST' }, kind: 'status', status: 403, body });
		const { run } = await service.run(required(), [plan('One more')]);
		expect(run.error).toMatchObject({
			message: expect.not.stringContaining('token'),
			description: expect.stringContaining('larger plan'),
		});
	});

	test.each([
		['numbers for a list that may not be used', { doNotCallNumbers: '+12025550111' }, "'Do Not Call List' to Custom"],
		['an empty do-not-call list, which may be a mistake', { doNotCallNumbers: '' }, '{{ [] }}'],
	])('Update with %s fails without a request', async (_what, updateFields, advice) => {
		const campaign = byId(service.seed.campaigns.draft);
		const { run } = await service.run({ resource: 'campaign', operation: 'update', campaign, updateFields });
		expect(run.error).toMatchObject({ description: expect.stringContaining(advice) });
		expect(await service.requests()).toEqual([]);
	});

	test('Update empties the do-not-call list with an empty list', async () => {
		const campaign = byId(service.seed.campaigns.draft);
		const updateFields = { doNotCallList: 'custom', doNotCallNumbers: '={{ [] }}' };
		const { run } = await service.run({ resource: 'campaign', operation: 'update', campaign, updateFields });
		expect(run.status).toBe('success');
		const [put] = await service.requests('PUT');
		expect(put?.body).toEqual({ do_not_call_list_source: 'custom', do_not_call_custom_list: [] });
	});

	test('Update changes only what was added', async () => {
		const { draft, paused } = service.seed.campaigns;
		const parameters = {
			resource: 'campaign',
			operation: 'update',
			campaign: byId('={{ $json.id }}'),
			updateFields: { name: '={{ $json.name }}', endDate: '={{ $json.to }}' },
		};
		const good = [
			{ id: draft, name: 'New', to: '2199-12-31' },
			{ id: paused, name: 'Newer', to: '2198-12-31' },
		];
		const refused = { id: NOWHERE, name: 'Nowhere', to: '2199-12-31' };
		const { good: updated, requests } = await runMixed(service, parameters, {
			good,
			refused,
			wrong: { id: draft, name: '', to: '2199-12-31' },
			code: 'CAMPAIGN_NOT_FOUND',
		});
		expect(sent(requests)).toEqualInAnyOrder(
			[good[0], refused, good[1]].map((item) => [
				'PUT',
				`campaigns/${item?.id}`,
				{ name: item?.name, end_date: item?.to },
			]),
		);
		expect(updated).toMatchObject([
			[{ id: draft, name: 'New', end_date: '2199-12-31' }],
			[{ id: paused, name: 'Newer', end_date: '2198-12-31' }],
		]);
		const cleared = await service.run({ ...parameters, campaign: byId(paused), updateFields: { endDate: '' } });
		expect(cleared.outputs[0]).toMatchObject([{ json: { id: paused, end_date: null } }]);
	});

	test('Update sends all settings of a campaign', async () => {
		const { resource: _resource, operation: _operation, ...fields } = required();
		const parameters = {
			resource: 'campaign',
			operation: 'update',
			campaign: byId(service.seed.campaigns.draft),
			updateFields: { ...fields, ...everyRule },
		};
		const { run } = await service.run(parameters, [plan('All')]);
		expect(run.status).toBe('success');
		expect((await service.requests('PUT')).map(({ body }) => body)).toEqual([
			{ ...sentPlan(plan('All')), ...sentRules },
		]);
	});

	test('Update gives advice if the schedule cannot change while calls are queued', async () => {
		const { active } = service.seed.campaigns;
		await service.api('PUT', `campaigns/${active}`, { initial_call_delay: 3600 });
		await service.api('POST', `campaigns/${active}/call`, { to: '+12025550111', is_testing: true });
		const { run } = await service.run({
			resource: 'campaign',
			operation: 'update',
			campaign: byId(active),
			updateFields: { daysOfWeek: [7] },
		});
		expect(run.error).toMatchObject({ description: expect.stringContaining('Pause the campaign') });
	});

	test('Delete removes the campaign of each item, and gives advice on an active one', async () => {
		const { draft, cancelled, active } = service.seed.campaigns;
		const parameters = { resource: 'campaign', operation: 'delete', campaign: byId('={{ $json.id }}') };
		const { good, requests, refusal } = await runMixed(service, parameters, {
			good: [{ id: draft }, { id: cancelled }],
			refused: { id: active },
			wrong: { id: '' },
			code: 'FORBIDDEN',
		});
		expect(good).toEqual([[{ deleted: true }], [{ deleted: true }]]);
		expect(sent(requests)).toEqualInAnyOrder(
			[draft, active, cancelled].map((id) => ['DELETE', `campaigns/${id}`, null]),
		);
		expect(refusal.message).toContain('pause, complete or cancel it');
		expect((await service.api('GET', `campaigns/${draft}`)).status).toBe(404);
	});
});
