import { asList, asText, type Json, type SandboxClient, startClient } from '../../client.mts';
import { HUNG_UP } from '../../engine/calls/callEventKinds.mts';
import { activeCampaign, callsOf, queue, webhookOn } from '../../objects.mts';
import { expectRefusals } from '../../refusals.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../../webhookReceiver.mts';

describe('an active call', () => {
	let service: SandboxClient;
	let agent: string;
	let other: string;
	beforeEach(async () => {
		service = await startClient();
		agent = `/agents/${service.seed.agents.published}`;
		other = `/agents/${service.seed.agents.draft}`;
	});
	afterEach(() => service.close());

	const place = async (to: string, more: object = {}): Promise<Json> =>
		(await service.api('POST', `${agent}/call`, { to, ...more })).data.data;
	const end = (call_sid: unknown, path = agent) => service.api('POST', `${path}/end-call`, { call_sid });
	const active = (to: string, path = agent) => service.api('GET', `${path}/active-call/${encodeURIComponent(to)}`);
	const recordOf = async (id: Json | undefined) =>
		asList((await service.api('GET', '/calls')).data.data).find((call) => asText(call.id) === asText(id));

	it('is found by its number until it is over', async () => {
		const { id } = await place('+12025550001');
		await service.advance(20);
		const { status, data } = await active('+12025550001');
		expect(status).toBe(200);
		expect(data).toEqual({
			success: true,
			data: [
				{
					id,
					agent_id: service.seed.agents.published,
					to: '+12025550001',
					status: 'answered',
					started_at: expect.stringMatching(/Z$/),
					duration_seconds: 20,
				},
			],
		});
		expect((await service.api('GET', `${agent}/active-call/+12025550001`)).data).toEqual(data);
		await service.advance(60);
		const over = await active('+12025550001');
		expect([over.status, over.data]).toEqual([404, { success: false, message: expect.any(String) }]);
	});

	it('is listed with the other ones to the same number', async () => {
		await place('+12025550001');
		await place('+12025550001');
		expect((await active('+12025550001')).data.data).toHaveLength(2);
	});

	it('is found with its own agent and number only', async () => {
		await place('+12025550001');
		expect((await active('+12025550001', other)).status).toBe(404);
		expect((await active('+12025550009')).status).toBe(404);
		expect((await active('+12025550001', '/agents/nobody')).data.message).toBe('Agent not found.');
	});

	it('is completed at once when it is ended, and its length is that of the talk', async () => {
		const { id } = await place('+12025550001');
		await service.advance(15);
		const { status, data } = await end(id);
		expect(status).toBe(200);
		expect(data).toEqual({
			success: true,
			data: { id, status: 'completed', ended_at: expect.stringMatching(/Z$/), ended_reason: 'ended_by_api' },
		});
		expect(await recordOf(id)).toMatchObject({ status: 'completed', duration: 10 });
		await service.advance(60);
		expect(await recordOf(id)).toMatchObject({ status: 'completed', duration: 10 });
	});

	it('is completed also when it rings or waits for its delay', async () => {
		const waiting = await place('+12025550002', { delay_seconds: 3600 });
		const ringing = await place('+12025550003');
		await service.advance(10);
		expect(await recordOf(ringing.id)).toMatchObject({ status: 'ringing' });
		for (const { id } of [waiting, ringing]) {
			expect((await end(id)).status).toBe(200);
		}
		await service.advance(4000);
		for (const { id } of [waiting, ringing]) {
			expect(await recordOf(id)).toMatchObject({ status: 'completed', duration: 0 });
		}
	});

	it('cannot be ended twice', async () => {
		const { id } = await place('+12025550001');
		await end(id);
		const { status, data } = await end(id);
		expect([status, data]).toEqual([409, { success: false, message: expect.any(String), code: 'CALL_NOT_ACTIVE' }]);
	});

	it('can be ended by its id through its own agent', async () => {
		const { id } = await place('+12025550001');
		const message = async (answer: ReturnType<typeof end>) => {
			const { status, data } = await answer;
			return [status, data.success, data.message];
		};
		expect(await message(end('unknown'))).toEqual([404, false, 'Call not found.']);
		expect(await message(end(id, other))).toEqual([404, false, 'Call not found.']);
		expect(await message(end(id, '/agents/nobody'))).toEqual([404, false, 'Agent not found.']);
		expect((await active('+12025550001')).status).toBe(200);
	});

	it.each([undefined, '', 7, null])('is not ended with the call_sid %p', async (call_sid) => {
		const { status, data } = await end(call_sid);
		expect([status, data]).toEqual([
			422,
			{ success: false, message: expect.any(String), errors: { call_sid: [expect.any(String)] } },
		]);
	});

	it('is neither shown nor ended without a token with permission', async () => {
		await expectRefusals(service, 'GET', `${agent}/active-call/%2B12025550001`);
		await expectRefusals(service, 'POST', `${agent}/end-call`, { call_sid: 'any' });
	});
});

describe('ending the call of a campaign', () => {
	let service: SandboxClient;
	let receiver: WebhookReceiver;
	let campaign: string;
	beforeEach(async () => {
		service = await startClient();
		receiver = await startWebhookReceiver();
		campaign = await activeCampaign(service, { max_retries: 3 });
		await webhookOn(service, campaign, receiver.url, { include_call_events: true });
	});
	afterEach(async () => {
		receiver.close();
		await service.close();
	});

	/** Queues a call, ends it after some seconds, and returns the events of its end. */
	const endAfter = async (to: string, seconds: number) => {
		await queue(service, campaign, to);
		await service.advance(seconds);
		receiver.received.length = 0;
		const agent = `/agents/${service.seed.agents.published}`;
		const found = await service.api('GET', `${agent}/active-call/${encodeURIComponent(to)}`);
		const ended = await service.api('POST', `${agent}/end-call`, { call_sid: asText(found.data.data[0]!.id) });
		expect(ended.status).toBe(200);
		await service.advance(100_000);
		return receiver.events().sort();
	};
	const artifacts = ['event_call_report', 'event_call_transcript'];

	it('ends the campaign’s call with the events of a conversation’s end', async () => {
		const events = await endAfter('+12025550001', 20);
		expect(events).toEqual(['campaign_call.completed', ...artifacts, 'event_conversation_ended', ...HUNG_UP].sort());
		expect(await callsOf(service, campaign)).toMatchObject([{ status: 'completed', retries: 0 }]);
	});

	it('reports a voicemail if voicemail answered the call', async () => {
		expect(await endAfter('+12025550005', 20)).toEqual(
			['campaign_call.completed', ...artifacts, 'event_voicemail_message_left', ...HUNG_UP].sort(),
		);
	});

	it('before an answer emits no conversation and no recording, and the number is not retried', async () => {
		expect(await endAfter('+12025550003', 5)).toEqual(['campaign_call.completed', 'event_phone_call_ended']);
		expect(await callsOf(service, campaign)).toMatchObject([{ status: 'completed', retries: 0 }]);
	});
});
