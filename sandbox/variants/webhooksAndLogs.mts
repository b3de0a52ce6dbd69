import type { WireFields } from '../world/variant.mts';
import type { Entry } from './entry.mts';
import {
	eachItem,
	failedWith422,
	fieldsOf,
	inAnswers,
	isFields,
	isTo,
	onSuccess,
	refused,
	refusedField,
	renamed,
	status,
} from './shapes.mts';

const ONE = '/webhooks/:webhook_id';
/** What an update of a webhook resets where it is left out. */
const DEFAULTS = { enabled: true, timeout: 30, max_retries: 3, include_call_events: false, custom_headers: [] };

/** Whether an object is a webhook. */
const isWebhook = (fields: WireFields) => 'webhook_url' in fields || ('events' in fields && 'enabled' in fields);
/** Changes the URL of each webhook that is shown. */
function shownUrl(change: (url: string) => string | null): Pick<Entry, 'answer'> {
	return inAnswers((name, value) => (name === 'webhook_url' ? change(String(value)) : value));
}

/** Changes each field of each entry of a log; undefined leaves it out. */
function entries(change: (name: string, value: unknown, entry: WireFields) => unknown): Pick<Entry, 'answer'> {
	return eachItem('/logs', (entry) => {
		const changed = Object.entries(entry).map(([name, value]) => [name, change(name, value, entry)] as const);
		return Object.fromEntries(changed.filter(([, value]) => value !== undefined));
	});
}

/** Webhooks, their tests and their logs. */
export const webhooks: Entry[] = [
	{
		name: 'webhook-url-shown-without-query',
		question: 'Is the URL of a webhook kept as it was written, with its query?',
		does: 'keeps the URL of a webhook without its query, and shows it so',
		...shownUrl((url) => url.split('?', 1)[0] as string),
		delivery(delivery) {
			delivery.url = delivery.url.split('?', 1)[0] as string;
		},
	},
	{
		name: 'webhook-url-normalized',
		question: 'Is the URL of a webhook kept as it was written, with its query?',
		does: 'writes the query of the URL of a webhook in the order of the alphabet, with escapes',
		...shownUrl(sorted),
		delivery(delivery) {
			delivery.url = sorted(delivery.url);
		},
	},
	{
		name: 'webhook-url-masked',
		question: 'Is the URL of a webhook kept as it was written, with its query?',
		does: 'shows of the URL of a webhook only its host',
		...shownUrl((url) => `${new URL(url).origin}/***`),
	},
	{
		name: 'webhook-update-replaces',
		question: 'Does an update of a webhook leave alone what it does not name?',
		does: 'gives all settings that an update of a webhook leaves out their defaults',
		request(request) {
			if (isTo(request, 'PUT', ONE) && isFields(request.body)) {
				request.body = {
					webhook_secret: null,
					payload_templates: {},
					http_method: 'POST',
					...DEFAULTS,
					...request.body,
				};
			}
			return undefined;
		},
	},
	{
		name: 'webhook-update-all-needed',
		question: 'Does an update of a webhook leave alone what it does not name?',
		does: 'refuses an update of a webhook without name, URL and events',
		request(request) {
			const missing = ['name', 'webhook_url', 'events'].find((name) => !(name in fieldsOf(request.body)));
			return isTo(request, 'PUT', ONE) && missing
				? refusedField(missing, `The ${missing} field is required.`)
				: undefined;
		},
	},
	{
		name: 'webhook-secret-shown',
		question: 'Is the secret of a webhook shown?',
		does: 'shows a secret with a webhook, in which all but the last four characters are `*`',
		...inAnswers((_name, value) =>
			isFields(value) && isWebhook(value) ? { ...value, webhook_secret: '************3f9a' } : value,
		),
	},
	{
		name: 'webhook-secret-kept',
		question: '`webhook_secret: null`',
		does: 'keeps the secret of a webhook where null is sent',
		request(request) {
			if (isTo(request, 'PUT', ONE) && fieldsOf(request.body).webhook_secret === null) {
				const { webhook_secret: _secret, ...rest } = fieldsOf(request.body);
				request.body = rest;
			}
			return undefined;
		},
	},
	{
		name: 'webhook-https-only',
		question: 'Which addresses are accepted?',
		does: 'accepts no `http` address that is not of this machine',
		request: (request) =>
			isTo(request, 'POST|PUT', '') && /^http:\/\/(?!127\.|localhost)/.test(String(fieldsOf(request.body).webhook_url))
				? refusedField('webhook_url', 'The webhook_url must begin with https.')
				: undefined,
	},
	{
		name: 'webhook-created-without-id',
		question: 'Which fields has a webhook?',
		does: 'answers a creation with a message alone: the ID is only in the list',
		answer(answer, request) {
			if (isTo(request, 'POST', '/webhooks') && answer.status === 201) {
				answer.body = { success: true, message: 'Webhook created.' };
			}
		},
	},
	{
		name: 'webhook-list-in-data',
		question: 'Which fields has a webhook?',
		does: 'lists webhooks directly in `data`, with the kinds of events beside it',
		...onSuccess('GET', '/webhooks', (answer, { webhooks: list, available_events: kinds }) => {
			answer.body = { success: true, data: list, available_events: kinds };
		}),
	},
	{
		name: 'webhook-events-objects',
		question: 'Which fields has a webhook?',
		does: 'lists the kinds of events that can be subscribed to as objects with `name`',
		...onSuccess('GET', '/webhooks', (answer, data) => {
			const { available_events: kinds } = data;
			const list = Array.isArray(kinds) ? kinds : Object.keys(fieldsOf(kinds));
			answer.body = { success: true, data: { ...data, available_events: list.map((name: unknown) => ({ name })) } };
		}),
	},
	{
		name: 'webhook-enabled-as-status',
		question: 'Which fields has a webhook?',
		does: 'says with `is_active` whether a webhook is enabled',
		...inAnswers((_name, value) =>
			isFields(value) && isWebhook(value) ? renamed(value, { enabled: 'is_active' }) : value,
		),
	},
	{
		name: 'webhook-status-never-error',
		question: "When is an agent webhook's `status` `error`?",
		does: 'disables nothing, and calls each enabled webhook `active`',
		...inAnswers((name, value, of) => (name === 'status' && isWebhook(of) && value === 'error' ? 'active' : value)),
	},
	{
		name: 'webhook-test-failed-422',
		question: 'HTTP status of a test that failed',
		does: 'answers 422 where the test of a webhook failed',
		...failedWith422(`${ONE}/test`),
	},
	{
		name: 'webhook-test-not-awaited',
		question: "The test of an agent's webhook",
		does: "answers the test of an agent's webhook with a message alone, whatever became of it",
		answer(answer, request) {
			if (isTo(request, 'POST', `${ONE}/test`) && answer.status === 200) {
				answer.body = { success: true, message: 'Test event dispatched.' };
			}
		},
	},
	{
		name: 'webhook-log-without-payload',
		question: 'Which fields has an entry?',
		does: 'shows no payload in the log of a webhook',
		...entries((name, value) => (name === 'request_payload' ? undefined : value)),
	},
	{
		name: 'webhook-log-payload-text',
		question: 'Which fields has an entry?',
		does: 'shows the payload in the log of a webhook as text',
		...entries((name, value) => (name === 'request_payload' ? JSON.stringify(value) : value)),
	},
	{
		name: 'webhook-log-payload-by-attempt',
		question: 'Which log entries belong to one event, where the log shows the payload?',
		does: 'shows a payload with the number of the attempt in the log of a webhook',
		...entries((name, value, entry) =>
			name === 'request_payload' && isFields(value) ? { ...value, attempt: entry.attempt } : value,
		),
	},
	{
		name: 'webhook-log-statuses',
		question: "The log's `status`",
		does: 'says `delivered` and `error` in the log of a webhook in place of `success` and `failed`',
		...entries((name, value) =>
			name === 'status' ? ({ success: 'delivered', failed: 'error' }[String(value)] ?? value) : value,
		),
	},
	{
		name: 'webhook-log-dates-absent',
		question: '`delivered_at`, `response_body`',
		does: 'shows neither `delivered_at` nor `response_body` in the log of a webhook',
		...entries((name, value) => (['delivered_at', 'response_body'].includes(name) ? undefined : value)),
	},
	{
		name: 'webhook-log-not-retriable-409',
		question: 'Body of `LOG_NOT_RETRIABLE`',
		does: 'answers 409 without a code where a delivery cannot be sent again',
		answer(answer, request) {
			if (isTo(request, 'POST', '/retry') && answer.status === 422) {
				Object.assign(answer, refused(409, String(fieldsOf(answer.body).message)));
			}
		},
	},
	{
		name: 'webhook-retry-202',
		question: 'Redelivery',
		does: 'answers 202 to a redelivery, without data',
		...onSuccess('POST', '/retry', (answer) => {
			Object.assign(answer, { status: 202, body: { success: true } });
		}),
	},
	{
		name: 'webhook-credential-required',
		question: 'What does `authorization_scheme` add?',
		does: 'refuses an `authorization_scheme` without a credential',
		request: (request) =>
			isTo(request, 'POST|PUT', '') &&
			(request.route ?? '').includes('/webhooks') &&
			!['none', undefined].includes(fieldsOf(request.body).authorization_scheme as string | undefined)
				? refusedField('authorization_credentials', 'The authorization_credentials field is required.')
				: undefined,
	},
	{
		name: 'webhook-agent-errors-flat',
		question: 'Error bodies',
		does: 'sends the errors of agent webhooks without `errors`, in the message only',
		answer(answer, { route = '' }) {
			if (route.includes('/agents/:agent_id/webhooks') && answer.status >= 400) {
				answer.body = { message: fieldsOf(answer.body).message };
			}
		},
	},
	{
		name: 'webhook-toggle-without-data',
		question: 'Which fields has a webhook?',
		does: 'answers the enabling of a webhook without data',
		...onSuccess('PATCH', '/toggle', (answer) => {
			answer.body = { success: true };
		}),
	},
	{
		name: 'webhook-created-200',
		question: 'Status of a creation',
		does: 'answers 200 to the creation of a webhook',
		...status(201, 200, 'POST', '/webhooks'),
	},
];

/** A URL whose query is sorted and escaped. */
function sorted(url: string): string {
	const parsed = new URL(url);
	parsed.searchParams.sort();
	return parsed.href;
}
