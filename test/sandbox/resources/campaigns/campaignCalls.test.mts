import { asText, startClient } from '../../client.mts';
import { activeCampaign, callsOf, queue } from '../../objects.mts';
import { useService } from '../../use.mts';

const HOUR = 3600;
const to = '+12025550001';

describe('calls of a campaign', () => {
	const service = useService();
	const dials = async (number = to) =>
		(await service.api('GET', `/calls?search=${encodeURIComponent(number)}`)).data.pagination.total;
	const campaignOf = async (id: string) => (await service.api('GET', `/campaigns/${id}`)).data.data;
	const set = (id: string, status: string) => service.api('PATCH', `/campaigns/${id}/status`, { status });
	const statuses = async (id: string) => (await callsOf(service, id)).map(({ status }) => asText(status)).join();

	it('wait for the first delay, and while the campaign is paused; calls in progress end', async () => {
		const id = await activeCampaign(service, { initial_call_delay: 10 });
		expect(await queue(service, id, to)).toMatchObject({ status: 'scheduled' });
		await service.advance(8);
		expect(await dials()).toBe(0);
		await service.advance(4);
		await queue(service, id, '+12025550011');
		await set(id, 'paused');
		await service.advance(HOUR);
		expect(await statuses(id)).toBe('completed,scheduled');
		await set(id, 'active');
		await service.advance(60);
		expect(await statuses(id)).toBe('completed,completed');
	});

	it.each(['cancelled', 'completed'])('never start, nor are retried, once the campaign is %s', async (status) => {
		const id = await activeCampaign(service);
		await queue(service, id, '+12025550002');
		await service.advance(2);
		await service.api('PUT', `/campaigns/${id}`, { initial_call_delay: 10 });
		await queue(service, id, to);
		await set(id, status);
		await service.advance(200 * HOUR);
		expect([await dials(), await statuses(id)]).toEqual([0, 'failed,cancelled']);
	});

	it.each([
		['busy', '0002', { busy_cooldown_hours: 2, retry_cooldown_hours: 9 }, 2],
		['no-answer', '0003', { no_answer_cooldown_hours: 3, retry_cooldown_hours: 9 }, 3],
		['failed', '0004', { failed_cooldown_hours: 4, retry_cooldown_hours: 9 }, 4],
		['busy', '0002', { retry_cooldown_hours: 5 }, 5],
	])(
		'that end as %s (%s) with %j are retried after %i hours, max_retries times',
		async (_outcome, digits, cooldowns, hours) => {
			const number = `+1202555${digits}`;
			const id = await activeCampaign(service, { max_retries: 1, ...cooldowns });
			const never = await activeCampaign(service, { max_retries: 0, ...cooldowns });
			await queue(service, id, number);
			await queue(service, never, `+1202556${digits}`);
			await service.advance(60);
			expect((await callsOf(service, id))[0]).toMatchObject({ status: 'scheduled', retries: 1 });
			await service.advance(hours * HOUR - 90);
			expect(await dials(number)).toBe(1);
			await service.advance(90);
			expect(await dials(number)).toBe(2);
			await service.advance(20 * HOUR);
			expect((await callsOf(service, id))[0]).toMatchObject({ status: 'failed', retries: 1 });
			expect([await dials(number), await dials(`+1202556${digits}`)]).toEqual([2, 1]);
		},
	);

	const after = { enable_post_completion_cooldown: true };
	it.each([
		['a conversation', '0001', { success_cooldown_hours: 2 }, 2],
		['a voicemail', '0005', { voicemail_cooldown_hours: 3 }, 3],
		['any end', '0001', { success_cooldown_hours: 1, ...after, post_completion_cooldown_hours: 6 }, 6],
		['the longer of two', '0001', { success_cooldown_hours: 5, ...after, post_completion_cooldown_hours: 2 }, 5],
		['a failure', '0002', { busy_cooldown_hours: 1, max_retries: 0, ...after, post_completion_cooldown_hours: 5 }, 5],
	])('have a cooldown after %s (%s, %j) of %i hours for the number', async (_what, digits, settings, hours) => {
		const number = `+1202555${digits}`;
		const id = await activeCampaign(service, { enable_post_completion_cooldown: false, ...settings });
		await queue(service, id, number);
		await service.advance(60);
		expect(await queue(service, id, number)).toMatchObject({ status: 'scheduled' });
		await service.advance(hours * HOUR - 90);
		expect(await dials(number)).toBe(1);
		await service.advance(90);
		expect(await dials(number)).toBe(2);
	});

	it('count in the stats when they end, except test calls, and complete the campaign with auto_complete', async () => {
		const id = await activeCampaign(service, { max_retries: 0, auto_complete: true });
		const open = await activeCampaign(service, { max_retries: 0 });
		await service.advance(HOUR);
		expect((await campaignOf(id)).status).toBe('active');
		for (const number of [to, '+12025550002', '+12025550005']) {
			await queue(service, id, number);
		}
		await queue(service, id, '+12025560001', { is_testing: true });
		await queue(service, open, to);
		expect((await campaignOf(id)).stats).toMatchObject({ total_calls: 3, completed_calls: 0, success_rate: 0 });
		await service.advance(100);
		expect(await campaignOf(id)).toMatchObject({
			status: 'completed',
			stats: { total_calls: 3, completed_calls: 2, failed_calls: 1, success_rate: 66.67, average_duration: 23 },
		});
		expect((await campaignOf(open)).status).toBe('active');
	});

	it('fail while the agent is not published, and without credits, which test calls do not need', async () => {
		const poor = await startClient({ credits: 1 });
		const id = await activeCampaign(poor, { max_retries: 0 });
		await queue(poor, id, to, { is_testing: true });
		await queue(poor, id, '+12025553001');
		await queue(poor, id, '+12025554001');
		await poor.advance(60);
		expect((await callsOf(poor, id)).map(({ status }) => status)).toEqual(['completed', 'completed', 'failed']);
		await poor.api('POST', `/agents/${poor.seed.agents.published}/unpublish`);
		await queue(poor, id, '+12025550011', { is_testing: true });
		await poor.advance(60);
		expect((await callsOf(poor, id)).at(-1)!.status).toBe('failed');
		await poor.close();
	});
});
