import { type SandboxClient, startClient } from '../../client.mts';
import { agentWebhookOn, webhookOn } from '../../objects.mts';
import { expectRefusals } from '../../refusals.mts';

describe('deleting an agent', () => {
	let service: SandboxClient;
	let draft: string;
	let published: string;
	beforeEach(async () => {
		service = await startClient();
		draft = `/agents/${service.seed.agents.draft}`;
		published = `/agents/${service.seed.agents.published}`;
	});
	afterEach(() => service.close());

	it('deletes its trainings, actions and calls', async () => {
		expect((await service.api('GET', '/calls')).data.pagination.total).toBe(30);
		await service.api('POST', `${published}/unpublish`);
		const { status, data } = await service.api('DELETE', published);
		expect([status, data]).toEqual([200, { success: true, message: expect.any(String) }]);
		for (const path of ['', '/actions', '/trainings', '/flow', '/calls']) {
			expect([path, (await service.api('GET', published + path)).status]).toEqual([path, 404]);
		}
		expect((await service.api('GET', '/agents')).data.meta.total).toBe(32);
		expect((await service.api('GET', '/calls')).data.pagination.total).toBe(20);
		expect((await service.api('GET', '/phone-numbers?search=0123')).data.data).toHaveLength(1);
		expect((await service.api('DELETE', published)).status).toBe(404);
	});

	it('deletes its webhooks, and keeps those of its campaigns', async () => {
		const own = await agentWebhookOn(service, service.seed.agents.published, 'http://127.0.0.1:1');
		const other = await webhookOn(service, service.seed.campaigns.active, 'http://127.0.0.1:1');
		await service.api('POST', `${published}/unpublish`);
		await service.api('DELETE', published);
		const deliver = (webhookId: string) => service.control('deliver', { webhookId, event: 'event_recording' });
		expect((await deliver(own)).message).toBe('Webhook not found.');
		expect(await deliver(other)).toMatchObject({ attempts: [{ attempt: 1 }] });
	});

	it('keeps its campaigns, whose calls fail from then on', async () => {
		await service.api('POST', `${published}/unpublish`);
		await service.api('DELETE', published);
		const path = `/campaigns/${service.seed.campaigns.active}`;
		await service.api('POST', `${path}/call`, { to: '+12025550001' });
		await service.advance(24 * 3600);
		const { data } = await service.api('GET', path);
		expect(data.data).toMatchObject({
			agent_id: service.seed.agents.published,
			agent: null,
			calls: [{ status: 'failed' }],
		});
	});

	it('is refused while it is published', async () => {
		const { status, data } = await service.api('DELETE', published);
		expect([status, data]).toEqual([409, { success: false, message: expect.stringContaining('published') }]);
		expect((await service.api('GET', published)).status).toBe(200);
	});

	it('is refused while it has active calls', async () => {
		await service.api('POST', `${published}/call`, { to: '+12025550001' });
		await service.api('POST', `${published}/unpublish`);
		const { status, data } = await service.api('DELETE', published);
		expect([status, data]).toEqual([409, { success: false, message: expect.stringContaining('active calls') }]);
		await service.advance(60);
		expect((await service.api('DELETE', published)).status).toBe(200);
	});

	it('needs a known agent and a token with permission', async () => {
		expect((await service.api('DELETE', '/agents/nobody')).data).toEqual({
			success: false,
			message: 'Agent not found.',
		});
		await expectRefusals(service, 'DELETE', draft);
		expect((await service.api('GET', draft)).status).toBe(200);
	});
});
