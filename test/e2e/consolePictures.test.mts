import { asList, asText, type SandboxClient, startClient } from '../sandbox/client.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../sandbox/webhookReceiver.mts';
import { ConsolePage } from './consolePage.mts';
import { keepPicture, takesPictures } from './pictures.mts';

let service: SandboxClient;
let receiver: WebhookReceiver;

beforeAll(async () => {
	service = await startClient({ seed: 7, startTime: Date.parse('2030-01-07T09:00:00Z'), speed: 0 });
	receiver = await startWebhookReceiver();
	const agentId = asText((await service.control('seed')).agents!.published);
	await service.api('POST', `/agents/${agentId}/webhooks`, {
		name: 'Appointments',
		webhook_url: receiver.url,
		events: ['event_phone_call_started', 'event_phone_call_ended'],
		webhook_secret: 'a-secret-of-some-length',
	});
	for (const to of ['+12025550001', '+12025550002', '+12025550003', '+12025550005']) {
		await service.api('POST', `/agents/${agentId}/call`, { to, payload: { first_name: 'Ada' } });
	}
	await service.advance(900);
	await service.control('mode', { calls: 'manual' });
	for (const to of ['+12025550171', '+12025550164', '+12025550118']) {
		await service.api('POST', `/agents/${agentId}/call`, { to, payload: { first_name: 'Grace' } });
	}
	await service.advance(4);
	const active = asList((await service.control('calls?active=true')).items);
	await service.control(`calls/${asText(active[0]!.id)}/act`, { action: 'answer' });
	await service.advance(5);
});

afterAll(async () => {
	receiver.close();
	await service.close();
});

test.each(['light', 'dark'] as const)('the README shows the phones with the %s theme', async (colorScheme) => {
	const shown = await ConsolePage.open(service.url, { colorScheme });
	try {
		expect(await shown.page.locator('.phone').first().waitFor()).toBeUndefined();
		expect(await shown.page.locator('.phone.ringing').count()).toBe(2);
		await shown.page.locator('.row').first().waitFor();
		const picture = await shown.page.screenshot({ animations: 'disabled' });
		expect(picture.length).toBeGreaterThan(10_000);
		if (takesPictures) {
			keepPicture(picture, `console-${colorScheme}`);
		}
	} finally {
		await shown.close();
	}
});
