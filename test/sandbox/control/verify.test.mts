import { createHmac } from 'node:crypto';

import type { SandboxOptions } from '../../../sandbox/options.mts';
import { asList, asText, type Json, type SandboxClient, startClient } from '../client.mts';
import { webhookOn } from '../objects.mts';
import { skipRealTime } from '../realTime.mts';
import { useReceiver } from '../use.mts';

let service: SandboxClient;
let webhook: string;
const receiver = useReceiver();
const start = async (options: Partial<SandboxOptions> = {}, settings: object = { webhook_secret: 'secret' }) => {
	service = await startClient({ speed: 0, ...options });
	webhook = await webhookOn(service, service.seed.campaigns.active, receiver.url, settings);
};
afterEach(() => service.close());

const deliver = (more: object = {}) =>
	service.control('deliver', { webhookId: webhook, event: 'campaign_call.completed', ...more });
const attempts = async (): Promise<string[]> =>
	asList((await service.control('deliveries?limit=100')).items)
		.map(({ id }) => asText(id))
		.reverse();

describe('whether a delivery would be accepted', () => {
	const verdicts = async (): Promise<Json[]> =>
		Promise.all((await attempts()).map((id) => service.control(`deliveries/${id}/verify`)));
	const failed = async () => (await verdicts()).map((verdict) => verdict.failed);

	it.each(['hex', 'sha256=hex', 'base64', 't,v1'] as const)(
		'is said step by step, with the signature format %s',
		async (signatureFormat) => {
			await start({ signatureFormat, signatureHeader: 'X-Mine' });
			await deliver();
			const [verdict] = await verdicts();
			expect(verdict).toMatchObject({ accepted: true, failed: null });
			const steps = asList(verdict!.steps).map(({ step, ok }) => (ok ? asText(step) : ''));
			expect(steps.join(' ')).toBe('sent body secret header format signature timestamp duplicate');
			// What was received is what was checked.
			const { headers, raw } = receiver.received[0]!;
			const value = String(headers['x-mine']);
			expect(asText(asList(verdict!.steps)[3]!.detail)).toBe(`X-Mine: ${value}`);
			const time = /^t=(\d+),/.exec(value)?.[1];
			const mac = createHmac('sha256', 'secret').update(time ? `${time}.${raw}` : raw);
			expect(value.endsWith(mac.digest(signatureFormat === 'base64' ? 'base64' : 'hex'))).toBe(true);
		},
	);

	it.each(['body', 'signature', 'secret'] as const)('is no if the %s was tampered with', async (tamper) => {
		await start({ signatureFormat: 't,v1' });
		await deliver({ tamper });
		expect(await verdicts()).toMatchObject([{ accepted: false, failed: 'signature' }]);
	});

	it('is no for a signature that is too old, by the real time', async () => {
		await start({ signatureFormat: 't,v1' });
		await deliver();
		skipRealTime(298_000);
		expect(await verdicts()).toMatchObject([{ accepted: true }]);
		skipRealTime(4_000);
		expect(await verdicts()).toMatchObject([{ accepted: false, failed: 'timestamp' }]);
	});

	it('is no for a duplicate of what was accepted, but not for a retry of what failed, which is signed again', async () => {
		await start({ signatureFormat: 't,v1' });
		receiver.answer(500);
		await deliver({ retries: true });
		await service.advance(0);
		receiver.answer(200);
		skipRealTime(1000);
		await service.advance(10);
		expect(await failed()).toEqual([null, null]);
		expect(new Set(receiver.received.map(({ headers }) => headers['x-webhook-signature'])).size).toBe(2);
		const [first] = await attempts();
		await service.control(`deliveries/${first}/resend`, {});
		// Another event is no duplicate.
		await deliver();
		expect(await failed()).toEqual([null, null, 'duplicate', null]);
	});
});

describe('deliveries', () => {
	beforeEach(() => start());

	it('are shown byte for byte, with what came back', async () => {
		receiver.answer(418, { 'X-Mood': 'tea' });
		await deliver({ tamper: 'body' });
		const [listed] = asList((await service.control('deliveries?limit=1')).items);
		expect(listed).toMatchObject({ status: 'failed', http_status: 418, tampered: true });
		const details = await service.control(`deliveries/${asText(listed!.id)}`);
		expect(details.request).toMatchObject({ method: 'POST', url: receiver.url, body: receiver.received[0]!.raw });
		expect(details.response).toMatchObject({ status: 418, body: 'ok', headers: { 'x-mood': 'tea' } });
	});

	it('come later and with retries on demand, each copy until it is accepted', async () => {
		receiver.answer(503);
		const wanted = { times: 3, retries: true, delaySeconds: 60 };
		expect((await deliver(wanted)).attempts).toEqual([]);
		await service.advance(59);
		expect(receiver.received).toHaveLength(0);
		await service.advance(1);
		expect(receiver.received).toHaveLength(3);
		receiver.answer(200);
		await service.advance(100_000);
		expect(receiver.received.map(({ headers }) => headers['x-webhook-attempt']).join()).toBe('1,1,1,2,2,2');
		expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
		expect((await deliver({ ...wanted, tamper: 'body' })).success).toBe(false);
		expect((await deliver({ tamper: 'luck' })).errors).toHaveProperty('tamper');
	});

	it('are sent again as they were, several times or tampered with, unless their webhook is gone', async () => {
		await deliver();
		const [id] = await attempts();
		const resend = (body: object) => service.controlResponse('POST', `deliveries/${id}/resend`, body);
		expect(asList((await resend({ times: 3 })).data.attempts).map(({ attempt }) => attempt)).toEqual([2, 3, 4]);
		expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
		await resend({ tamper: 'body' });
		expect(receiver.received.at(-1)!.raw).not.toBe(receiver.received[0]!.raw);
		await resend({ delaySeconds: 5 });
		await service.advance(5);
		expect(receiver.received).toHaveLength(6);
		expect((await resend({ times: 0 })).status).toBe(422);
		await service.api('DELETE', `/campaigns/${service.seed.campaigns.active}/webhooks/${webhook}`);
		expect((await resend({})).status).toBe(409);
		expect((await service.controlResponse('POST', 'deliveries/none/resend', {})).status).toBe(404);
	});
});
