import { asList, asText, type SandboxClient, startClient } from '../client.mts';
import { activeCampaign, agentWebhookOn, callsOf, queue, webhookOn } from '../objects.mts';
import { startWebhookReceiver } from '../webhookReceiver.mts';
import { act, place, statusesOf, timelineOf, wordsOf } from './calls.mts';

describe('manual calls', () => {
	let service: SandboxClient;
	beforeEach(async () => {
		service = await startClient({ speed: 0 });
		await service.control('mode', { calls: 'manual', ringSeconds: 40 });
	});
	afterEach(() => service.close());

	it('ring, whatever their number says, until the time is over and nobody has answered', async () => {
		const id = await place(service, '+12025550002');
		await service.advance(40);
		expect((await timelineOf(service, id)).status).toBe('ringing');
		await service.advance(1);
		const call = await timelineOf(service, id);
		expect(statusesOf(call)).toEqual([
			['initiated', 0],
			['ringing', 1],
			['no-answer', 41],
		]);
		expect(call).toMatchObject({ duration: 0, can: [], report: { outcome: 'no-answer' }, recording_url: null });
	});

	it.each([
		{ speed: 20, ringSeconds: 60, rings: 600 },
		{ speed: 20, ringSeconds: 5, rings: 100 },
		{ speed: 1, ringSeconds: 60, rings: 60 },
	])('leave a person up to 30 seconds to answer: $ringSeconds s at × $speed are $rings s', async (given) => {
		const fast = await startClient({ speed: given.speed });
		await fast.control('mode', { calls: 'manual', ringSeconds: given.ringSeconds });
		const id = await place(fast, '+12025550001');
		await fast.advance(2);
		const { course, statuses } = await timelineOf(fast, id);
		expect(course.next!.do).toBe('noAnswer');
		const rang = Date.parse(asText(asList(statuses).at(-1)!.at));
		expect(Date.parse(asText(course.next!.at)) - rang).toBe(given.rings * 1000);
		await fast.close();
	});

	it('are answered and hung up by hand, and last as long as that took', async () => {
		const id = await place(service, '+12025550003');
		await service.advance(2);
		expect(await act(service, id, 'answer')).toEqual([200]);
		await service.advance(100);
		expect((await timelineOf(service, id)).status).toBe('answered');
		expect(await act(service, id, 'hangUp')).toEqual([200]);
		const call = await timelineOf(service, id);
		expect(statusesOf(call)).toEqual([
			['initiated', 0],
			['ringing', 1],
			['answered', 2],
			['completed', 102],
		]);
		expect(call).toMatchObject({ duration: 100, answered_by: 'person', ended_by: 'person' });
		expect(asText(call.report.summary)).toBe('The person was reached. The person hung up.');
		await service.advance(10_000);
		expect((await timelineOf(service, id)).duration).toBe(100);
	});

	it.each([
		['decline', 'busy', 'busy'],
		['busy', 'busy', 'busy'],
		['noAnswer', 'no-answer', 'no-answer'],
		['fail', 'failed', 'failed'],
		['hangUp', 'completed', 'completed'],
	])('end at once by %s', async (action, status, outcome) => {
		const id = await place(service, '+12025550001');
		await service.advance(3);
		expect(await act(service, id, action)).toEqual([200]);
		expect(await timelineOf(service, id)).toMatchObject({
			status,
			duration: 0,
			answered_by: null,
			report: { outcome },
		});
	});

	it('can be taken by a machine, which the agent leaves a message', async () => {
		const id = await place(service, '+12025550001');
		await service.advance(3);
		await act(service, id, 'voicemail');
		await service.advance(14);
		expect((await timelineOf(service, id)).status).toBe('answered');
		await service.advance(1);
		const call = await timelineOf(service, id);
		expect(call).toMatchObject({ status: 'completed', duration: 15, answered_by: 'machine', ended_by: 'agent' });
		expect(wordsOf(call)).toEqual(['agent: Hello, please call us back.']);
		expect(call.report).toEqual({ summary: 'Voicemail answered the call.', outcome: 'voicemail' });
	});

	it('refuse what is impossible in their status, and say what is possible', async () => {
		const id = await place(service, '+12025550001');
		expect(await act(service, id, 'answer')).toEqual([
			409,
			'The call has the status initiated: "answer" is not possible. Possible now: hangUp.',
		]);
		await service.advance(1);
		const [status, message] = await act(service, id, 'say', { text: 'Hello' });
		expect([status, message]).toEqual([
			409,
			expect.stringContaining('The call has the status ringing: "say" is not possible.'),
		]);
		await act(service, id, 'answer');
		for (const action of ['answer', 'decline', 'busy', 'noAnswer', 'fail', 'voicemail']) {
			expect((await act(service, id, action))[0]).toBe(409);
		}
		await act(service, id, 'hangUp');
		for (const action of ['answer', 'hangUp', 'voicemail']) {
			expect(await act(service, id, action)).toEqual([
				409,
				`The call is over (completed): "${action}" is not possible.`,
			]);
		}
		expect(await act(service, 'nobody', 'answer')).toEqual([404, 'Call not found.']);
	});

	it.each([
		[{ action: 'laugh' }, 'action'],
		[{}, 'action'],
		[{ action: 'say' }, 'text'],
		[{ action: 'press' }, 'keys'],
		[{ action: 'press', keys: 'x' }, 'keys'],
		[{ action: 'hangUp', by: 'nobody' }, 'by'],
	])('refuse the body %j with the field %s', async (body, field) => {
		const id = await place(service, '+12025550001');
		const { status, data } = await service.controlResponse('POST', `calls/${id}/act`, body);
		expect([status, Object.keys(data.errors ?? {})]).toEqual([422, [field]]);
	});

	it('have what is said and pressed in their transcript', async () => {
		const id = await place(service, '+12025550001');
		await service.advance(1);
		await act(service, id, 'answer');
		await act(service, id, 'say', { text: 'Who is this?' });
		await act(service, id, 'say', { text: 'The office.', by: 'agent' });
		await act(service, id, 'press', { keys: '1#' });
		expect(wordsOf(await timelineOf(service, id))).toEqual([
			'agent: Hello, this is Amelia.',
			'user: Who is this?',
			'agent: The office.',
			'user: [pressed 1#]',
		]);
	});

	it('act once, although two people answer at the same time', async () => {
		const slow = await startClient({ speed: 0, minimumStatusMs: 100 });
		await slow.control('mode', { calls: 'manual' });
		const id = await place(slow, '+12025550001');
		const started = Date.now();
		await slow.advance(1);
		const results = await Promise.all(['answer', 'decline', 'answer'].map((action) => act(slow, id, action)));
		// Each status lasts its shortest real time, also if somebody acts at once.
		expect(Date.now() - started).toBeGreaterThanOrEqual(90);
		expect(results.map(([status]) => Number(status)).sort()).toEqual([200, 409, 409]);
		expect(asList((await timelineOf(slow, id)).statuses)).toHaveLength(3);
		await slow.close();
	});

	it('end by themselves after the longest call that their agent allows', async () => {
		const id = await place(service, '+12025550001');
		await service.advance(1);
		await act(service, id, 'answer');
		await service.advance(3599);
		expect((await timelineOf(service, id)).status).toBe('answered');
		await service.advance(1);
		expect(await timelineOf(service, id)).toMatchObject({ status: 'completed', duration: 3600, ended_by: 'agent' });
	});

	it('of a campaign are tried again by its rules, and send the events after a call', async () => {
		const receiver = await startWebhookReceiver();
		const campaign = await activeCampaign(service, { max_retries: 1, retry_cooldown_hours: 1 });
		await webhookOn(service, campaign, receiver.url);
		const queued = asText((await queue(service, campaign, '+12025550001')).id);
		await service.advance(1);
		await act(service, queued, 'decline');
		expect(await callsOf(service, campaign)).toMatchObject([{ status: 'scheduled', retries: 1 }]);
		await service.advance(3601);
		expect(await callsOf(service, campaign)).toMatchObject([{ status: 'ringing', retries: 1 }]);
		await act(service, queued, 'answer');
		await service.advance(7);
		await act(service, queued, 'hangUp');
		const call = await timelineOf(service, queued);
		expect(asList(call.attempts).map(({ status, duration }) => [status, duration])).toEqual([
			['busy', 0],
			['completed', 7],
		]);
		expect(call.campaign_call).toMatchObject({ id: queued, campaign_id: campaign, status: 'completed', retries: 1 });
		await service.advance(0);
		expect(receiver.events().slice(-4)).toEqual([
			'event_recording',
			'campaign_call.completed',
			'event_call_transcript',
			'event_call_report',
		]);
		const ofCampaign = (events: string[]) => events.filter((event) => event.startsWith('campaign_call.'));
		const told = asList((await timelineOf(service, queued)).events).map(({ event }) => asText(event));
		expect(ofCampaign(told)).toEqual(ofCampaign(receiver.events()));
		const last = receiver.received.slice(-2).map(({ body }) => body);
		expect(last[0]!.transcript).toEqual([{ role: 'agent', content: 'Hello, this is Amelia.' }]);
		expect(last[1]).toMatchObject({ outcome: 'completed', summary: 'The person was reached. The person hung up.' });
		receiver.close();
	});

	it('become automatic again, also by a reset; a call keeps the mode in which it was placed', async () => {
		const id = await place(service, '+12025550001');
		expect(await service.control('mode', { calls: 'automatic' })).toEqual({
			success: true,
			calls: 'automatic',
			ringSeconds: 40,
		});
		const automatic = await place(service, '+12025550002');
		await service.advance(30);
		expect((await timelineOf(service, id)).status).toBe('ringing');
		expect((await timelineOf(service, automatic)).status).toBe('busy');
		await service.control('mode', { calls: 'manual' });
		await service.control('reset', {});
		expect(await service.control('mode')).toEqual({ calls: 'automatic', ringSeconds: 60 });
	});

	it('take over an automatic call in which somebody acts', async () => {
		await service.control('mode', { calls: 'automatic' });
		const id = await place(service, '+12025550002');
		await service.advance(1);
		await act(service, id, 'answer');
		await service.advance(1000);
		expect(await timelineOf(service, id)).toMatchObject({ status: 'answered', course: { kind: 'manual' } });
	});
});

describe('the timeline of a call', () => {
	it('has the first message with the values of the payload, and names what has no value', async () => {
		const service = await startClient({ speed: 0 });
		const agent = service.seed.agents.published;
		const settings = {
			description: 'A friendly agent',
			interrupt_sensitivity: 'low',
			ask_if_human_present_on_idle: true,
			llm_temperature: 1,
			initial_message_delay: 0,
		};
		await service.api('PUT', `/agents/${agent}/knowledge`, {
			...settings,
			initial_message: 'Hi {{ name }} of {{company.name}}: {{count}}, {{missing}} and {{missing}}, {{nothing}}.',
		});
		await service.api('POST', `/agents/${agent}/publish`);
		const payload = { name: 'Ada', company: { name: 'Example' }, count: 0, nothing: null };
		const id = await place(service, '+12025550001', { payload, context: { order: 7 } });
		await service.advance(100);
		const call = await timelineOf(service, id);
		const text = 'Hi Ada of Example: 0, {{missing}} and {{missing}}, {{nothing}}.';
		expect(call.first_message).toMatchObject({ text, unfilled: ['missing', 'nothing'] });
		expect(call).toMatchObject({ payload, context: { order: 7 } });
		expect(wordsOf(call)).toEqual([`agent: ${text}`, 'user: Yes, I do.']);
		await service.close();
	});

	it('has the events with their moments, and the deliveries of this call alone', async () => {
		const service = await startClient({ speed: 0 });
		const receiver = await startWebhookReceiver();
		await agentWebhookOn(service, service.seed.agents.published, receiver.url, {
			events: ['event_phone_call_connected', 'event_recording'],
		});
		const [id] = [await place(service, '+12025550001'), await place(service, '+12025550011')];
		await service.advance(100);
		const call = await timelineOf(service, id);
		expect(asList(call.deliveries).map(({ event, status, call_id }) => [event, status, call_id])).toEqual([
			['event_phone_call_connected', 'success', id],
			['event_recording', 'success', id],
		]);
		const events = asList(call.events);
		expect([events[0]!.event, events.at(-1)!.event]).toEqual(['event_phone_call_started', 'event_recording']);
		const connected = events.find(({ event }) => asText(event) === 'event_phone_call_connected')!;
		expect(Date.parse(asText(connected.at)) - Date.parse(asText(call.created_at))).toBe(5000);
		expect((await service.controlResponse('GET', 'calls/unknown')).status).toBe(404);
		receiver.close();
		await service.close();
	});
});
