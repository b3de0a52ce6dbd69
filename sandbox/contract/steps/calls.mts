import { anywhere, type Fields, idOf, isNone, isObject, word } from '../read.mts';
import { CALLER, check, type Found, hasStatus, make, ok, refused, type Step } from '../step.mts';
import { CAMPAIGN } from './drafts.mts';

const AGENT = `/agents/{${CALLER}}`;
const CALL = { to: '{number}', is_testing: true, context: { contract: 'check' } };

/** A call with a delay of five minutes. It is ended before it rings. */
export const calls: readonly Step[] = [
	make(
		'own call',
		`POST ${AGENT}/call`,
		{ ...CALL, delay_seconds: 300 },
		{
			'Status during `delay_seconds`': ({ data }) => word(anywhere(data, 'status')) === 'initiated',
			'What is around the data of a response?': ({ data }) => idOf(data) !== undefined,
		},
	),
	check('Which call does `active-call` find by a number?', `GET ${AGENT}/active-call/{number}`, ({ list, use }) =>
		list.some((row) => idOf(row) === use('own call')),
	),
	check('What ends a call by `end-call`?', `POST ${AGENT}/end-call`, ({ data }) => word(data.status) === 'completed', {
		call_sid: '{own call}',
	}),
	check('What ends a call by `end-call`?', `POST ${AGENT}/end-call`, hasStatus(409), { call_sid: '{own call}' }),
	check('Which call does `active-call` find by a number?', `GET ${AGENT}/active-call/{number}`, refused),
];

/** Ends a call to the given number, no matter how the run ended. */
export const ending: readonly Step[] = [
	{
		request: `GET ${AGENT}/active-call/{number}`,
		keeps: { 'open call': ({ list, data }) => idOf(list[0]) ?? idOf(data) },
	},
	{ request: `POST ${AGENT}/end-call`, body: { call_sid: '{open call}' } },
];

const ACTIVE = '/campaigns/{active campaign}';
const inBody = ({ exchange: { body } }: Found, name: string): Fields => {
	const value = anywhere(body, name);
	return isObject(value) ? value : {};
};

/** A campaign whose call waits for an hour. The campaign is cancelled before, so that the call never rings. */
export const queuedCalls: readonly Step[] = [
	make('active campaign', 'POST /campaigns', { ...CAMPAIGN, agent_id: `{${CALLER}}`, initial_call_delay: 3600 }),
	{ request: `PATCH ${ACTIVE}/status`, body: { status: 'active' } },
	check(
		'Status of a campaign call',
		`POST ${ACTIVE}/call`,
		(found) => word(inBody(found, 'campaign_call').status) === 'scheduled',
		CALL,
	),
	check(
		'What does the 409 of a duplicate call have?',
		`POST ${ACTIVE}/call`,
		(found) =>
			hasStatus(409)(found) === true && ['id', 'status'].every((name) => !isNone(inBody(found, 'existing_call')[name])),
		CALL,
	),
	check('Changing the schedule with calls queued', `PUT ${ACTIVE}`, hasStatus(409), { timezone: 'Europe/Berlin' }),
	check('Changing the schedule with calls queued', `PUT ${ACTIVE}`, ok, { timezone: 'UTC' }),
	{ request: `PATCH ${ACTIVE}/status`, body: { status: 'cancelled' } },
];
