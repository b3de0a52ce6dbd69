import { asList, asText } from '../../client.mts';
import { callsAre, campaign, queued, type Step, setStatus, statusesAre, useStories } from '../../story.mts';

const HOUR = 3600;
const to = '+12025550001';
const wait = (hours: number): Step => [`wait ${hours * HOUR}`];
/** Checks the number of phone calls to a number. */
const dialed = (number: string, total: number): Step => [
	`GET /calls?search=${encodeURIComponent(number)} 200`,
	{ pagination: { total } },
];

describe('the calls of a campaign', () => {
	const { play, stories } = useStories();

	stories({
		'wait for the first delay, and while the campaign is paused; calls in progress end': [
			...campaign('c', { initial_call_delay: 10 }),
			[...queued('c', to), { campaign_call: { status: 'scheduled' } }],
			['wait 8'],
			dialed(to, 0),
			['wait 4'],
			queued('c', '+12025550011'),
			setStatus('c', 'paused'),
			wait(1),
			statusesAre('c', 'completed scheduled'),
			setStatus('c', 'active'),
			['wait 60'],
			statusesAre('c', 'completed completed'),
		],
		'count in the stats when they end, except test calls, and complete the campaign with auto_complete': [
			...campaign('c', { max_retries: 0, auto_complete: true }),
			wait(1),
			['GET /campaigns/{c} 200', { data: { status: 'active' } }],
			...[to, '+12025550002', '+12025550005'].map((number) => queued('c', number)),
			queued('c', '+12025560001', { is_testing: true }),
			['GET /campaigns/{c} 200', { data: { stats: { total_calls: 3, completed_calls: 0, success_rate: 0 } } }],
			...campaign('open'),
			queued('open', to),
			['wait 100'],
			[
				'GET /campaigns/{c} 200',
				{
					data: {
						status: 'completed',
						stats: { total_calls: 3, completed_calls: 2, failed_calls: 1, success_rate: 66.67, average_duration: 23 },
					},
				},
			],
			['GET /campaigns/{open} 200', { data: { status: 'active' } }],
		],
	});

	it.each(['cancelled', 'completed'])('never start, nor are retried, once the campaign is %s', async (status) => {
		await play([
			...campaign('c'),
			queued('c', '+12025550002'),
			['wait 2'],
			['PUT /campaigns/{c} 200', { initial_call_delay: 10 }],
			queued('c', to),
			setStatus('c', status),
			wait(200),
			dialed(to, 0),
			statusesAre('c', 'failed cancelled'),
		]);
	});

	it.each([
		['busy', '0002', { busy_cooldown_hours: 2, retry_cooldown_hours: 9 }, 2],
		['no-answer', '0003', { no_answer_cooldown_hours: 3, retry_cooldown_hours: 9 }, 3],
		['failed', '0004', { failed_cooldown_hours: 4, retry_cooldown_hours: 9 }, 4],
		['busy', '0002', { retry_cooldown_hours: 5 }, 5],
	])('that end as %s (%s) with %j are retried after %i hours, max_retries times', async (...given) => {
		const [, digits, cooldowns, hours] = given;
		const [number, other] = [`+1202555${digits}`, `+1202556${digits}`];
		await play([
			...campaign('c', { max_retries: 1, ...cooldowns }),
			...campaign('never', { max_retries: 0, ...cooldowns }),
			queued('c', number),
			queued('never', other),
			['wait 60'],
			callsAre('c', { status: 'scheduled', retries: 1 }),
			[`wait ${hours * HOUR - 90}`],
			dialed(number, 1),
			['wait 90'],
			dialed(number, 2),
			wait(20),
			callsAre('c', { status: 'failed', retries: 1 }),
			dialed(number, 2),
			dialed(other, 1),
		]);
	});

	const after = { enable_post_completion_cooldown: true };
	it.each([
		['a conversation', '0001', { success_cooldown_hours: 2 }, 2],
		['a voicemail', '0005', { voicemail_cooldown_hours: 3 }, 3],
		['any end', '0001', { success_cooldown_hours: 1, ...after, post_completion_cooldown_hours: 6 }, 6],
		['the longer of two', '0001', { success_cooldown_hours: 5, ...after, post_completion_cooldown_hours: 2 }, 5],
		['a failure', '0002', { busy_cooldown_hours: 1, max_retries: 0, ...after, post_completion_cooldown_hours: 5 }, 5],
	])('have a cooldown after %s (%s, %j) of %i hours for the number', async (_what, digits, settings, hours) => {
		const number = `+1202555${digits}`;
		await play([
			...campaign('c', { enable_post_completion_cooldown: false, ...settings }),
			queued('c', number),
			['wait 60'],
			[...queued('c', number), { campaign_call: { status: 'scheduled' } }],
			[`wait ${hours * HOUR - 90}`],
			dialed(number, 1),
			['wait 90'],
			dialed(number, 2),
		]);
	});
});

describe('with few credits, the calls of a campaign', () => {
	useStories({ credits: 1 }).stories({
		'fail while the agent is not published, and without credits, which test calls do not need': [
			...campaign('c', { max_retries: 0 }),
			queued('c', to, { is_testing: true }),
			queued('c', '+12025553001'),
			queued('c', '+12025554001'),
			['wait 60'],
			statusesAre('c', 'completed completed failed'),
			['POST /agents/{agent}/unpublish 200'],
			queued('c', '+12025550011', { is_testing: true }),
			['wait 60'],
			statusesAre('c', 'completed completed failed failed'),
		],
	});
});

describe('do-not-call', () => {
	const { play } = useStories();
	const base = {
		do_not_call_enabled: true,
		max_retries: 3,
		enable_post_completion_cooldown: false,
		success_cooldown_hours: 1,
	};
	const source = (do_not_call_list_source: string) => ({ do_not_call_list_source });
	/** Queues each number in turn, and returns its status, or `listed` if it was not called. */
	const outcomes = (numbers: string[], expected: string): Step[] => [
		...numbers.flatMap((number) => [queued('c', number), wait(2)]),
		statusesAre('c', expected.replaceAll('listed', 'failed')),
		...[...new Set(numbers)].map((number) => {
			const called = numbers.filter((other, index) => other === number && expected.split(' ')[index] !== 'listed');
			return dialed(number, called.length);
		}),
	];

	it.each([
		['environment', '+12025550198'],
		['global', '+12025550199'],
		['custom', '+12025557777'],
	])('prevents calls to a number of the %s list, and starts no cooldown for it', async (list, listed) => {
		const settings = { do_not_call_custom_list: ['+12025557777'], enable_post_completion_cooldown: true };
		await play([
			...campaign('c', { ...base, ...source(list), ...settings }),
			...outcomes([listed, '+12025557778'], 'listed completed'),
			['PUT /campaigns/{c} 200', { do_not_call_enabled: false }],
			queued('c', listed),
			wait(2),
			dialed(listed, 1),
		]);
	});

	it.each(['environment', 'global', 'campaign', 'custom'])(
		'adds a number to the %s list after a call',
		async (list) => {
			const isShared = list === 'environment' || list === 'global';
			await play([
				...campaign('c', { ...base, ...source(list) }),
				...outcomes([to, to], 'completed listed'),
				...campaign('c', { ...base, ...source(list) }),
				queued('c', to),
				wait(2),
				dialed(to, isShared ? 1 : 2),
			]);
		},
	);

	const voicemail = { ...source('campaign'), auto_dnc_trigger_statuses: ['voicemail'], auto_dnc_trigger_errors: [] };
	const [NO_ANSWER, ERROR, VOICEMAIL] = ['+12025550003', '+12025550004', '+12025550005'];
	it.each<[what: string, settings: object, numbers: string[], expected: string]>([
		['nothing where it is off', { auto_add_to_dnc_enabled: false }, [to, to], 'completed completed'],
		['nothing with do-not-call off', { do_not_call_enabled: false }, [to, to], 'completed completed'],
		['no other end than a trigger', voicemail, [to, to], 'completed completed'],
		['after a voicemail', { ...voicemail, voicemail_cooldown_hours: 1 }, [VOICEMAIL, VOICEMAIL], 'completed listed'],
		['after no-answer', { ...voicemail, auto_dnc_trigger_statuses: ['no-answer'] }, [NO_ANSWER], 'failed'],
		['after no_answer', { ...voicemail, auto_dnc_trigger_statuses: ['no_answer'] }, [NO_ANSWER], 'failed'],
		['after an error, which ends the retries', source('campaign'), [ERROR], 'failed'],
	])('adds %s: %j', async (_what, settings, numbers, expected) => {
		await play([...campaign('c', { ...base, ...settings }), ...outcomes(numbers, expected)]);
	});
});

describe('with 12 calls per hour', () => {
	const { service, play } = useStories({ callsPerHour: 12, startTime: Date.UTC(2027, 0, 4, 8) });
	const number = (index: number) => `+120220${index}0001`;
	const queue = (...indexes: number[]) => indexes.map((index) => queued('c', number(index)));
	/** The phone calls in the order in which they were placed: the index of the number, and the minutes since the first. */
	const placed = async () => {
		const calls = asList(await service.control('calls')).slice(30);
		const times = calls.map(({ created_at }) => Date.parse(asText(created_at)));
		return calls.map(({ to }, index) => `${asText(to)[7]} ${Math.round((times[index]! - times[0]!) / 60_000)}`);
	};

	it('a campaign places its calls evenly, in the order in which they were queued, and makes up for no pause', async () => {
		await play([...campaign('c'), ...queue(0, 1, 2, 3), wait(1), ...queue(4, 5), wait(1)]);
		expect(await placed()).toEqual(['0 0', '1 5', '2 10', '3 15', '4 60', '5 65']);
	});

	it('no call is placed twice or lost by a pause, and one that is not placed takes no turn', async () => {
		await play([
			...campaign('c', { do_not_call_enabled: true }),
			...queue(0),
			queued('c', '+12025550198'),
			...queue(1, 2),
			['wait 60'],
			setStatus('c', 'paused'),
			['wait 60'],
			setStatus('c', 'active'),
			wait(1),
			...queue(3, 4),
			['wait 30'],
			setStatus('c', 'cancelled'),
			wait(1),
			statusesAre('c', 'completed failed completed completed completed cancelled'),
		]);
		expect((await placed()).map((text) => text[0])).toEqual(['0', '1', '2', '3']);
		expect((await placed()).slice(0, 3)).toEqual(['0 0', '1 5', '2 10']);
	});
});
