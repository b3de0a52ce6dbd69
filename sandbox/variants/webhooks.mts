import type { Variant, WireDelivery, WireFields } from '../world/variant.mts';
import {
	about,
	body,
	type Change,
	delivery,
	fieldsOf,
	inResponses,
	isFields,
	isTo,
	refusedField,
	request,
	sent,
} from './shapes.mts';

const ONE = '/webhooks/:webhook_id';

/** The values to which an update resets missing fields of a webhook. */
const DEFAULTS = {
	webhook_secret: null,
	payload_templates: {},
	http_method: 'POST',
	enabled: true,
	timeout: 30,
	max_retries: 3,
	include_call_events: false,
	custom_headers: [],
};

const withoutQuery = (url: string) => url.replace(/\?.*/, '');

/** Shows the URL of each webhook in another form. */
const shownUrl = (does: string, change: (url: string) => string) =>
	inResponses(does, (name, value) => (name === 'webhook_url' ? change(String(value)) : value));

/** Delivers to the URL without its query. */
const deliver = (attempt: WireDelivery) => {
	attempt.url = withoutQuery(attempt.url);
};

/** Changes the successful responses to a request for webhooks. */
const onRequest = (does: string, method: string, end: string, change: (body: WireFields) => WireFields): Change =>
	body(does, (whole, made) => (isTo(made, method, end) ? change(whole) : whole));

/** Changes each entry of a webhook's log. */
const entries = (does: string, change: (entry: WireFields) => WireFields) =>
	onRequest(does, 'GET', `${ONE}/logs`, (list) => ({ ...list, data: (list.data as WireFields[]).map(change) }));

const WORDS: Record<string, string> = { success: 'delivered', failed: 'error' };

/** Webhooks and their logs. */
export const webhooks: Variant[] = [
	...about('Is the URL of a webhook kept as it was written, with its query?', {
		'webhook-url-shown-without-query': {
			...shownUrl('keeps the URL of a webhook without its query, and shows it so', withoutQuery),
			delivery: deliver,
		},
		'webhook-url-masked': shownUrl(
			'shows only the host of the URL of a webhook',
			(url) => `${new URL(url).origin}/***`,
		),
		'event-url-without-query': delivery("drops the query of a webhook's URL when it delivers", deliver),
	}),
	...about('Does an update of a webhook leave alone what it does not name?', {
		'webhook-update-replaces': sent(
			'gives all settings that an update of a webhook leaves out their defaults',
			'PUT',
			ONE,
			(settings) => ({ ...DEFAULTS, ...settings }),
		),
		'webhook-update-all-needed': request('refuses an update of a webhook without name, URL and events', (made) => {
			const missing = ['name', 'webhook_url', 'events'].find((name) => !(name in fieldsOf(made.body)));
			return isTo(made, 'PUT', ONE) && missing ? refusedField(missing, `The ${missing} field is required.`) : undefined;
		}),
	}),
	...about('Which fields has a webhook?', {
		'webhook-created-without-id': onRequest(
			'returns only a message after a creation: the ID is only in the list',
			'POST',
			'/webhooks',
			() => ({ success: true, message: 'Webhook created.' }),
		),
		'webhook-events-objects': onRequest(
			'lists the event types that can be subscribed to as objects with `name`',
			'GET',
			'/webhooks',
			({ data, ...rest }) => {
				const { available_events: types } = fieldsOf(data);
				const names = Array.isArray(types) ? types : Object.keys(fieldsOf(types));
				const available_events = names.map((name: unknown) => ({ name }));
				return { ...rest, data: { ...fieldsOf(data), available_events } };
			},
		),
	}),
	...about('Which fields has an entry?', {
		'webhook-log-without-payload': entries(
			'shows no payload in the log of a webhook',
			({ request_payload: _payload, ...entry }) => entry,
		),
	}),
	...about('Which log entries belong to one event, where the log shows the payload?', {
		'webhook-log-payload-by-attempt': entries(
			'shows a payload with the number of the attempt in the log of a webhook',
			(entry) => {
				const { request_payload: payload, attempt } = entry;
				return isFields(payload) ? { ...entry, request_payload: { ...payload, attempt } } : entry;
			},
		),
	}),
	...about("The log's `status`", {
		'webhook-log-statuses': entries(
			'shows `delivered` and `error` in the log of a webhook in place of `success` and `failed`',
			(entry) => ({ ...entry, status: WORDS[String(entry.status)] ?? entry.status }),
		),
	}),
];
