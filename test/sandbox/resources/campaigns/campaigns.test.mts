import { startClient } from '../../client.mts';
import { validCampaign, webhookOn } from '../../objects.mts';
import { useService } from '../../use.mts';

const service = useService();
const read = async (id: string) => (await service.api('GET', `/campaigns/${id}`)).data.data;
const set = (id: string, status: unknown) => service.api('PATCH', `/campaigns/${id}/status`, { status });

describe('campaigns', () => {
	it('are limited by the plan', async () => {
		const limited = await startClient({ maxCampaigns: 46 });
		const one = async () => (await limited.api('POST', '/campaigns', validCampaign(limited))).status;
		expect(await one()).toBe(403);
		await limited.api('DELETE', `/campaigns/${limited.seed.campaigns.draft}`);
		expect([await one(), await one()]).toEqual([201, 403]);
		await limited.close();
	});

	it('are deleted with their webhooks, unless they are active', async () => {
		expect((await service.api('DELETE', `/campaigns/${service.seed.campaigns.active}`)).status).toBe(403);
		const webhookId = await webhookOn(service, service.seed.campaigns.draft, 'http://127.0.0.1:1/', { enabled: false });
		await service.api('DELETE', `/campaigns/${service.seed.campaigns.draft}`);
		const gone = await service.control('deliver', { webhookId, event: 'campaign.updated' });
		expect(gone.message).toBe('Webhook not found.');
	});
});

describe('a campaign status', () => {
	const ALLOWED: Record<string, string[]> = {
		draft: ['active', 'cancelled'],
		active: ['paused', 'completed', 'cancelled'],
		paused: ['active', 'completed', 'cancelled'],
		completed: [],
		cancelled: [],
	};

	it.each(Object.entries(ALLOWED))(
		'%s leads to %j and nothing else, and only active takes calls',
		async (from, allowed) => {
			const id = service.seed.campaigns[from as 'draft'];
			const { data } = await service.api('POST', `/campaigns/${id}/call`, { to: '+12025550001' });
			expect([data.campaign?.status, data.message]).toEqual(
				from === 'active' ? ['active', undefined] : [undefined, expect.stringContaining(from)],
			);
			for (const to of Object.keys(ALLOWED)) {
				await service.control('reset', {});
				const answer = await set(id, to);
				expect([to, answer.status]).toEqual([to, allowed.includes(to) ? 200 : 400]);
				expect((await read(id)).status).toBe(allowed.includes(to) ? to : from);
			}
		},
	);
});
