import { asList, asText, startClient } from '../client.mts';
import { activeCampaign, callsOf, queue, webhookOn } from '../objects.mts';
import { useReceiver, useService } from '../use.mts';
import { act, place, statusesOf, timelineOf, wordsOf } from './calls.mts';

const service = useService();

describe('manual calls', () => {
	const receiver = useReceiver();
	beforeEach(async () => {
		await service.control('mode', { calls: 'manual', ringSeconds: 40 });
	});
	/** A call that rings. */
	const ringing = async () => {
		const id = await place(service, '+12025550002');
		await service.advance(1);
		return id;
	};

	it('ring, whatever their number says, until the time is over and nobody has answered', async () => {
		const id = await ringing();
		await service.advance(39);
		expect((await timelineOf(service, id)).status).toBe('ringing');
		await service.advance(1);
		const call = await timelineOf(service, id);
		expect(statusesOf(call).join(' ')).toBe('initiated,0 ringing,1 no-answer,41');
		expect(call).toMatchObject({ duration: 0, can: [], report: { outcome: 'no-answer' }, recording_url: null });
	});

	it('are answered, spoken in and hung up by hand, and last as long as that took', async () => {
		const id = await ringing();
		expect(await act(service, id, 'answer')).toEqual([200]);
		await act(service, id, 'say', { text: 'Who is this?' });
		await act(service, id, 'say', { text: 'The office.', by: 'agent' });
		await act(service, id, 'press', { keys: '1#' });
		await service.advance(100);
		expect(await act(service, id, 'hangUp')).toEqual([200]);
		await service.advance(10_000);
		const call = await timelineOf(service, id);
		expect(statusesOf(call).slice(2).join(' ')).toBe('answered,1 completed,101');
		expect(call).toMatchObject({ duration: 100, answered_by: 'person', ended_by: 'person' });
		const words = ['agent: Hello, this is Amelia.', 'user: Who is this?', 'agent: The office.', 'user: [pressed 1#]'];
		expect([wordsOf(call), call.report.summary]).toEqual([words, 'The person was reached. The person hung up.']);
	});

	it.each([
		['decline', 'busy'],
		['busy', 'busy'],
		['noAnswer', 'no-answer'],
		['fail', 'failed'],
		['hangUp', 'completed'],
	])('end at once by %s', async (action, status) => {
		const id = await ringing();
		expect(await act(service, id, action)).toEqual([200]);
		const none = { duration: 0, answered_by: null };
		expect(await timelineOf(service, id)).toMatchObject({ status, ...none, report: { outcome: status } });
	});

	it('refuse what is impossible in their status, and say what is possible', async () => {
		const id = await place(service, '+12025550001');
		const early = 'The call has the status initiated: "answer" is not possible. Possible now: hangUp.';
		expect(await act(service, id, 'answer')).toEqual([409, early]);
		await service.advance(1);
		expect((await act(service, id, 'say', { text: 'Hello' }))[0]).toBe(409);
		await act(service, id, 'answer');
		for (const action of ['answer', 'decline', 'busy', 'noAnswer', 'fail', 'voicemail']) {
			expect([action, (await act(service, id, action))[0]]).toEqual([action, 409]);
		}
		await act(service, id, 'hangUp');
		const over = 'The call is over (completed): "hangUp" is not possible.';
		expect(await act(service, id, 'hangUp')).toEqual([409, over]);
		expect((await act(service, 'nobody', 'answer'))[0]).toBe(404);
	});

	it('act once, although two people answer at the same time', async () => {
		const slow = await startClient({ speed: 0, minimumStatusMs: 100 });
		await slow.control('mode', { calls: 'manual' });
		const id = await place(slow, '+12025550001');
		await slow.advance(1);
		const results = await Promise.all(['answer', 'decline', 'answer'].map((action) => act(slow, id, action)));
		expect(results.map(([status]) => Number(status)).sort()).toEqual([200, 409, 409]);
		expect(asList((await timelineOf(slow, id)).statuses)).toHaveLength(3);
		await slow.close();
	});

	it('of a campaign are tried again by its rules, and send the events after a call', async () => {
		const campaign = await activeCampaign(service, { max_retries: 1, retry_cooldown_hours: 1 });
		await webhookOn(service, campaign, receiver.url);
		const queued = asText((await queue(service, campaign, '+12025550001')).id);
		await service.advance(1);
		await act(service, queued, 'decline');
		expect(await callsOf(service, campaign)).toMatchObject([{ status: 'scheduled', retries: 1 }]);
		await service.advance(3601);
		await act(service, queued, 'answer');
		await service.advance(7);
		await act(service, queued, 'hangUp');
		const call = await timelineOf(service, queued);
		const attempts = [
			{ status: 'busy', duration: 0 },
			{ status: 'completed', duration: 7 },
		];
		expect(call.attempts).toMatchObject(attempts);
		expect(call.campaign_call).toMatchObject({ id: queued, campaign_id: campaign, status: 'completed', retries: 1 });
		await service.advance(0);
		const last = ['event_recording', 'campaign_call.completed', 'event_call_transcript', 'event_call_report'];
		expect(receiver.events().slice(-4)).toEqual(last);
		const ofCampaign = (events: string[]) => events.filter((event) => event.startsWith('campaign_call.'));
		const told = asList((await timelineOf(service, queued)).events).map(({ event }) => asText(event));
		expect(ofCampaign(told)).toEqual(ofCampaign(receiver.events()));
		const [transcript, report] = receiver.received.slice(-2).map(({ body }) => body);
		expect(transcript!.transcript).toEqual([{ role: 'agent', content: 'Hello, this is Amelia.' }]);
		expect(report).toMatchObject({ outcome: 'completed', summary: 'The person was reached. The person hung up.' });
	});
});

it('the timeline of a call has the first message with the values of the payload, and names what has no value', async () => {
	const agent = `/agents/${service.seed.agents.published}`;
	const initial_message = 'Hi {{ name }} of {{company.name}}: {{count}}, {{missing}} and {{missing}}, {{nothing}}.';
	await service.api('PUT', `${agent}/knowledge`, {
		description: 'A friendly agent',
		interrupt_sensitivity: 'low',
		ask_if_human_present_on_idle: true,
		llm_temperature: 1,
		initial_message_delay: 0,
		initial_message,
	});
	await service.api('POST', `${agent}/publish`);
	const payload = { name: 'Ada', company: { name: 'Example' }, count: 0, nothing: null };
	const id = await place(service, '+12025550001', { payload, context: { order: 7 } });
	await service.advance(100);
	const call = await timelineOf(service, id);
	const text = 'Hi Ada of Example: 0, {{missing}} and {{missing}}, {{nothing}}.';
	const first_message = { text, unfilled: ['missing', 'nothing'] };
	expect(call).toMatchObject({ payload, context: { order: 7 }, first_message });
	expect(wordsOf(call)[0]).toBe(`agent: ${text}`);
});
