import { asText, type Json } from '../../client.mts';
import { place } from '../../control/calls.mts';
import { activeCampaign, agentWebhookOn, callsOf, queue, webhookOn } from '../../objects.mts';
import { useReceiver, useService } from '../../use.mts';

const service = useService();
const receiver = useReceiver();
const sorted = () => receiver.events().sort();
const bodyOf = (event: string): Json => receiver.received.find(({ body }) => asText(body.event) === event)!.body;

/** The events of a call that was answered, from its end on. */
const HUNG_UP = [
	'event_client_disconnected',
	'event_connection_closed',
	'event_participant_left',
	'event_participant_left',
	'event_phone_call_disconnected',
	'event_phone_call_ended',
	'event_recording',
	'event_user_disconnected',
];

const ANSWERED = [
	'event_client_connected',
	'event_connection_established',
	'event_participant_joined',
	'event_participant_joined',
	'event_phone_call_connected',
	'event_user_connected',
];

/** By the last four digits of the number: the kinds of all events of a call, in alphabetical order. */
const COURSES: Array<[digits: string, kinds: string[]]> = [
	[
		'0001',
		['event_phone_call_started', ...ANSWERED, 'event_conversation_started', 'event_conversation_ended', ...HUNG_UP],
	],
	['0002', ['event_phone_call_started', 'event_phone_call_did_not_connect']],
	['0003', ['event_phone_call_started', 'event_phone_call_did_not_connect']],
	['0004', ['event_phone_call_started', 'event_connection_error', 'event_phone_call_error']],
	[
		'0005',
		['event_phone_call_started', ...ANSWERED, 'event_voicemail_detected', 'event_voicemail_message_left', ...HUNG_UP],
	],
];
for (const [, kinds] of COURSES) {
	kinds.sort();
}

describe('the events of a campaign', () => {
	it('report every attempt of a call, its retries and its failure', async () => {
		const id = await activeCampaign(service, { max_retries: 1, busy_cooldown_hours: 1 });
		await webhookOn(service, id, receiver.url);
		const call = await queue(service, id, '+12025550002', { context: { deal: 'D-1' } });
		await service.advance(2 * 3600);
		expect(receiver.events()).toEqual([
			'campaign_call.queued',
			'campaign_call.started',
			'campaign_call.retry_scheduled',
			'campaign_call.started',
			'campaign_call.failed',
		]);
		const failed = { retries: 1, reason: 'busy' };
		expect(bodyOf('campaign_call.retry_scheduled')).toMatchObject({ ...failed, scheduled_at: expect.any(String) });
		expect(bodyOf('campaign_call.failed')).toMatchObject({ ...failed, status: 'failed', duration: 0 });
		const common = { call_id: call.id, to: '+12025550002', context: { deal: 'D-1' }, campaign_id: id };
		for (const { body } of receiver.received) {
			expect(body).toMatchObject({ ...common, agent_id: service.seed.agents.published });
		}
	});

	it('reach only webhooks that subscribe to their kind, and once each of a call with include_call_events', async () => {
		const id = await activeCampaign(service);
		const events = ['campaign_call.completed', 'event_recording'];
		const plain = await webhookOn(service, id, receiver.url, { events: events.slice(0, 1) });
		await webhookOn(service, id, receiver.url, { events, include_call_events: true });
		await queue(service, id, '+12025550001');
		await service.advance(60);
		const ofPlain = receiver.received.filter(({ body }) => asText(body.webhook_id) === plain);
		expect(ofPlain.map(({ body }) => body.event)).toEqual(['campaign_call.completed']);
		const all = ['campaign_call.completed', 'campaign_call.completed', ...COURSES[0]![1]];
		expect(sorted()).toEqual(all);
	});

	const over = ['campaign_call.completed', 'event_call_report', 'event_call_transcript', ...HUNG_UP];
	it.each([
		['in a conversation', '+12025550001', 20, [...over, 'event_conversation_ended']],
		['on voicemail', '+12025550005', 20, [...over, 'event_voicemail_message_left']],
		['before an answer', '+12025550003', 5, ['campaign_call.completed', 'event_phone_call_ended']],
	])(
		'are those of its end if a call is ended %s, and the number is not retried',
		async (_when, to, seconds, events) => {
			const campaign = await activeCampaign(service, { max_retries: 3 });
			await webhookOn(service, campaign, receiver.url, { include_call_events: true });
			await queue(service, campaign, to);
			await service.advance(seconds);
			receiver.received.length = 0;
			// As a client ends it that knows the number only.
			const agent = `/agents/${service.seed.agents.published}`;
			const { data } = await service.api('GET', `${agent}/active-call/${encodeURIComponent(to)}`);
			await service.api('POST', `${agent}/end-call`, { call_sid: asText(data.data[0]!.id) });
			await service.advance(100_000);
			expect(receiver.events().sort()).toEqual(events.toSorted());
			expect(await callsOf(service, campaign)).toMatchObject([{ status: 'completed', retries: 0 }]);
		},
	);
});

describe('the events of an agent', () => {
	let agent: string;
	beforeEach(() => {
		agent = service.seed.agents.published;
	});

	it.each(COURSES)(
		'tell the whole course of a call to %s, each with the context of the call',
		async (digits, kinds) => {
			await agentWebhookOn(service, agent, receiver.url);
			const call_id = await place(service, `+1202555${digits}`, { context: { order: 7 } });
			await service.advance(60);
			expect(sorted()).toEqual(kinds);
			for (const { body } of receiver.received) {
				expect(body).toMatchObject({ call_id, agent_id: agent, context: { order: 7 } });
			}
		},
	);

	it('come late or never, by kind, if the test wants so', async () => {
		await agentWebhookOn(service, agent, receiver.url);
		const delay = (event: string, seconds: number | null) => service.control('delays', { event, seconds });
		await delay('event_voicemail_detected', 60);
		await delay('event_voicemail_message_left', null);
		await place(service, '+12025550005');
		await service.advance(59);
		expect(receiver.events()).toContain('event_phone_call_ended');
		expect(receiver.events()).not.toContain('event_voicemail_detected');
		await service.advance(100_000);
		// It tells when it happened, not when it was sent.
		const { event, status, timestamp } = receiver.received.at(-1)!.body;
		expect([event, status]).toEqual(['event_voicemail_detected', 'answered']);
		expect(asText(timestamp) < asText(bodyOf('event_phone_call_ended').timestamp)).toBe(true);
		expect(receiver.events()).not.toContain('event_voicemail_message_left');
		await delay('event_voicemail_message_left', 0);
		expect(await service.control('delays')).toEqual([{ event: 'event_voicemail_detected', seconds: 60 }]);
		await place(service, '+12025550005');
		await service.advance(60);
		expect(receiver.events()).toContain('event_voicemail_message_left');
	});

	it('have no beginning where a call is ended during its delay, but an end', async () => {
		await agentWebhookOn(service, agent, receiver.url);
		const call_sid = await place(service, '+12025550001', { delay_seconds: 100 });
		await service.advance(99);
		expect(receiver.events()).toEqual([]);
		await service.api('POST', `/agents/${agent}/end-call`, { call_sid });
		await service.advance(1000);
		expect(receiver.events()).toEqual(['event_phone_call_ended']);
	});
});
