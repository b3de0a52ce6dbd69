import { anywhere, type Fields, idOf, isObject, isTrue, momentOf, word } from '../read.mts';
import {
	CALLER,
	check,
	hasErrorForm,
	hasStatus,
	INVALID_TOKEN,
	type Judge,
	ok,
	type Step,
	UNKNOWN_ID,
} from '../step.mts';

const isDraft = ({ current_status }: Fields) => word(current_status) === 'draft';
const isCaller = ({ current_status: status, direction, phone_numbers: numbers }: Fields) =>
	word(status) === 'published' && direction === 'outbound' && Array.isArray(numbers) && numbers.length > 0;

/** Whether a list is in the order of creation (1), or the newest first (-1). */
const isOrdered =
	(sign: 1 | -1): Judge =>
	({ rows }) => {
		const times = rows.map(({ created_at }) => sign * momentOf(created_at));
		return times.every((time, at) => at === 0 || time >= times[at - 1]!) || 'the list has another order';
	};
const statesPages =
	(field: string): Judge =>
	({ exchange: { body } }) => {
		const pages = isObject(body) ? body[field] : undefined;
		return isObject(pages) && ['current_page', 'per_page', 'total', 'last_page'].every((name) => name in pages);
	};
/** Whether the rate window ends within a day. */
const isInSeconds: Judge = ({ exchange: { headers } }) => {
	const reset = headers['x-ratelimit-reset'];
	const isNear = Math.abs(Number(reset) - Date.now() / 1000) < 86_400;
	return isNear || `X-RateLimit-Reset: ${reset?.replaceAll(/\d/g, '0')}`;
};

/** Steps that only read. They keep the values of the account that later steps need. */
export const reading: readonly Step[] = [
	{
		request: 'GET /agents',
		keeps: {
			agent: ({ rows }) => idOf(rows[0]),
			[CALLER]: ({ list }) => idOf(list.find(isCaller)),
		},
		confirms: {
			'Encoding of a response': ({ exchange: { headers } }) =>
				headers['content-type'] === 'application/json; charset=utf-8' || `Content-Type: ${headers['content-type']}`,
			'Names of the rate limit headers': ({ exchange: { headers } }) =>
				['limit', 'remaining', 'reset'].every((name) => headers[`x-ratelimit-${name}`] !== undefined) ||
				`headers: ${Object.keys(headers).join(', ')}`,
			'Unit of `X-RateLimit-Reset`': isInSeconds,
			'What is the published state called?': ({ rows }) =>
				rows.every((row) => isDraft(row) || word(row.current_status) === 'published'),
			'What does `is_ready_to_publish` show?': ({ rows }) =>
				rows.every((row) => isTrue(row.is_ready_to_publish) === (!isDraft(row) || isObject(row.voice))),
			'How does a list state its pages?': statesPages('meta'),
			'Order of lists': isOrdered(1),
		},
	},
	check('How many items has a page?', 'GET /agents?per_page=1', ({ list }) => list.length === 1),
	check(
		'How many items has a page?',
		'GET /agents?per_page=6',
		({ list, exchange }) => list.length === Math.min(6, Number(anywhere(exchange.body, 'total') ?? list.length)),
	),
	check('Which variables of a query are accepted?', 'GET /phone-numbers?page=1&per_page=2', ok),
	{
		request: 'GET /agents?status=contract',
		confirms: {
			'Which status has an error?': hasStatus(422),
			'How does a 422 name its fields?': ({ exchange: { body } }) => isObject(body) && isObject(body.errors),
		},
	},
	{
		request: 'GET /agents/{agent}',
		confirms: {
			'What is around the data of a response?': ({ exchange: { body } }) =>
				isObject(body) && body.success === true && isObject(body.data),
			'Form of identifiers': ({ data }) => typeof data.id === 'string',
			'Form of times': ({ data }) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(data.created_at)),
			'Form of numbers and of yes and no': ({ data }) =>
				typeof data.conversation_speed === 'number' && typeof data.is_sandbox === 'boolean',
		},
	},
	{
		request: 'GET /calls',
		confirms: {
			'Order of lists': isOrdered(-1),
			'How does a list state its pages?': statesPages('pagination'),
			'How are statuses written?': ({ rows }) => rows.every(({ status }) => status === word(status)),
		},
	},
	check('A page beyond the last', 'GET /calls?page=99999', ({ list }) => list.length === 0),
	{ request: 'GET /campaigns', keeps: { campaign: ({ rows }) => idOf(rows[0]) } },
	check(
		'Which fields has a response?',
		'GET /campaigns/{campaign}',
		({ data: { days_of_week: days, ...data } }) =>
			['agent_id', 'timezone', 'calls', 'files'].every((name) => name in data) &&
			Array.isArray(days) &&
			days.every((day) => /^\d$/.test(String(day))),
	),
	check('Which statuses has a phone number?', 'GET /phone-numbers', ({ list }) =>
		list.every((row) => ['active', 'inactive', 'pending', 'suspended'].includes(word(row.current_status))),
	),
	check('A group of which only some tiers match', 'GET /voice-templates', ({ rows }) =>
		rows.every(({ voices }) => Array.isArray(voices)),
	),
	{
		request: 'GET /calendars',
		keeps: { owner: ({ rows }) => String(rows[0]?.owner_id) },
	},
	...Object.entries({
		'/agents': '{success, message}',
		'/calls': '{success, message}',
		'/calendars': '{success, error: {code, details, message}} INVALID_API_KEY',
		'/sip-trunks': '{error, message, status_code} UNAUTHORIZED',
		[`/agents/${UNKNOWN_ID}/webhooks`]: '{message}',
	}).map(([path, form]) => ({
		...check('Which body has a 401?', `GET ${path}`, hasErrorForm(form)),
		token: INVALID_TOKEN,
	})),
	{
		...check('Which body has a 401?', 'GET /agents', hasErrorForm('{error, message, status_code} MISSING_TOKEN')),
		token: null,
	},
	{
		request: `GET /agents/${UNKNOWN_ID}`,
		confirms: {
			'Which status has an error?': hasStatus(404),
			'Which format has an error?': hasErrorForm('{success, message}'),
			'Do flat errors carry `code`?': hasErrorForm('{success, message}'),
		},
	},
];
