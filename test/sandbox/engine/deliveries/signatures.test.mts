import { createHmac } from 'node:crypto';

import { startClient } from '../../client.mts';
import { webhookOn } from '../../objects.mts';
import { skipRealTime } from '../../realTime.mts';
import { useReceiver, useService } from '../../use.mts';

const SECRET = 'ключ-secret';
const hmac = (content: string) => createHmac('sha256', SECRET).update(content);
const receiver = useReceiver();

describe('a signature', () => {
	it('with t,v1 covers the real time and is new for each attempt', async () => {
		const service = await startClient({ signatureFormat: 't,v1' });
		const started = Math.floor(Date.now() / 1000);
		// The sandbox's time is another one.
		await service.advance(100_000);
		receiver.answer(500);
		const id = service.seed.campaigns.active;
		const webhook = await webhookOn(service, id, receiver.url, { webhook_secret: SECRET, max_retries: 1 });
		await service.api('POST', `/campaigns/${id}/webhooks/${webhook}/test`);
		await service.advance(0);
		skipRealTime(1100);
		await service.advance(1000);
		const [first = 0, second = 0, ...more] = receiver.received.map(({ raw, headers }) => {
			const [, time = '', mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-webhook-signature'])) ?? [];
			expect(mac).toBe(hmac(`${time}.${raw}`).digest('hex'));
			return Number(time);
		});
		expect([first >= started, second > first, second <= Date.now() / 1000 + 1.1, more]).toEqual([true, true, true, []]);
		await service.close();
	});
});

describe('/_sandbox/deliver', () => {
	const service = useService();
	const hook = (settings: object) => webhookOn(service, service.seed.campaigns.active, receiver.url, settings);
	const deliver = (webhookId: string, more: object) =>
		service.control('deliver', { webhookId, event: 'campaign.paused', ...more });

	it('sends the same body and id several times at once and answers with every status', async () => {
		receiver.answer(202);
		const webhook = await hook({ events: ['campaign.paused'], enabled: false });
		const data = { to: '+1', extra: [1] };
		const answer = await deliver(webhook, { event: 'some.new_kind', data, times: 3 });
		expect(answer).toMatchObject({ attempts: [1, 2, 3].map((attempt) => ({ attempt, status: 202 })) });
		expect([receiver.received.length, new Set(receiver.received.map(({ raw }) => raw)).size]).toEqual([3, 1]);
		expect(receiver.received[0]!.body).toMatchObject({ id: answer.id, event: 'some.new_kind', ...data, context: {} });
	});

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
