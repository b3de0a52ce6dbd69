import { asText } from '../../client.mts';
import { callsAre, campaign, queued, type Step, useStories, webhook } from '../../story.mts';

const { receiver, play, stories } = useStories();

/** The events of an answered call, before and after its end. */
const ANSWERED = `event_client_connected event_connection_established event_participant_joined event_participant_joined
	event_phone_call_connected event_user_connected`.split(/\s+/);
const HUNG_UP = `event_client_disconnected event_connection_closed event_participant_left event_participant_left
	event_phone_call_disconnected event_phone_call_ended event_recording event_user_disconnected`.split(/\s+/);

/** The types of all events of a call, by the last four digits of the number. */
const COURSES: Array<[digits: string, types: string[]]> = [
	['0001', [...ANSWERED, 'event_conversation_started', 'event_conversation_ended', ...HUNG_UP]],
	['0002', ['event_phone_call_did_not_connect']],
	['0003', ['event_phone_call_did_not_connect']],
	['0004', ['event_connection_error', 'event_phone_call_error']],
	['0005', [...ANSWERED, 'event_voicemail_detected', 'event_voicemail_message_left', ...HUNG_UP]],
];
for (const [, types] of COURSES) {
	types.push('event_phone_call_started');
}
const events = (...types: string[]): Step => [`events ${types.join(' ')}`];
const place = (to: string, more: object = {}): Step => ['POST /agents/{agent}/call 200 > call', { to, ...more }];
const ended: Step = ['POST /agents/{agent}/end-call 200', { call_sid: '{call}' }];

describe('the events of a campaign', () => {
	const common = {
		...{ call_id: '{queued}', to: '+12025550002', context: { deal: 'D-1' } },
		...{ campaign_id: '{c}', agent_id: '{agent}' },
	};
	const failed = { ...common, retries: 1, reason: 'busy' };
	stories({
		'report every attempt of a call, its retries and its failure': [
			...campaign('c', { max_retries: 1, busy_cooldown_hours: 1 }),
			webhook('hook', 'campaigns/{c}'),
			queued('c', '+12025550002', { context: { deal: 'D-1' } }),
			['wait 7200'],
			[
				'events queued started retry_scheduled started failed'.replaceAll(/ (\w)/g, ' campaign_call.$1'),
				[
					{ event: 'campaign_call.queued', ...common },
					{ event: 'campaign_call.started', ...common },
					{ event: 'campaign_call.retry_scheduled', ...failed, scheduled_at: expect.any(String) },
					{ event: 'campaign_call.started', ...common },
					{ event: 'campaign_call.failed', ...failed, status: 'failed', duration: 0 },
				],
			],
		],
		'reach only webhooks that subscribe to their kind, and once each of a call with include_call_events': [
			...campaign('c'),
			webhook('plain', 'campaigns/{c}', { events: ['campaign_call.completed'] }),
			queued('c', '+12025550001'),
			['wait 60'],
			['events campaign_call.completed', [{ webhook_id: '{plain}' }]],
			['DELETE /campaigns/{c}/webhooks/{plain} 200'],
			webhook('all', 'campaigns/{c}', {
				events: ['campaign_call.completed', 'event_recording'],
				include_call_events: true,
			}),
			queued('c', '+12025550011'),
			['wait 60'],
			events('campaign_call.completed', ...COURSES[0]![1]),
		],
	});

	const over = ['campaign_call.completed', 'event_call_report', 'event_call_transcript', ...HUNG_UP];
	it.each([
		['in a conversation', '+12025550001', 20, [...over, 'event_conversation_ended']],
		['on voicemail', '+12025550005', 20, [...over, 'event_voicemail_message_left']],
		['before an answer', '+12025550003', 5, ['campaign_call.completed', 'event_phone_call_ended']],
	])('are those of its end if a call is ended %s, and the number is not retried', async (...given) => {
		const [, to, seconds, expected] = given;
		await play([
			...campaign('c', { max_retries: 3 }),
			queued('c', to),
			[`wait ${seconds}`],
			webhook('hook', 'campaigns/{c}', { include_call_events: true }),
			// A client that only has the number ends the call in this way.
			[`GET /agents/{agent}/active-call/${encodeURIComponent(to)} 200 > call=data.0.id`],
			ended,
			['wait 100000'],
			events(...expected),
			callsAre('c', { status: 'completed', retries: 0 }),
		]);
	});
});

describe('the events of an agent', () => {
	const hook = webhook('hook', 'agents/{agent}');

	it.each(COURSES)(
		'tell the whole course of a call to %s, each with the context of the call',
		async (digits, types) => {
			const body = { call_id: '{call}', agent_id: '{agent}', context: { order: 7 } };
			await play([
				hook,
				place(`+1202555${digits}`, { context: { order: 7 } }),
				['wait 60'],
				[...events(...types), types.map(() => body)],
			]);
		},
	);

	it('come late or never, by kind, if the test wants so', async () => {
		const delay = (event: string, seconds: number | null): Step => ['POST /_sandbox/delays 200', { event, seconds }];
		const [DETECTED, LEFT] = ['event_voicemail_detected', 'event_voicemail_message_left'];
		const course = COURSES[4]![1];
		await play([
			hook,
			delay(DETECTED, 60),
			delay(LEFT, null),
			place('+12025550005'),
			['wait 59'],
			events(...course.filter((type) => type !== DETECTED && type !== LEFT)),
			['wait 100000'],
			[...events(DETECTED), [{ status: 'answered' }]],
			delay(LEFT, 0),
			['GET /_sandbox/delays 200', [{ event: DETECTED, seconds: 60 }]],
			place('+12025550005'),
			['wait 100'],
		]);
		// The timestamp is the time of the event, not of its delivery.
		const timeOf = (type: string) => receiver.received.find(({ body }) => asText(body.event) === type)!.body.timestamp;
		expect(receiver.events().sort()).toEqual(course.toSorted());
		expect(asText(timeOf(DETECTED)) < asText(timeOf('event_phone_call_ended'))).toBe(true);
	});

	stories({
		'have no beginning where a call is ended during its delay, but an end': [
			hook,
			place('+12025550001', { delay_seconds: 100 }),
			['wait 99'],
			events(),
			ended,
			['wait 1000'],
			events('event_phone_call_ended'),
		],
	});
});
