import { asText, type SandboxClient, startClient } from '../../client.mts';
import { validCampaign } from '../../objects.mts';

describe('a campaign status', () => {
	let service: SandboxClient;
	beforeAll(async () => {
		service = await startClient();
	});
	afterAll(() => service.close());

	const STATUSES = ['draft', 'active', 'paused', 'completed', 'cancelled'] as const;
	const ALLOWED = [
		'draft>active',
		'draft>cancelled',
		'active>paused',
		'active>completed',
		'active>cancelled',
		'paused>active',
		'paused>completed',
		'paused>cancelled',
	];
	/** The transitions that lead from a new campaign to each status. */
	const WAY = {
		draft: [],
		active: ['active'],
		paused: ['active', 'paused'],
		completed: ['active', 'completed'],
		cancelled: ['cancelled'],
	};

	const set = (id: string, status: unknown) => service.api('PATCH', `/campaigns/${id}/status`, { status });

	it.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))(
		'moves from %s to %s as the table says',
		async (from, to) => {
			const id = asText((await service.api('POST', '/campaigns', validCampaign(service))).data.data.id);
			for (const status of WAY[from]) {
				await set(id, status);
			}
			const { status, data } = await set(id, to);
			if (ALLOWED.includes(`${from}>${to}`)) {
				expect([status, data]).toEqual([
					200,
					{ success: true, message: expect.any(String), data: { id, status: to, updated_at: expect.any(String) } },
				]);
			} else {
				expect(status).toBe(400);
				expect(data).toEqual({ success: false, message: `A campaign cannot move from ${from} to ${to}.` });
			}
			const now = (await service.api('GET', `/campaigns/${id}`)).data.data.status;
			expect(now).toBe(status === 200 ? to : from);
		},
	);

	it('refuses a value that does not exist, and a campaign that does not', async () => {
		const refused = await set(service.seed.campaigns.draft, 'running');
		expect([refused.status, Object.keys(refused.data.errors)]).toEqual([422, ['status']]);
		expect((await set('unknown', 'active')).status).toBe(404);
	});

	it.each(['draft', 'paused', 'completed', 'cancelled'] as const)('%s takes no calls', async (status) => {
		const id = service.seed.campaigns[status];
		const { status: code, data } = await service.api('POST', `/campaigns/${id}/call`, { to: '+12025550001' });
		expect([code, data]).toEqual([400, { success: false, message: expect.stringContaining(status) }]);
	});
});
