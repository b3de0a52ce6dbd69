import { asText, type SandboxClient, startClient } from '../../client.mts';
import { activeCampaign, queue, validCampaign, webhookOn } from '../../objects.mts';

describe('campaigns', () => {
	let service: SandboxClient;
	beforeAll(async () => {
		service = await startClient();
	});
	afterAll(() => service.close());

	const create = (changes: object = {}) => service.api('POST', '/campaigns', validCampaign(service, { ...changes }));

	it('are created as drafts, with the defaults for what is not sent', async () => {
		const { status, data } = await create({ name: 'Autumn' });
		expect(status).toBe(201);
		expect(data.data).toMatchObject({
			name: 'Autumn',
			status: 'draft',
			end_date: null,
			call_time_ranges: [{ start: '00:00', end: '23:59' }],
			max_retries: 3,
			retry_cooldown_hours: 24,
			do_not_call_enabled: false,
		});
		const read = (await service.api('GET', `/campaigns/${asText(data.data.id)}`)).data.data;
		expect(read).toMatchObject({
			earliest_call_time: '00:00:00',
			latest_call_time: '23:59:59',
			initial_call_delay: 0,
			enable_post_completion_cooldown: true,
			post_completion_cooldown_hours: 168,
			busy_cooldown_hours: 24,
			auto_dnc_trigger_statuses: ['completed', 'voicemail'],
			agent: { id: service.seed.agents.published, name: 'Amelia' },
			calls: [],
			files: [],
			stats: { total_calls: 0, completed_calls: 0, failed_calls: 0, success_rate: 0, average_duration: 0 },
		});
	});

	it.each<[string, unknown, string?]>([
		['name', undefined],
		['name', 'x'.repeat(256)],
		['name', ''],
		['campaign_type', 'marketing'],
		['agent_id', 'not-a-uuid'],
		['agent_id', '00000000-0000-4000-8000-000000000000'],
		['start_date', '01.02.2026'],
		['start_date', '2026-02-30'],
		['end_date', '2019-12-31'],
		['end_date', '2020-01-01'],
		['days_of_week', []],
		['days_of_week', [0], 'days_of_week.0'],
		['days_of_week', [1, 8], 'days_of_week.1'],
		['call_time_ranges', undefined],
		['call_time_ranges', []],
		['call_time_ranges', [{ start: '09:00', end: '09:00' }], 'call_time_ranges.0.end'],
		['call_time_ranges', [{ start: '9:00', end: '10:00' }], 'call_time_ranges.0.start'],
		['call_time_ranges', [{ start: '09:00', end: '10:60' }], 'call_time_ranges.0.end'],
		['timezone', 'Mars/Olympus'],
		['timezone', '+02:00'],
		['timezone', undefined],
		['initial_call_delay', -1],
		['max_retries', 11],
		['max_retries', -1],
		['retry_cooldown_hours', 0],
		['post_completion_cooldown_hours', 169],
		['success_cooldown_hours', 0],
		['voicemail_cooldown_hours', 169],
		['no_answer_cooldown_hours', 0],
		['busy_cooldown_hours', 1.5],
		['failed_cooldown_hours', '24'],
		['retry_cooldown_hours', null],
		['do_not_call_list_source', 'nobody'],
		['do_not_call_custom_list', ['0202'], 'do_not_call_custom_list.0'],
		['auto_complete', 'yes'],
	])('are refused with %s %j', async (field, value, key = field) => {
		const { status, data } = await create({ [field]: value });
		expect([status, data.success, Object.keys(data.errors)]).toEqual([422, false, [key]]);
	});

	it('take the older pair of times instead of time ranges', async () => {
		const times = { call_time_ranges: undefined, earliest_call_time: '09:00:00', latest_call_time: '17:30:00' };
		expect((await create(times)).data.data.call_time_ranges).toEqual([{ start: '09:00', end: '17:30' }]);
		const refused = await create({ ...times, latest_call_time: '08:00' });
		expect([refused.status, Object.keys(refused.data.errors)]).toEqual([422, ['latest_call_time']]);
	});

	it('are listed in pages, without calls and files, and with stats but no average', async () => {
		const other = await startClient();
		const { data } = await other.api('GET', '/campaigns?per_page=10&page=5');
		expect(data.pagination).toEqual({ current_page: 5, last_page: 5, per_page: 10, total: 46, from: 41, to: 46 });
		expect(data.data[0]).not.toHaveProperty('calls');
		expect(data.data[0]!.stats).not.toHaveProperty('average_duration');
		await other.close();
	});

	it('are found by status, type, agent, day and words of name or description', async () => {
		const other = await startClient();
		const total = async (query: string) => (await other.api('GET', `/campaigns?${query}`)).data.pagination.total;
		expect(await total('status=paused')).toBe(9);
		expect(await total('campaign_type=reminder')).toBe(12);
		expect(await total(`agent_id=${other.seed.agents.published}`)).toBe(45);
		expect(await total('search=lisbon')).toBe(5);
		expect(await total('search=our%20customers')).toBe(46);
		expect(await total('date_to=2020-01-01')).toBe(0);
		expect((await other.api('GET', '/campaigns?status=running')).data.errors).toHaveProperty('status');
		await other.close();
	});

	it('change only in the fields that an update sends', async () => {
		const id = asText((await create({ end_date: '2099-01-01', description: 'First' })).data.data.id);
		const { status, data } = await service.api('PUT', `/campaigns/${id}`, { end_date: null, max_retries: 0 });
		expect(status).toBe(200);
		expect(data.data).toMatchObject({ description: 'First', end_date: null, max_retries: 0, timezone: 'UTC' });
		expect(data.data).not.toHaveProperty('created_at');
		expect((await service.api('PUT', `/campaigns/${id}`, { max_retries: 99 })).status).toBe(422);
		expect((await service.api('PUT', '/campaigns/unknown', {})).status).toBe(404);
	});

	it('keep their time ranges if an update sends back the times that were read', async () => {
		const ranges = [
			{ start: '09:00', end: '12:00' },
			{ start: '14:00', end: '24:00' },
		];
		const id = asText((await create({ call_time_ranges: ranges })).data.data.id);
		const { earliest_call_time, latest_call_time } = (await service.api('GET', `/campaigns/${id}`)).data.data;
		expect([earliest_call_time, latest_call_time]).toEqual(['09:00:00', '23:59:59']);
		const update = async (body: object) =>
			(await service.api('PUT', `/campaigns/${id}`, body)).data.data.call_time_ranges;
		expect(await update({ earliest_call_time, latest_call_time })).toEqual(ranges);
		expect(await update({ earliest_call_time: '10:00' })).toEqual([{ start: '10:00', end: '24:00' }]);
		expect(await update({ latest_call_time: '18:00:00' })).toEqual([{ start: '10:00', end: '18:00' }]);
	});

	it('lose their description, end date and own cooldown by null', async () => {
		const own = { retry_cooldown_hours: 5, success_cooldown_hours: 7, busy_cooldown_hours: 9 };
		const id = asText((await create({ ...own, description: 'First', end_date: '2099-01-01' })).data.data.id);
		const read = async () => (await service.api('GET', `/campaigns/${id}`)).data.data;
		expect(await read()).toMatchObject({ ...own, description: 'First' });
		const nothing = { description: null, end_date: null, success_cooldown_hours: null, busy_cooldown_hours: null };
		const { status, data } = await service.api('PUT', `/campaigns/${id}`, nothing);
		expect([status, data.data]).toMatchObject([200, { description: null, end_date: null }]);
		expect(await read()).toMatchObject({ success_cooldown_hours: 24, busy_cooldown_hours: 5 });
	});

	it('can be changed without their agent once it is deleted', async () => {
		const other = await startClient();
		const agent = other.seed.agents.draft;
		const id = asText((await other.api('POST', '/campaigns', validCampaign(other, { agent_id: agent }))).data.data.id);
		expect((await other.api('DELETE', `/agents/${agent}`)).status).toBe(200);
		expect((await other.api('PUT', `/campaigns/${id}`, { name: 'Renamed' })).status).toBe(200);
		const { status, data } = await other.api('PUT', `/campaigns/${id}`, { agent_id: agent });
		expect([status, Object.keys(data.errors)]).toEqual([422, ['agent_id']]);
		await other.close();
	});

	it('keep their schedule while calls are queued, until they are paused', async () => {
		const id = await activeCampaign(service, { initial_call_delay: 3600 });
		await queue(service, id, '+12025550001');
		const change = () => service.api('PUT', `/campaigns/${id}`, { timezone: 'Europe/Berlin' });
		const refused = await change();
		expect([refused.status, refused.data]).toMatchObject([409, { success: false, code: 'CAMPAIGN_HAS_ACTIVE_CALLS' }]);
		expect((await service.api('PUT', `/campaigns/${id}`, { name: 'Renamed', timezone: 'UTC' })).status).toBe(200);
		await service.api('PATCH', `/campaigns/${id}/status`, { status: 'paused' });
		expect((await change()).status).toBe(200);
	});

	it('are limited by the plan', async () => {
		const fresh = await startClient();
		const maxCampaigns = Number((await fresh.api('GET', '/campaigns')).data.pagination.total);
		await fresh.close();
		const limited = await startClient({ maxCampaigns });
		const create = () => limited.api('POST', '/campaigns', validCampaign(limited));
		const { status, data } = await create();
		const refusal = { success: false, message: expect.any(String), code: 'CAMPAIGN_LIMIT_REACHED' };
		expect([status, data]).toEqual([403, refusal]);
		await limited.api('DELETE', `/campaigns/${limited.seed.campaigns.draft}`);
		expect((await create()).status).toBe(201);
		expect((await create()).status).toBe(403);
		await limited.close();
	});

	it('can be deleted unless they are active or have calls in progress; their webhooks go with them', async () => {
		const id = await activeCampaign(service);
		const webhook = await webhookOn(service, id, 'http://127.0.0.1:1/', { enabled: false });
		const remove = () => service.api('DELETE', `/campaigns/${id}`);
		expect((await remove()).status).toBe(403);
		await queue(service, id, '+12025550001');
		await service.advance(2);
		await service.api('PATCH', `/campaigns/${id}/status`, { status: 'paused' });
		expect((await remove()).status).toBe(409);
		await service.advance(60);
		expect((await remove()).data).toEqual({ success: true, message: expect.any(String) });
		expect((await service.api('GET', `/campaigns/${id}`)).status).toBe(404);
		const gone = await service.control('deliver', { webhookId: webhook, event: 'campaign.updated' });
		expect(gone).toEqual({ success: false, message: 'Webhook not found.' });
	});
});
