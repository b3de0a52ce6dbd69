import { uuidOf } from '../../../sandbox/world/ids.mts';
import { callsAre, campaign, queued, type Step, useStories, webhook } from '../story.mts';

const START = Date.UTC(2030, 0, 7, 9);
const FROM = '+12025550199';
const GREETING = 'agent: Hello, this is Amelia.';
const { play, stories } = useStories({ startTime: START, credits: 10 });

const mode = (calls: string): Step => ['POST /_sandbox/mode 200', { calls, ringSeconds: 40 }];
const place = (to: string, more: object = {}): Step => ['POST /agents/{agent}/call 200 > call', { to, ...more }];
const act = (action: string, more: object = {}): Step => ['POST /_sandbox/calls/{call}/act 200', { action, ...more }];
const impossible = (action: string, message: string, more: object = {}): Step => [
	'POST /_sandbox/calls/{call}/act 409',
	{ action, ...more },
	message,
];
const callIs = (expected: object): Step => ['GET /_sandbox/calls/{call} 200', expected];
/** Returns statuses with the seconds since the start. */
const statuses = (...all: Array<[status: string, seconds: number]>) => ({
	statuses: all.map(([status, seconds]) => {
		const moment = new Date(START + seconds * 1000).toISOString().slice(0, 19);
		return { status, at: expect.stringContaining(moment) };
	}),
});
/** Returns the spoken lines, each as `role: content`. */
const words = (...all: string[]) => ({
	transcript: all.map((text) => ({ role: text.split(': ', 1)[0], content: text.replace(/^\w+: /, '') })),
});

describe('manual calls', () => {
	const ringing: Step[] = [mode('manual'), place('+12025550002'), ['wait 1']];

	stories({
		'ring, whatever their number says, until the time is over and nobody has answered': [
			...ringing,
			['wait 39'],
			callIs({ status: 'ringing' }),
			['wait 1'],
			callIs(statuses(['initiated', 0], ['ringing', 1], ['no-answer', 41])),
			callIs({ duration: 0, can: [], report: { outcome: 'no-answer' }, recording_url: null }),
		],
		'are answered, spoken in and hung up by hand, and last as long as that took': [
			...ringing,
			act('answer'),
			act('say', { text: 'Who is this?' }),
			act('say', { text: 'The office.', by: 'agent' }),
			act('press', { keys: '1#' }),
			['wait 100'],
			act('hangUp'),
			['wait 10000'],
			callIs(statuses(['initiated', 0], ['ringing', 1], ['answered', 1], ['completed', 101])),
			callIs(words(GREETING, 'user: Who is this?', 'agent: The office.', 'user: [pressed 1#]')),
			callIs({ duration: 100, answered_by: 'person', ended_by: 'person' }),
			callIs({ report: { summary: 'The person was reached. The person hung up.' } }),
		],
		'refuse what is impossible in their status, and say what is possible': [
			mode('manual'),
			place('+12025550001'),
			impossible('answer', 'The call has the status initiated: "answer" is not possible. Possible now: hangUp.'),
			['wait 1'],
			impossible('say', 'ringing', { text: 'Hello' }),
			act('answer'),
			...['answer', 'decline', 'busy', 'noAnswer', 'fail', 'voicemail'].map((action) => impossible(action, 'answered')),
			act('hangUp'),
			impossible('hangUp', 'The call is over (completed): "hangUp" is not possible.'),
			['POST /_sandbox/calls/nobody/act 404', { action: 'answer' }],
		],
		'of a campaign are tried again by its rules, and send the events after a call': [
			mode('manual'),
			...campaign('c', { max_retries: 1, retry_cooldown_hours: 1 }),
			webhook('hook', 'campaigns/{c}'),
			queued('c', '+12025550001'),
			[`GET /_sandbox/calls?campaignId={c} 200 > call=items.0.campaign_call_id`],
			['wait 1'],
			act('decline'),
			callsAre('c', { status: 'scheduled', retries: 1 }),
			['wait 3601'],
			['events campaign_call.queued campaign_call.started campaign_call.retry_scheduled campaign_call.started'],
			act('answer'),
			['wait 7'],
			act('hangUp'),
			callIs({
				attempts: [
					{ status: 'busy', duration: 0 },
					{ status: 'completed', duration: 7 },
				],
				campaign_call: { id: '{queued}', campaign_id: '{c}', status: 'completed', retries: 1 },
			}),
			['wait 0'],
			['events campaign_call.completed event_call_report event_call_transcript event_recording'],
		],
		'begin with the first message, with the values of the payload, and name what has no value': [
			[
				'PUT /agents/{agent}/knowledge 200',
				{
					description: 'A friendly agent',
					interrupt_sensitivity: 'low',
					ask_if_human_present_on_idle: true,
					llm_temperature: 1,
					initial_message_delay: 0,
					initial_message: 'Hi {{ name }} of {{company.name}}: {{count}}, {{missing}} and {{missing}}, {{nothing}}.',
				},
			],
			['POST /agents/{agent}/publish 200'],
			place('+12025550001', { payload: { name: 'Ada', company: { name: 'Example' }, count: 0, nothing: null } }),
			['wait 100'],
			callIs({
				first_message: {
					text: 'Hi Ada of Example: 0, {{missing}} and {{missing}}, {{nothing}}.',
					unfilled: ['missing', 'nothing'],
				},
			}),
		],
	});

	it.each([
		['decline', 'busy'],
		['busy', 'busy'],
		['noAnswer', 'no-answer'],
		['fail', 'failed'],
		['hangUp', 'completed'],
	])('end at once by %s', async (action, status) => {
		const end = { status, duration: 0, answered_by: null, report: { outcome: status } };
		await play([...ringing, act(action), callIs(end)]);
	});

	const slow = useStories({ minimumStatusMs: 100 });
	it('act once, although several people answer at the same time', async () => {
		const { call } = await slow.play(ringing);
		const responses = await Promise.all(
			['answer', 'decline', 'answer'].map((action) =>
				slow.service.controlResponse('POST', `calls/${String(call)}/act`, { action }),
			),
		);
		expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
		expect((await slow.service.control(`calls/${String(call)}`)).statuses).toHaveLength(3);
	});
});

describe('scripted calls', () => {
	const TO = '+12025550123';
	const script = (steps: object[], more: object = {}): Step => [
		'POST /_sandbox/script 200',
		{ to: TO, ...more, steps },
	];
	const ends = (to: string, status: string): Step[] => [place(to), ['wait 100'], callIs({ status })];

	stories({
		'do what their script says, at the moments that it says': [
			script([
				{ after: 3, do: 'answer' },
				{ after: 2, do: 'say', text: 'On Tuesday.' },
				{ after: 1, do: 'press', keys: '1#' },
				{ do: 'say', text: 'Thank you.', by: 'agent' },
				{ after: 4, do: 'hangUp', by: 'agent' },
			]),
			place(TO),
			['wait 100'],
			callIs(statuses(['initiated', 0], ['ringing', 1], ['answered', 4], ['completed', 11])),
			callIs(words(GREETING, 'user: On Tuesday.', 'user: [pressed 1#]', 'agent: Thank you.')),
			callIs({ duration: 7, ended_by: 'agent', report: { outcome: 'completed' } }),
		],
		'are the next ones to their number, as often as the script says, and no others': [
			script([{ do: 'decline' }], { times: 2 }),
			...ends('+12025550124', 'completed'),
			...ends(TO, 'busy'),
			...ends(TO, 'busy'),
			...ends(TO, 'completed'),
			['GET /_sandbox/script 200', []],
		],
	});

	it.each([
		[[], 'steps'],
		[[{ do: 'dance' }], 'steps.0.do'],
		[[{ do: 'say', text: 'Hi' }], 'steps.0.do'],
		[[{ do: 'busy' }, { do: 'answer' }], 'steps.1.do'],
		[[{ do: 'answer' }, { do: 'voicemail' }], 'steps.1.do'],
		[[{ do: 'answer' }, { do: 'say' }], 'steps.1.text'],
		[[{ do: 'answer' }, { do: 'press', keys: '' }], 'steps.1.keys'],
		[[{ do: 'answer', after: -1 }], 'steps.0.after'],
		[[{ do: 'answer' }, { do: 'useAction' }], 'steps.1.action'],
		[[{ do: 'answer', text: 'Hi' }], 'steps.0.text'],
	])('refuse the steps %j with the field %s', async (steps, field) => {
		await play([['POST /_sandbox/script 422', { to: TO, steps }, field]]);
	});
});

describe('calls that come in', () => {
	/** The number of Iris, who answers inbound calls. */
	const to = '+12025550145';
	const ring = (more: object = {}): Step => ['POST /_sandbox/inbound 200 > call', { from: FROM, to, ...more }];
	const refused = (status: number, code: string, more: object = {}): Step => [
		`POST /_sandbox/inbound ${status}`,
		{ from: FROM, to, ...more },
		code,
	];
	const inbound = [5, 11, 17, 23, 29].map((index) => uuidOf(`agent ${index}`));

	stories({
		'are taken by the agent, and cost no credit': [
			[...ring({ context: { order: 7 } }), { call: { direction: 'inbound' } }],
			['wait 100'],
			callIs({ from: FROM, to, status: 'completed', duration: 30, context: { order: 7 }, answered_by: 'person' }),
			callIs({ events: expect.arrayContaining([expect.objectContaining({ event: 'event_phone_call_started' })]) }),
			['GET /calls?direction=inbound 200', { data: [{ id: '{call}' }] }],
			['GET /_sandbox/status 200', { credits: 10 }],
		],
		'are not answered if they are told so, and follow given steps or a script of the calling number': [
			['POST /_sandbox/script 200', { from: '+12025550197', steps: [{ do: 'fail' }] }],
			ring({ answer: false }),
			['wait 100'],
			callIs({ status: 'no-answer' }),
			ring({ steps: [{ do: 'answer' }, { do: 'say', text: 'Wrong number.' }, { do: 'hangUp' }] }),
			['wait 100'],
			callIs({ status: 'completed', ...words('agent: Hello, this is Iris.', 'user: Wrong number.') }),
			ring({ from: '+12025550197' }),
			['wait 100'],
			callIs({ status: 'failed' }),
		],
		'are taken in manual mode too, last until somebody hangs up, and are found by the number that calls': [
			mode('manual'),
			ring(),
			['wait 500'],
			callIs({ status: 'answered' }),
			['GET /agents?search=Iris 200 > taker=data.0.id'],
			[`GET /agents/{taker}/active-call/${FROM} 200`, { data: [{ id: '{call}' }] }],
			['POST /agents/{taker}/end-call 200', { call_sid: '{call}' }],
			callIs({ status: 'completed', duration: 498, ended_by: 'api' }),
		],
		'are refused for an unknown number, one that is not active, and an agent that takes no calls': [
			refused(404, 'number', { to: '+12025550999' }),
			refused(409, 'NUMBER_INACTIVE', { to: '+4930901820' }),
			['GET /agents?search=Iris 200 > iris=data.0.id'],
			...['{iris}', ...inbound].map((id): Step => [`POST /agents/${id}/unpublish 200`]),
			refused(409, 'AGENT_INACTIVE'),
			...['{iris}', ...inbound].map((id): Step => [`PUT /agents/${id}/calling 200`, { direction: 'outbound' }]),
			refused(409, 'NO_INBOUND_AGENT'),
			['GET /_sandbox/calls 200', { length: 30 }],
		],
	});
});
