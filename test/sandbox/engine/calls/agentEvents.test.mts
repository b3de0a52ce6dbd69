import { createHmac } from 'node:crypto';

import { AGENT_EVENTS } from '../../../../sandbox/engine/deliveries/eventKinds.mts';
import { asText, type Json, type SandboxClient, startClient } from '../../client.mts';
import { activeCampaign, agentWebhookOn, queue, webhookOn } from '../../objects.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../../webhookReceiver.mts';
import { COURSES } from './callEventKinds.mts';

describe('the events of an agent', () => {
	let service: SandboxClient;
	let receiver: WebhookReceiver;
	let agent: string;
	let agentName: Json | undefined;
	beforeEach(async () => {
		service = await startClient();
		receiver = await startWebhookReceiver();
		agent = service.seed.agents.published;
		agentName = (await service.api('GET', `/agents/${agent}`)).data.data.name;
	});
	afterEach(async () => {
		receiver.close();
		await service.close();
	});

	const place = async (to: string, more: object = {}): Promise<string> => {
		const { data } = await service.api('POST', `/agents/${agent}/call`, { to, ...more });
		return asText(data.data.id);
	};
	const bodyOf = (event: string): Json => receiver.received.find(({ body }) => asText(body.event) === event)!.body;
	const sorted = () => receiver.events().sort();

	it.each(COURSES)(
		'tell the whole course of a call to %s, each with the context of the call',
		async (digits, kinds) => {
			await agentWebhookOn(service, agent, receiver.url);
			const id = await place(`+1202555${digits}`, { context: { order: 7 } });
			await service.advance(60);
			expect(sorted()).toEqual(kinds);
			for (const { body } of receiver.received) {
				expect(body).toMatchObject({ call_id: id, agent_id: agent, context: { order: 7 } });
			}
		},
	);

	it('are flat objects, with the fields of the call and of the agent and what the kind adds', async () => {
		const webhook = await agentWebhookOn(service, agent, receiver.url);
		const call_id = await place('+12025550001', { context: { order: 7 }, is_testing: true });
		await service.advance(60);
		const common = {
			id: expect.any(String),
			timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
			webhook_id: webhook,
			agent_id: agent,
			agent_name: agentName,
			call_id,
			to: '+12025550001',
			retries: 0,
			is_testing: true,
			context: { order: 7 },
		};
		const status = (status: string, duration = 0) => ({ status, duration });
		expect(bodyOf('event_phone_call_started')).toEqual({
			event: 'event_phone_call_started',
			...common,
			...status('initiated'),
		});
		expect(bodyOf('event_conversation_started')).toEqual({
			event: 'event_conversation_started',
			...common,
			...status('answered'),
		});
		expect(bodyOf('event_recording')).toEqual({
			event: 'event_recording',
			...common,
			...status('completed', 30),
			recording_url: `${service.url}/recordings/${call_id}.mp3`,
		});
		const joined = receiver.received.filter(({ body }) => asText(body.event) === 'event_participant_joined');
		expect(joined.map(({ body }) => body.participant).sort()).toEqual(['agent', 'user']);
		expect(new Set(receiver.received.map(({ body }) => asText(body.id))).size).toBe(receiver.received.length);
	});

	it('contain why a call was not answered, why it failed, and the voicemail message', async () => {
		await agentWebhookOn(service, agent, receiver.url);
		await place('+12025550002');
		await place('+12025550004');
		await place('+12025550005');
		await service.advance(60);
		expect(bodyOf('event_phone_call_did_not_connect')).toMatchObject({ status: 'busy', reason: 'busy' });
		expect(bodyOf('event_phone_call_error')).toMatchObject({ status: 'failed', error: 'disconnected' });
		expect(bodyOf('event_connection_error')).toMatchObject({ status: 'failed', error: 'disconnected' });
		expect(bodyOf('event_voicemail_message_left')).toMatchObject({ message: expect.any(String), duration: 15 });
	});

	it('come late or never, by kind, if the test wants so', async () => {
		await agentWebhookOn(service, agent, receiver.url);
		await service.control('delays', { event: 'event_voicemail_detected', seconds: 60 });
		await service.control('delays', { event: 'event_voicemail_message_left', seconds: null });
		expect(await service.control('delays')).toEqual([
			{ event: 'event_voicemail_detected', seconds: 60 },
			{ event: 'event_voicemail_message_left', seconds: null },
		]);
		await place('+12025550005');
		await service.advance(59);
		expect(receiver.events()).toContain('event_phone_call_ended');
		expect(receiver.events()).not.toContain('event_voicemail_detected');
		await service.advance(10);
		const last = receiver.received.at(-1)!.body;
		// It tells when it happened, not when it was sent.
		expect([last.event, last.status]).toEqual(['event_voicemail_detected', 'answered']);
		expect(Date.parse(asText(last.timestamp))).toBeLessThan(
			Date.parse(asText(bodyOf('event_phone_call_ended').timestamp)),
		);
		await service.advance(100_000);
		expect(receiver.events()).not.toContain('event_voicemail_message_left');
		await service.control('delays', { event: 'event_voicemail_message_left', seconds: 0 });
		expect(await service.control('delays')).toEqual([{ event: 'event_voicemail_detected', seconds: 60 }]);
		await place('+12025550005');
		await service.advance(60);
		expect(receiver.events()).toContain('event_voicemail_message_left');
	});

	it('have the address of a recording that can be downloaded without a token', async () => {
		await agentWebhookOn(service, agent, receiver.url);
		await place('+12025550001');
		await service.advance(60);
		const response = await fetch(asText(bodyOf('event_recording').recording_url));
		expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
		expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(1000);
		expect((await fetch(`${service.url}/recordings/other.mp3`)).status).toBe(404);
	});

	it('start with the call, after its delay', async () => {
		await agentWebhookOn(service, agent, receiver.url);
		await place('+12025550002', { delay_seconds: 100 });
		await service.advance(99);
		expect(receiver.events()).toEqual([]);
		await service.advance(1);
		expect(receiver.events()).toEqual(['event_phone_call_started']);
		await service.advance(60);
		expect(receiver.events()).toEqual(['event_phone_call_started', 'event_phone_call_did_not_connect']);
	});

	it('have no beginning where a call is ended during its delay, but an end', async () => {
		await agentWebhookOn(service, agent, receiver.url);
		const call_sid = await place('+12025550001', { delay_seconds: 100 });
		await service.api('POST', `/agents/${agent}/end-call`, { call_sid });
		await service.advance(1000);
		expect(receiver.events()).toEqual(['event_phone_call_ended']);
	});

	it('reach only this agent’s webhooks, and those only in the kinds that they subscribe to', async () => {
		const other = await startWebhookReceiver();
		await agentWebhookOn(service, service.seed.agents.draft, other.url);
		await webhookOn(service, service.seed.campaigns.active, other.url, { include_call_events: true });
		await agentWebhookOn(service, agent, receiver.url, { events: ['event_phone_call_ended'] });
		await place('+12025550001');
		await service.advance(60);
		expect([receiver.events(), other.events()]).toEqual([['event_phone_call_ended'], []]);
		other.close();
	});

	it('get the events of a campaign’s calls too, with the campaign and the id of the queued call', async () => {
		const id = await activeCampaign(service, { name: 'Spring', max_retries: 1, busy_cooldown_hours: 1 });
		await agentWebhookOn(service, agent, receiver.url);
		const call = await queue(service, id, '+12025550002', { context: { deal: 'D-1' } });
		await service.advance(2 * 3600);
		expect(receiver.received.map(({ body }) => [asText(body.event), body.retries])).toEqual([
			['event_phone_call_started', 0],
			['event_phone_call_did_not_connect', 0],
			['event_phone_call_started', 1],
			['event_phone_call_did_not_connect', 1],
		]);
		for (const { body } of receiver.received) {
			expect(body).toMatchObject({
				call_id: call.id,
				campaign_id: id,
				campaign_name: 'Spring',
				agent_id: agent,
				agent_name: agentName,
				context: { deal: 'D-1' },
			});
		}
	});

	it('come once to a campaign’s webhook that subscribes to a kind and includes the call events', async () => {
		const id = await activeCampaign(service);
		await webhookOn(service, id, receiver.url, { events: ['event_recording'], include_call_events: true });
		await queue(service, id, '+12025550001');
		await service.advance(60);
		expect(sorted()).toEqual(COURSES[0]![1]);
	});

	it('have bodies by template, which can name the agent', async () => {
		await agentWebhookOn(service, agent, receiver.url, {
			events: ['event_phone_call_started', 'event_phone_call_did_not_connect'],
			payload_templates: {
				event_phone_call_started: { who: '{{agent.name}} ({{agent.id}})', call: '{{call.id}}', of: '{{campaign.id}}' },
			},
		});
		const call = await place('+12025550002');
		await service.advance(60);
		expect(receiver.received[0]?.body).toEqual({ who: `${asText(agentName)} (${agent})`, call, of: null });
		expect(receiver.received[1]?.body).toMatchObject({ event: 'event_phone_call_did_not_connect', call_id: call });
	});

	describe('by /_sandbox/deliver', () => {
		it('are of any kind, with the fields of a real one', async () => {
			const webhookId = await agentWebhookOn(service, agent, receiver.url, { events: ['event_action'] });
			for (const event of AGENT_EVENTS) {
				await service.control('deliver', { webhookId, event });
			}
			expect(receiver.events()).toEqual(AGENT_EVENTS);
			const fields = ['id', 'timestamp', 'call_id', 'to', 'status', 'retries', 'duration', 'is_testing', 'context'];
			for (const { body } of receiver.received) {
				for (const field of fields) {
					expect(body).toHaveProperty(field);
				}
				expect(body).toMatchObject({ webhook_id: webhookId, agent_id: agent, agent_name: agentName });
				expect(body).not.toHaveProperty('campaign_id');
			}
		});

		it.each([
			['event_phone_call_started', { status: 'initiated' }],
			['event_phone_call_did_not_connect', { status: 'no-answer', reason: 'no-answer' }],
			['event_phone_call_error', { status: 'failed', error: 'disconnected' }],
			['event_participant_joined', { status: 'answered', participant: 'user' }],
			['event_participant_left', { status: 'completed', participant: 'user' }],
			['event_voicemail_message_left', { message: expect.any(String) }],
			['event_action', { action_name: expect.any(String), input: expect.any(Object), result: expect.any(Object) }],
			['event_action_failed', { action_name: expect.any(String), error: expect.any(String) }],
			['event_recording', { recording_url: expect.stringMatching(/^http:.*\.mp3$/) }],
		])('add to %s what the kind adds', async (event, added) => {
			const webhookId = await agentWebhookOn(service, agent, receiver.url);
			await service.control('deliver', { webhookId, event, data: { extra: 1 } });
			expect(receiver.received[0]?.body).toMatchObject({ ...added, extra: 1 });
		});

		it('are a test event too', async () => {
			const webhookId = await agentWebhookOn(service, agent, receiver.url);
			await service.control('deliver', { webhookId, event: 'webhook.test' });
			expect(receiver.received[0]?.body).toMatchObject({ test: true, agent_id: agent, webhook_name: 'Hook' });
		});

		it.each([undefined, 'body', 'signature', 'secret'])('are signed, or forged by tamper: %p', async (tamper) => {
			const webhookId = await agentWebhookOn(service, agent, receiver.url, { webhook_secret: 'key' });
			await service.control('deliver', { webhookId, event: 'event_action', tamper });
			const { raw, headers } = receiver.received[0]!;
			const right = createHmac('sha256', 'key').update(raw).digest('hex');
			expect(headers['x-webhook-signature'] === right).toBe(tamper === undefined);
		});
	});
});
