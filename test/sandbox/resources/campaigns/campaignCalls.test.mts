import { type SandboxClient, startClient } from '../../client.mts';
import { activeCampaign, callsOf, queue } from '../../objects.mts';

const HOUR = 3600;

describe('calls of a campaign', () => {
	let service: SandboxClient;
	beforeEach(async () => {
		service = await startClient();
	});
	afterEach(() => service.close());

	const dials = async (to: string) =>
		(await service.api('GET', `/calls?search=${encodeURIComponent(to)}`)).data.pagination.total;
	const stats = async (id: string) => (await service.api('GET', `/campaigns/${id}`)).data.data.stats;

	it('are queued with 201 and the two objects', async () => {
		const id = service.seed.campaigns.active;
		const { status, data } = await service.api('POST', `/campaigns/${id}/call`, { to: '+12025550001' });
		expect(status).toBe(201);
		expect(data).toEqual({
			campaign_call: {
				id: expect.any(String),
				campaign_id: id,
				to: '+12025550001',
				status: 'queued',
				scheduled_at: expect.stringMatching(/Z$/),
				created_at: expect.stringMatching(/Z$/),
			},
			campaign: { id, name: expect.any(String), status: 'active' },
		});
	});

	it.each([
		[{}, 'to'],
		[{ to: '12025550001' }, 'to'],
		[{ to: '+12025550001', context: 'text' }, 'context'],
		[{ to: '+12025550001', payload: [1] }, 'payload'],
		[{ to: '+12025550001', allow_duplicates: 'no' }, 'allow_duplicates'],
	])('are refused as %j with 422', async (body, field) => {
		const { status, data } = await service.api('POST', `/campaigns/${service.seed.campaigns.active}/call`, body);
		expect([status, data.success, Object.keys(data.errors)]).toEqual([422, false, [field]]);
	});

	it('to a number that is queued already answer 409 with that call, unless duplicates are allowed', async () => {
		const id = service.seed.campaigns.active;
		const first = await queue(service, id, '+12025550001');
		const again = () => service.api('POST', `/campaigns/${id}/call`, { to: '+12025550001' });
		const refused = await again();
		expect(refused.status).toBe(409);
		expect(refused.data).toEqual({
			success: false,
			message: expect.any(String),
			existing_call: {
				id: first.id,
				campaign_id: id,
				to: '+12025550001',
				status: expect.any(String),
				created_at: first.created_at,
			},
		});
		await service.advance(10);
		expect((await again()).data.existing_call.status).toBe('answered');
		await queue(service, id, '+12025550001', { allow_duplicates: true });
		await service.advance(60);
		expect((await again()).status).toBe(201);
	});

	it('wait for the first delay', async () => {
		const id = await activeCampaign(service, { initial_call_delay: 600 });
		expect(await queue(service, id, '+12025550001')).toMatchObject({ status: 'scheduled' });
		await service.advance(590);
		expect(await dials('+12025550001')).toBe(0);
		await service.advance(20);
		expect(await dials('+12025550001')).toBe(1);
	});

	it('do not start while the campaign is paused and continue when it is resumed; calls in progress end', async () => {
		const id = await activeCampaign(service, { initial_call_delay: 10 });
		await queue(service, id, '+12025550001');
		await service.advance(12);
		await queue(service, id, '+12025550011');
		await service.api('PATCH', `/campaigns/${id}/status`, { status: 'paused' });
		await service.advance(HOUR);
		expect((await callsOf(service, id)).map(({ status }) => status)).toEqual(['completed', 'scheduled']);
		await service.api('PATCH', `/campaigns/${id}/status`, { status: 'active' });
		await service.advance(60);
		expect((await callsOf(service, id)).map(({ status }) => status)).toEqual(['completed', 'completed']);
	});

	it.each(['cancelled', 'completed'])('never start once the campaign is %s', async (status) => {
		const id = await activeCampaign(service, { initial_call_delay: 10 });
		await queue(service, id, '+12025550001');
		await service.api('PATCH', `/campaigns/${id}/status`, { status });
		await service.advance(HOUR);
		expect(await dials('+12025550001')).toBe(0);
		expect((await callsOf(service, id))[0]!.status).toBe('cancelled');
	});

	it('in progress when the campaign is cancelled end, but are not retried', async () => {
		const id = await activeCampaign(service);
		await queue(service, id, '+12025550002');
		await service.advance(2);
		await service.api('PATCH', `/campaigns/${id}/status`, { status: 'cancelled' });
		await service.advance(200 * HOUR);
		expect((await callsOf(service, id))[0]).toMatchObject({ status: 'failed', retries: 0 });
	});

	it.each([
		['busy', '0002', { busy_cooldown_hours: 2, retry_cooldown_hours: 9 }, 2],
		['no-answer', '0003', { no_answer_cooldown_hours: 3, retry_cooldown_hours: 9 }, 3],
		['failed', '0004', { failed_cooldown_hours: 4, retry_cooldown_hours: 9 }, 4],
		['busy', '0002', { retry_cooldown_hours: 5 }, 5],
	])('that end as %s (%s) with %j are retried after %i hours', async (_outcome, digits, cooldowns, hours) => {
		const to = `+1202555${digits}`;
		const id = await activeCampaign(service, { max_retries: 1, ...cooldowns });
		await queue(service, id, to);
		await service.advance(60);
		expect((await callsOf(service, id))[0]).toMatchObject({ status: 'scheduled', retries: 1 });
		await service.advance(hours * HOUR - 90);
		expect(await dials(to)).toBe(1);
		await service.advance(90);
		expect(await dials(to)).toBe(2);
		await service.advance(400 * HOUR);
		expect((await callsOf(service, id))[0]).toMatchObject({ status: 'failed', retries: 1 });
		expect(await dials(to)).toBe(2);
	});

	it('are retried max_retries times, never with 0', async () => {
		const id = await activeCampaign(service, { max_retries: 3, retry_cooldown_hours: 1 });
		const never = await activeCampaign(service, { max_retries: 0 });
		await queue(service, id, '+12025550002');
		await queue(service, never, '+12025560002');
		await service.advance(24 * HOUR);
		expect((await callsOf(service, id))[0]).toMatchObject({ status: 'failed', retries: 3 });
		expect(await dials('+12025550002')).toBe(4);
		expect(await dials('+12025560002')).toBe(1);
	});

	it.each([
		['a conversation', '0001', { success_cooldown_hours: 2 }, 2],
		['a voicemail', '0005', { voicemail_cooldown_hours: 3 }, 3],
		[
			'any end',
			'0001',
			{ success_cooldown_hours: 1, enable_post_completion_cooldown: true, post_completion_cooldown_hours: 6 },
			6,
		],
		[
			'a final failure',
			'0002',
			{
				busy_cooldown_hours: 1,
				max_retries: 0,
				enable_post_completion_cooldown: true,
				post_completion_cooldown_hours: 5,
			},
			5,
		],
	])('have a cooldown after %s (%s, %j) of %i hours for the number', async (_what, digits, settings, hours) => {
		const to = `+1202555${digits}`;
		const id = await activeCampaign(service, { enable_post_completion_cooldown: false, ...settings });
		await queue(service, id, to);
		await service.advance(60);
		expect(await queue(service, id, to)).toMatchObject({ status: 'scheduled' });
		await service.advance(hours * HOUR - 90);
		expect(await dials(to)).toBe(1);
		await service.advance(90);
		expect(await dials(to)).toBe(2);
	});

	it('to a number wait for the longer of two cooldowns', async () => {
		const cooldowns = { success_cooldown_hours: 5, post_completion_cooldown_hours: 2 };
		const id = await activeCampaign(service, { enable_post_completion_cooldown: true, ...cooldowns });
		await queue(service, id, '+12025550001');
		await service.advance(60);
		await queue(service, id, '+12025550001');
		await service.advance(5 * HOUR - 90);
		expect(await dials('+12025550001')).toBe(1);
		await service.advance(90);
		expect(await dials('+12025550001')).toBe(2);
	});

	it('to a number wait for its cooldown even if they were planned before', async () => {
		const cooldowns = { success_cooldown_hours: 1, enable_post_completion_cooldown: false };
		const id = await activeCampaign(service, { initial_call_delay: 100, ...cooldowns });
		await queue(service, id, '+12025550001');
		await service.advance(60);
		await queue(service, id, '+12025550001', { allow_duplicates: true });
		await service.advance(200);
		expect(await dials('+12025550001')).toBe(1);
		expect((await callsOf(service, id)).map(({ status }) => status)).toEqual(['completed', 'scheduled']);
		await service.advance(HOUR);
		expect(await dials('+12025550001')).toBe(2);
	});

	it('that were answered are retried only with retry_on_no_conversion', async () => {
		const settings = { max_retries: 1, success_cooldown_hours: 1, enable_post_completion_cooldown: false };
		const once = await activeCampaign(service, settings);
		const twice = await activeCampaign(service, { ...settings, retry_on_no_conversion: true });
		await queue(service, once, '+12025553001');
		await queue(service, twice, '+12025554001');
		await service.advance(5 * HOUR);
		expect(await dials('+12025553001')).toBe(1);
		expect(await dials('+12025554001')).toBe(2);
		expect((await callsOf(service, twice))[0]).toMatchObject({ status: 'completed', retries: 1 });
	});

	it('count in the stats when they end, except test calls', async () => {
		const id = await activeCampaign(service, { max_retries: 0 });
		for (const to of ['+12025550001', '+12025550002', '+12025550005']) {
			await queue(service, id, to);
		}
		await queue(service, id, '+12025560001', { is_testing: true });
		expect(await stats(id)).toMatchObject({ total_calls: 3, completed_calls: 0, failed_calls: 0, success_rate: 0 });
		await service.advance(60);
		expect(await stats(id)).toEqual({
			total_calls: 3,
			completed_calls: 2,
			failed_calls: 1,
			success_rate: 66.67,
			average_duration: 23,
		});
	});

	it('complete the campaign with auto_complete once all are over', async () => {
		const id = await activeCampaign(service, { auto_complete: true, max_retries: 0 });
		const open = await activeCampaign(service, { max_retries: 0 });
		const status = async (campaign: string) => (await service.api('GET', `/campaigns/${campaign}`)).data.data.status;
		await service.advance(HOUR);
		expect(await status(id)).toBe('active');
		for (const campaign of [id, open]) {
			await queue(service, campaign, '+12025550001');
		}
		await queue(service, id, '+12025550002');
		await service.advance(10);
		expect(await status(id)).toBe('active');
		await service.advance(60);
		expect([await status(id), await status(open)]).toEqual(['completed', 'active']);
	});

	it('fail while the agent is not published', async () => {
		const id = await activeCampaign(service, { max_retries: 0 });
		await service.api('POST', `/agents/${service.seed.agents.published}/unpublish`);
		await queue(service, id, '+12025550001');
		await service.advance(1);
		expect((await callsOf(service, id))[0]!.status).toBe('failed');
		expect(await dials('+12025550001')).toBe(0);
	});

	it('cost credits when they are dialed, except test calls', async () => {
		const poor = await startClient({ credits: 1 });
		const id = await activeCampaign(poor, { max_retries: 0 });
		await queue(poor, id, '+12025550001', { is_testing: true });
		await queue(poor, id, '+12025553001');
		await queue(poor, id, '+12025554001');
		await poor.advance(60);
		expect((await callsOf(poor, id)).map(({ status }) => status)).toEqual(['completed', 'completed', 'failed']);
		await poor.close();
	});
});
