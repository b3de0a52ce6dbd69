import { asList, asText, type SandboxClient, startClient } from '../../client.mts';
import { DOCUMENTED_AGENT_EVENTS } from '../../documentedEvents.mts';
import { agentWebhookOn } from '../../objects.mts';
import { shortenTimers } from '../../realTime.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../../webhookReceiver.mts';

describe('agent webhooks', () => {
	let service: SandboxClient;
	let receiver: WebhookReceiver;
	let agent: string;
	let path: string;
	beforeEach(async () => {
		service = await startClient();
		receiver = await startWebhookReceiver();
		agent = service.seed.agents.published;
		path = `/agents/${agent}/webhooks`;
	});
	afterEach(async () => {
		receiver.close();
		await service.close();
	});

	const sixDigits = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
	const statusOf = async (id: string) => (await service.api('GET', `${path}/${id}`)).data.data.status;
	const call = (to: string) => service.api('POST', `/agents/${agent}/call`, { to });

	it('show the same object when created, read, listed, changed and switched', async () => {
		const webhook_url = 'https://example.com/hook';
		const settings = { name: 'Hook', webhook_url, events: ['event_phone_call_ended', 'event_recording'] };
		const created = await service.api('POST', path, settings);
		const id = asText(created.data.data.id);
		const webhook = {
			id,
			agent_id: agent,
			...settings,
			timeout: 30,
			max_retries: 3,
			enabled: true,
			created_at: sixDigits,
			updated_at: sixDigits,
			events_count: 2,
			status: 'active',
		};
		expect([created.status, created.data]).toEqual([
			201,
			{ success: true, message: expect.any(String), data: webhook },
		]);
		expect((await service.api('GET', `${path}/${id}`)).data).toEqual({ success: true, data: webhook });

		const update = await service.api('PUT', `${path}/${id}`, { events: DOCUMENTED_AGENT_EVENTS, timeout: 5 });
		const changed = {
			...webhook,
			events: DOCUMENTED_AGENT_EVENTS,
			events_count: DOCUMENTED_AGENT_EVENTS.length,
			timeout: 5,
		};
		expect(update.data).toEqual({ success: true, message: expect.any(String), data: changed });
		expect((await service.api('GET', path)).data).toEqual({
			success: true,
			data: { webhooks: [changed], available_events: expect.any(Object) },
		});
		expect((await service.api('PATCH', `${path}/${id}/toggle`)).data).toEqual({
			success: true,
			message: expect.any(String),
			data: { ...changed, enabled: false, status: 'disabled' },
		});
	});

	it('are listed beside all kinds of events, each with a description', async () => {
		const { webhooks, available_events } = (await service.api('GET', path)).data.data as unknown as {
			webhooks: unknown[];
			available_events: Record<string, unknown>;
		};
		expect(webhooks).toEqual([]);
		expect(Object.keys(available_events)).toEqual(DOCUMENTED_AGENT_EVENTS);
		for (const description of Object.values(available_events)) {
			expect(description).toMatch(/^[A-Z].{9}/);
		}
	});

	it('have no include_call_events, and leave the agent published', async () => {
		const id = await agentWebhookOn(service, agent, receiver.url, { include_call_events: true });
		expect((await service.api('GET', `${path}/${id}`)).data.data).not.toHaveProperty('include_call_events');
		await service.api('DELETE', `${path}/${id}`);
		expect((await service.api('GET', `/agents/${agent}`)).data.data.current_status).toBe('published');
	});

	it('have the status error from a delivery that used up its attempts to the next success', async () => {
		const id = await agentWebhookOn(service, agent, receiver.url, {
			events: ['event_phone_call_started'],
			max_retries: 1,
		});
		receiver.answer(500);
		await call('+12025550002');
		await service.advance(5);
		expect(await statusOf(id)).toBe('active');
		await service.advance(10);
		expect([receiver.received.length, await statusOf(id)]).toEqual([2, 'error']);
		await service.api('PATCH', `${path}/${id}/toggle`);
		expect(await statusOf(id)).toBe('disabled');
		await service.api('PATCH', `${path}/${id}/toggle`);
		expect(await statusOf(id)).toBe('error');
		receiver.answer(200);
		await call('+12025550002');
		await service.advance(0);
		expect(await statusOf(id)).toBe('active');
	});

	describe('tested', () => {
		const test = async (id: string) => {
			const { status, data } = await service.api('POST', `${path}/${id}/test`);
			return [status, data];
		};

		it('answer with what the receiver answered, and send a body with exactly the published keys', async () => {
			const id = await agentWebhookOn(service, agent, receiver.url, {
				name: 'My hook',
				webhook_secret: 's',
				payload_templates: { 'webhook.test': { other: 'body' } },
			});
			receiver.answer(202);
			expect(await test(id)).toEqual([
				200,
				{ success: true, message: expect.any(String), data: { status_code: 202, response_time: expect.any(Number) } },
			]);
			const { body, headers } = receiver.received[0]!;
			expect(body).toEqual({
				event: 'webhook.test',
				agent_id: agent,
				agent_name: (await service.api('GET', `/agents/${agent}`)).data.data.name,
				webhook_id: id,
				webhook_name: 'My hook',
				timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
				test: true,
			});
			expect(headers).toMatchObject({
				'x-webhook-event': 'webhook.test',
				'x-webhook-attempt': '1',
				'x-webhook-signature': expect.any(String),
			});
		});

		it('retry up to max_retries times, without pauses, and report the last response', async () => {
			const id = await agentWebhookOn(service, agent, receiver.url, { max_retries: 2 });
			receiver.answer(503);
			expect(await test(id)).toEqual([200, { success: false, message: expect.stringContaining('503') }]);
			expect(receiver.received.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2', '3']);
			expect(await statusOf(id)).toBe('error');
			await service.advance(100_000);
			expect(receiver.received).toHaveLength(3);
		});

		it('report a timeout of the receiver, after the timeout of the webhook', async () => {
			const id = await agentWebhookOn(service, agent, receiver.url, { max_retries: 0, timeout: 5 });
			receiver.answer(null);
			const timeouts = shortenTimers(5000);
			expect(await test(id)).toEqual([
				200,
				{ success: false, message: 'Webhook test failed: no response within 5 s.' },
			]);
			expect(timeouts()).toBe(1);
		});

		it('reach a receiver even while disabled, and are in the log', async () => {
			const id = await agentWebhookOn(service, agent, receiver.url, { enabled: false });
			expect(await test(id)).toMatchObject([200, { success: true }]);
			const log = asList((await service.api('GET', `${path}/${id}/logs`)).data.data);
			expect(log).toMatchObject([{ event: 'webhook.test', status: 'success', http_status: 200 }]);
		});
	});
});
