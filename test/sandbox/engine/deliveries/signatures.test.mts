import { webhookOn } from '../../objects.mts';
import { useReceiver, useService } from '../../use.mts';

const receiver = useReceiver();

describe('/_sandbox/deliver', () => {
	const service = useService();
	const hook = (settings: object) => webhookOn(service, service.seed.campaigns.active, receiver.url, settings);
	const deliver = (webhookId: string, more: object) =>
		service.control('deliver', { webhookId, event: 'campaign.paused', ...more });

	it('delivers later and with retries on demand, each copy until it is accepted', async () => {
		receiver.answer(503);
		const webhook = await hook({ max_retries: 2 });
		const wanted = { times: 3, retries: true, delaySeconds: 60 };
		expect((await deliver(webhook, wanted)).attempts).toEqual([]);
		await service.advance(59);
		expect(receiver.received).toHaveLength(0);
		await service.advance(1);
		expect(receiver.received).toHaveLength(3);
		receiver.answer(200);
		await service.advance(100_000);
		expect(receiver.received.map(({ headers }) => headers['x-webhook-attempt']).join()).toBe('1,1,1,2,2,2');
		expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
		expect((await deliver(webhook, { ...wanted, tamper: 'body' })).success).toBe(false);
		expect((await deliver(webhook, { tamper: 'luck' })).errors).toHaveProperty('tamper');
	});
});
