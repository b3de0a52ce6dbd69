import { idOf, isNone, isNumber, isObject, isTrue, word } from '../read.mts';
import { type Arrival, signaturesOf } from '../receiver.mts';
import { check, hasErrorForm, hasStatus, isOk, type Judge, ok, type Step } from '../step.mts';

const SECRET = 'contract-check-signing-secret';
const EVENTS = ['event_phone_call_ended', 'event_recording'];
/** The fields of an event about a call. */
const FIELDS = 'campaign_id campaign_name agent_id agent_name to status retries duration is_testing'.split(' ');
const OF_AGENT = '/agents/{own agent}/webhooks';
const OF_CAMPAIGN = '/campaigns/{own campaign}/webhooks';
const QUERY = '?second=1&first=a%20b';

const webhook = (more: object) => ({
	name: 'Contract check',
	webhook_url: 'https://example.com/contract',
	events: EVENTS,
	...more,
});
const hidesSecret: Judge = ({ exchange }) =>
	isOk(exchange) && !/"\w*secret\w*":/i.test(JSON.stringify(exchange.body ?? ''));

/** Webhooks that receive no deliveries. */
export const webhooks: readonly Step[] = [
	{
		request: `POST ${OF_AGENT}`,
		body: webhook({ timeout: 45, max_retries: 1, webhook_secret: SECRET }),
		keeps: { webhook: ({ data }) => idOf(data) },
		confirms: {
			'Status of a creation': hasStatus(201),
			'Is the secret of a webhook shown?': hidesSecret,
			'Which fields has a webhook?': ({ data }) =>
				['id', 'webhook_url', 'events', 'enabled', 'timeout', 'max_retries'].every((name) => name in data),
		},
	},
	{ request: `PUT ${OF_AGENT}/{webhook}`, body: { name: 'After' } },
	check('Does an update of a webhook leave alone what it does not name?', `GET ${OF_AGENT}/{webhook}`, ({ data }) =>
		[String(data.events) === String(EVENTS), isNumber(data.timeout, 45), isNumber(data.max_retries, 1)].every(Boolean),
	),
	{
		request: `GET ${OF_AGENT}`,
		confirms: {
			'Is the secret of a webhook shown?': hidesSecret,
			'Which fields has a webhook?': ({ data }) => isObject(data.available_events) && Array.isArray(data.webhooks),
		},
	},
	check('Error bodies', `POST ${OF_AGENT}`, hasErrorForm('{message, errors}'), {}),
	check('Error bodies', `POST ${OF_CAMPAIGN}`, hasErrorForm('{success, message, errors}'), {}),
	check(
		'Which addresses are accepted?',
		`POST ${OF_AGENT}`,
		ok,
		webhook({ webhook_url: 'http://127.0.0.1:9/', enabled: false }),
	),
	check('Which URLs are valid?', `POST ${OF_AGENT}`, hasStatus(422), webhook({ webhook_url: 'ftp://example.com/' })),
];

/** Judges the first delivery. */
const first =
	(holds: (delivery: Arrival) => boolean | string): Judge =>
	({ deliveries }) =>
		holds(deliveries[0]!);
/** Whether a value is the same in both deliveries, and has the expected form. */
const same =
	(read: (delivery: Arrival) => unknown, form: RegExp): Judge =>
	({ deliveries: [one, other] }) =>
		read(one!) === read(other!) && typeof read(one!) === 'string' && form.test(String(read(one!)));

/** The round trip of a test event. The receiver responds to its first delivery with 500, so that a retry follows. */
export const roundTrip: readonly Step[] = [
	{
		request: `POST ${OF_CAMPAIGN}`,
		body: webhook({
			webhook_url: '{receiver}/campaign',
			webhook_secret: SECRET,
			max_retries: 1,
			events: ['campaign_call.completed'],
		}),
		keeps: { hook: ({ data }) => idOf(data) },
	},
	{
		request: `POST ${OF_CAMPAIGN}/{hook}/test`,
		receives: { at: 'campaign', count: 2 },
		confirms: {
			Signature: first((delivery) => {
				const forms = signaturesOf(delivery, SECRET);
				return forms.includes('x-webhook-signature: <hex of body>') || forms.join('; ');
			}),
			Headers: first(({ headers }) => 'x-webhook-event' in headers && 'x-webhook-attempt' in headers),
			Body: first(({ json }) => FIELDS.every((name) => name in json)),
			'Names of the fields of an event': first(({ json }) => json.event === 'campaign_call.completed'),
			'Where do the fields of an event stand?': first(
				({ json }) => typeof json.to === 'string' && isObject(json.context),
			),
			'How many events has a delivery?': first(({ body, json }) => body.startsWith('{') && !Array.isArray(json.events)),
			"The test of a campaign's webhook": first(({ json }) => isTrue(json.test)),
			Retries: ({ deliveries }) => deliveries.length === 2,
			'Is the body of a delivery the same at each attempt?': same(({ body }) => body, /./),
			'What identifies an event?': same(({ json }) => json.id, /./),
			'Form of the time of an event': same(({ json }) => json.timestamp, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
		},
	},
	{
		request: `GET ${OF_CAMPAIGN}/{hook}/logs`,
		until: ({ list }) => list.length >= 2 && list.every(({ status }) => !/pending|retry/.test(word(status))),
		keeps: {
			failed: ({ list }) => idOf(list.find(({ attempt }) => isNumber(attempt, 1))),
			taken: ({ list }) => idOf(list.find(({ attempt }) => isNumber(attempt, 2))),
		},
		confirms: { "The log's `status`": ({ rows }) => rows.map(({ status }) => status).join() === 'success,failed' },
	},
	check(
		'Body of `LOG_NOT_RETRIABLE`',
		`POST ${OF_CAMPAIGN}/{hook}/logs/{taken}/retry`,
		hasErrorForm('{success, message, code} LOG_NOT_RETRIABLE'),
	),
	check('Redelivery', `POST ${OF_CAMPAIGN}/{hook}/logs/{failed}/retry`, ({ data }) => !isNone(data.log_id)),
	{
		...check(
			'Is the URL of a webhook kept as it was written, with its query?',
			`POST ${OF_AGENT}`,
			({ data, use }) => data.webhook_url === `${use('receiver')}/agent${QUERY}`,
			webhook({ webhook_url: `{receiver}/agent${QUERY}`, max_retries: 0 }),
		),
		keeps: { 'hook of the agent': ({ data }) => idOf(data) },
	},
	{
		request: `POST ${OF_AGENT}/{hook of the agent}/test`,
		receives: { at: 'agent', count: 1 },
		confirms: {
			'HTTP status of a test that failed': ok,
			'Is the URL of a webhook kept as it was written, with its query?': first(({ url }) => url.endsWith(QUERY)),
		},
	},
	check(
		'Which fields has an entry?',
		`GET ${OF_AGENT}/{hook of the agent}/logs`,
		({ rows: [entry] }) => isObject(entry?.request_payload) && isNumber(entry?.http_status, 500),
	),
	check(
		"When is an agent webhook's `status` `error`?",
		`GET ${OF_AGENT}/{hook of the agent}`,
		({ data }) => word(data.status) === 'error',
	),
];
