import { anywhere, type Fields, idOf, isNone, isNumber, isObject } from '../read.mts';
import { check, hasStatus, isOk, make, ok, refused, refuses, type Step, takes, UNKNOWN_ID } from '../step.mts';

const AGENT = {
	name: '{name}',
	label: 'Contract check',
	language: 'en-US',
	direction: 'outbound',
	who_speaks_first: 'agent',
	interrupt_sensitivity: 'medium',
	endpointing_sensitivity: 'medium',
	ivr_navigation_mode: 'disabled',
	conversation_speed: 1.5,
	llm_temperature: 0.4,
	initial_message_delay: 1,
	ask_if_human_present_on_idle: true,
	idle_time_seconds: 30,
	enable_recording: false,
};
export const CAMPAIGN = {
	name: '{name}',
	campaign_type: 'custom',
	agent_id: '{own agent}',
	start_date: new Date().toISOString().slice(0, 10),
	days_of_week: [1, 2, 3, 4, 5, 6, 7],
	call_time_ranges: [{ start: '00:00', end: '23:59' }],
	timezone: 'UTC',
};
const LOGIN = { username: 'contract-check', password: 'no-real-password' };
const SFTP = { ...LOGIN, host: 'sftp.contract-check.invalid', auth_type: 'password' };
const TRUNK = {
	...LOGIN,
	name: '{name}',
	provider_name: 'check',
	domain: 'sip.contract-check.invalid',
	transport: 'tls',
};

/** Checks that the service refuses some values and accepts others. The body lacks a name: nothing is created. */
const limits =
	(path: string, { name: _name, ...base }: Fields) =>
	(question: string, wrong: Fields, right: Fields) => [
		check(question, `POST ${path}`, refuses(...Object.keys(wrong)), { ...base, ...wrong }),
		check(question, `POST ${path}`, takes(...Object.keys(right)), { ...base, ...right }),
	];
const ofAgent = limits('/agents', AGENT);
const ofCampaign = limits('/campaigns', { ...CAMPAIGN, agent_id: UNKNOWN_ID });

const ACTIONS = 'POST /agents/{own agent}/actions';
const ACTION = { node_id: 'contract-check', name: 'check', description: 'A check', type: 'hold', hold_duration: 1 };
const VALIDATE = 'POST /agents/{own agent}/flow/validate';
const flow = (...nodes: Fields[]) => ({ flow_config: { initial_node_id: nodes[0]?.id, nodes } });
const END = { id: 'end', type: 'end' };

/** Agents in draft. */
export const agents: readonly Step[] = [
	make('own agent', 'POST /agents', AGENT, {
		'Which status has a response?': hasStatus(201),
		'What stands for nothing?': ({ data }) => data.voice === null && Array.isArray(data.phone_numbers),
	}),
	...ofAgent('Languages of an agent', { language: 'sv-SE' }, { language: 'pt-BR' }),
	...ofAgent('Limit of `idle_time_seconds`', { idle_time_seconds: 301 }, { idle_time_seconds: 300 }),
	...ofAgent('Limit of `conversation_speed`', { conversation_speed: 3.1 }, { conversation_speed: 0.1 }),
	...ofAgent(
		"Limits of `description` and `initial_message` at an agent's creation",
		{ description: 'abcd', initial_message: 'abcd' },
		{ description: undefined, initial_message: 'abcde' },
	),
	make('action', ACTIONS, ACTION),
	{
		request: ACTIONS,
		body: { ...ACTION, hold_duration: 2 },
		confirms: {
			'What identifies an action?': ({ data, use }) => idOf(data) === use('action'),
			'What identifies an action for an update?': hasStatus(200),
		},
	},
	check('`integration.id`', ACTIONS, refused, { ...ACTION, type: 'external', integration: { id: 'contract' } }),
	check(
		'HTTP status of an invalid flow',
		VALIDATE,
		({ exchange }) => isOk(exchange) && anywhere(exchange.body, 'success') === false,
		flow({ id: 'say', type: 'say', next: 'end' }, END),
	),
	check(
		'`next` of an `end` node',
		VALIDATE,
		({ exchange }) => isOk(exchange) && anywhere(exchange.body, 'success') !== false,
		flow({ ...END, next: 'nowhere' }),
	),
	check(
		'Do flat errors carry `code`?',
		`POST /agents/${UNKNOWN_ID}/call`,
		({ exchange: { body } }) => anywhere(body, 'code') === 'AGENT_NOT_FOUND',
		{ to: '+1202555', is_testing: true },
	),
];

const OWN_SFTP = '/campaigns/{own campaign}/sftp';

/** A campaign in draft with an SFTP configuration. */
export const campaigns: readonly Step[] = [
	make('own campaign', 'POST /campaigns', CAMPAIGN, { 'Which status has a response?': hasStatus(201) }),
	{
		request: 'GET /campaigns/{own campaign}',
		confirms: {
			'Time ranges or earliest and latest time?': ({ data }) => data.earliest_call_time === '00:00:00',
			'Default of the success and voicemail cooldowns': ({ data }) => isNumber(data.success_cooldown_hours, 24),
			Stats: ({ data: { stats } }) => isObject(stats) && isNumber(stats.total_calls, 0),
		},
	},
	...ofCampaign(
		'May a range end at midnight?',
		{ call_time_ranges: [{ start: '09:00', end: '25:00' }] },
		{ call_time_ranges: [{ start: '00:00', end: '24:00' }] },
	),
	...ofCampaign('A fixed offset such as `+02:00` as time zone', { timezone: '+02:00' }, { timezone: 'Europe/Berlin' }),
	...ofCampaign('`null` in an optional field', { max_retries: null }, { max_retries: 3 }),
	check('No body where one is expected', 'POST /campaigns', refuses('name')),
	check('Which fields can be cleared by null?', 'PUT /campaigns/{own campaign}', ok, { busy_cooldown_hours: null }),
	check('No configuration', `GET ${OWN_SFTP}`, refused),
	check('Status of a creation', `POST ${OWN_SFTP}`, hasStatus(201), SFTP),
	check('A second creation', `POST ${OWN_SFTP}`, hasStatus(409), SFTP),
	check('Import or export while disabled', `POST ${OWN_SFTP}/trigger-import`, hasStatus(422)),
	check('HTTP status of a test that fails', `POST ${OWN_SFTP}/test-connection`, ok),
];

/** A SIP trunk with a host that cannot exist. */
export const trunks: readonly Step[] = [
	make('plan with custom SIP trunks', 'POST /sip-trunks', TRUNK, {
		'A plan without the flag': (found) => isOk(found.exchange) || hasStatus(403)(found),
	}),
	{
		request: 'GET /sip-trunks/{plan with custom SIP trunks}',
		confirms: {
			'Does the port follow the transport?': ({ data }) => isNumber(data.port, 5061),
			'`health_status` and `last_health_check_at` before the first check': ({ data }) => isNone(data.health_status),
		},
	},
	check('HTTP status of a failed verification', 'POST /sip-trunks/{plan with custom SIP trunks}/verify', ok),
];

const CALENDAR = '/calendars/{own calendar}';
const MEMBER = { user_id: '00000000-0000-4000-8000-00000000beef', role: 'viewer' };
const EVENT = { title: 'Contract check', start_at: '2031-02-03T10:00:00Z', end_at: '2031-02-03T11:00:00Z' };
const PEOPLE = ['one', 'two'].map((name) => ({ name, email: `${name}@example.com` }));
const RULE = { type: 'recurring', days_of_week: [1], start_time: '09:00', end_time: '10:30' };
const MONDAY = 'from=2031-01-06T09:10:00Z&to=2031-01-06T12:00:00Z&duration_minutes=30';

/** A calendar with the same owner as the account's first calendar. */
export const calendars: readonly Step[] = [
	make('own calendar', 'POST /calendars', {
		name: '{name}',
		owner_id: '{owner}',
		timezone: 'UTC',
		metadata: { one: 1 },
	}),
	{ request: `PUT ${CALENDAR}`, body: { metadata: { two: 2 } } },
	check(
		'`metadata` in an update',
		`GET ${CALENDAR}`,
		({ data: { metadata } }) => isObject(metadata) && !('one' in metadata),
	),
	{ request: `GET ${CALENDAR}/members`, keeps: { membership: ({ rows }) => idOf(rows[0]) } },
	check('Removing the owner', `DELETE ${CALENDAR}/members/{membership}`, hasStatus(409)),
	make('second user', `POST ${CALENDAR}/members`, MEMBER, {
		'Whom may `user_id`, `owner_id` and `created_by` name?': ok,
	}),
	check('How does a calendar change its owner?', `PUT ${CALENDAR}/members/{second user}`, ok, { role: 'owner' }),
	check('Which moments are accepted?', `POST ${CALENDAR}/events`, ok, { ...EVENT, start_at: '2031-02-03' }),
	make('event', `POST ${CALENDAR}/events`, { ...EVENT, attendees: PEOPLE }),
	{ request: `PUT ${CALENDAR}/events/{event}`, body: { attendees: PEOPLE.slice(1) } },
	check(
		'`attendees` in an update',
		`GET ${CALENDAR}/events/{event}`,
		({ data: { attendees: left } }) => Array.isArray(left) && left.length === 1,
	),
	make('rule', `POST ${CALENDAR}/availability-rules`, RULE, { 'Status of a creation': hasStatus(201) }),
	check(
		'Where do slots begin?',
		`GET ${CALENDAR}/availability?${MONDAY}`,
		({ list }) => list.map(({ start_at }) => String(start_at).slice(11, 16)).join() === '09:30,10:00',
	),
	check(
		"Answer to a rule's update",
		`PUT ${CALENDAR}/availability-rules/{rule}`,
		({ data }) => data.end_time === '10:30',
		{
			start_time: '09:30',
		},
	),
];
