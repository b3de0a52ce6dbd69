import type { WireFields } from '../world/variant.mts';
import { about, type Entry } from './entry.mts';
import { fieldsOf, renamed } from './shapes.mts';

/** What identifies an event, whatever it is about. */
const ENVELOPE = ['event', 'id', 'timestamp', 'webhook_id'];
/** What an event says about its call. */
const OF_CALL = ['call_id', 'to', 'status', 'retries', 'duration', 'is_testing', 'context'];

/** Moves the fields that are not of the envelope into an object. */
function below(name: string): (body: WireFields) => WireFields {
	return (body) => {
		const [envelope, inner] = parted(body, ENVELOPE);
		return Object.keys(inner).length === 0 ? body : { ...envelope, [name]: inner };
	};
}

/** The fields with these names, and the others. */
function parted(fields: WireFields, names: readonly string[]): [WireFields, WireFields] {
	const entries = Object.entries(fields);
	return [
		Object.fromEntries(entries.filter(([name]) => names.includes(name))),
		Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
	];
}

/** An event whose call is an object with its own names; one of no call stays as it is. */
function withCallObject(body: WireFields, names: Record<string, string>): WireFields {
	const [ofCall, rest] = parted(body, OF_CALL);
	return body.call_id === undefined ? body : { ...rest, call: renamed(ofCall, names) };
}

/** Another value of a field that is there. */
function changed(name: string, change: (value: unknown) => unknown): (body: WireFields) => WireFields {
	return (body) => (name in body ? { ...body, [name]: change(body[name]) } : body);
}

/** A variant that gives a field of an event another name. */
function named(field: string, name: string): Entry {
	return {
		name: `event-${hyphened(field)}-as-${hyphened(name)}`,
		question: 'Names of the fields of an event',
		does: `calls the field \`${field}\` of an event \`${name}\``,
		event: (body) => renamed(body, { [field]: name }),
	};
}

/** A name of a field as a part of the name of a variant. */
const hyphened = (name: string) => name.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The time of an event in another form, given in milliseconds since 1970. One that has another form stays as it is. */
function timed(write: (time: number) => unknown): (body: WireFields) => WireFields {
	return changed('timestamp', (value) => (typeof value === 'string' ? write(Date.parse(value)) : value));
}

const names = [
	['event', 'type'],
	['event', 'event_type'],
	['id', 'event_id'],
	['id', 'uuid'],
	['timestamp', 'created_at'],
	['timestamp', 'occurred_at'],
	['call_id', 'call_uuid'],
	['call_id', 'callId'],
	['context', 'metadata'],
] as const;

const places = about('Where do the fields of an event stand?', [
	{
		name: 'event-below-data',
		does: 'puts what an event is about below `data`',
		event: below('data'),
	},
	{
		name: 'event-below-payload',
		does: 'puts what an event is about below `payload`',
		event: below('payload'),
	},
	{
		name: 'event-call-object',
		does: 'puts the call of an event into an object `call`, with `id`',
		event: (body) => withCallObject(body, { call_id: 'id' }),
	},
	{
		name: 'event-call-object-below-data',
		does: 'puts what an event is about below `data`, and its call into an object `call` there',
		event: (body) => below('data')(withCallObject(body, { call_id: 'id' })),
	},
	{
		name: 'event-call-as-data',
		does: 'puts the call of an event below `data`, with its ID as `id`',
		event(body) {
			const { data = {}, ...envelope } = below('data')(body);
			return { ...envelope, data: renamed(fieldsOf(data), { call_id: 'id' }) };
		},
	},
	{
		name: 'event-context-text',
		does: 'sends the `context` of a call as a text with JSON',
		event: changed('context', (context) => JSON.stringify(context)),
	},
	{
		name: 'event-cloudevents',
		does: 'sends CloudEvents: `specversion`, `type`, `source`, `id`, `time` and `data`, as `application/cloudevents+json`',
		event(body) {
			const [{ event, id, timestamp }, data] = parted(body, ENVELOPE);
			const source = '/voice-agent-calling';
			return event === undefined ? body : { specversion: '1.0', type: event, source, id, time: timestamp, data };
		},
		delivery({ headers }) {
			headers['Content-Type'] = 'application/cloudevents+json';
		},
	},
]);

const identities = about('What identifies an event?', [
	{
		name: 'event-without-id',
		does: 'gives an event no ID, neither in the body nor in a header',
		event: ({ id: _id, ...body }) => body,
		delivery({ headers }) {
			delete headers['X-Webhook-Delivery'];
		},
	},
	{
		name: 'event-id-number',
		does: 'gives an event a number as `id`',
		event: changed('id', (id) => Number.parseInt(String(id).replaceAll('-', '').slice(-12), 16)),
	},
	{
		name: 'event-id-per-attempt',
		does: 'gives each attempt to deliver an event an `id` of its own',
		event: (body, attempt) => changed('id', (id) => `${String(id)}-${attempt}`)(body),
	},
]);

const times = about('Form of the time of an event', [
	{
		name: 'event-time-seconds',
		does: 'sends `timestamp` as seconds since 1970',
		event: timed((time) => Math.floor(time / 1000)),
	},
	{
		name: 'event-time-milliseconds',
		does: 'sends `timestamp` as milliseconds since 1970',
		event: timed((time) => time),
	},
	{
		name: 'event-time-offset',
		does: 'sends `timestamp` in ISO 8601 with an offset instead of `Z`',
		event: timed((time) => new Date(time + 7_200_000).toISOString().replace('Z', '+02:00')),
	},
	{
		name: 'event-time-of-attempt',
		does: 'sends as `timestamp` when it was sent, which differs from attempt to attempt',
		event: (body, attempt) => timed((time) => new Date(time + attempt * 1000).toISOString())(body),
	},
	{
		name: 'event-without-time',
		does: 'sends no time',
		event: ({ timestamp: _timestamp, ...body }) => body,
	},
]);

const bytes = about('Is the body of a delivery the same at each attempt?', [
	{
		name: 'event-attempt-in-body',
		does: 'puts the number of the attempt into the body',
		event: (body, attempt) => ({ ...body, attempt }),
	},
	{
		name: 'event-keys-in-another-order',
		does: 'writes the fields of the body in another order from the second attempt on',
		event: (body, attempt) => (attempt === 1 ? body : Object.fromEntries(Object.entries(body).reverse())),
	},
	{
		name: 'event-other-white-space',
		does: 'writes the body with line breaks from the second attempt on',
		delivery(delivery) {
			if (delivery.number > 1) {
				delivery.body = JSON.stringify(JSON.parse(delivery.body), null, 2);
			}
		},
	},
]);

/** Changes the kind of an event. */
function kind(change: (event: string, body: WireFields) => string): Pick<Entry, 'event' | 'delivery'> {
	return {
		event: (body) => (typeof body.event === 'string' ? { ...body, event: change(body.event, body) } : body),
		delivery({ event, headers }) {
			if ('X-Webhook-Event' in headers) {
				headers['X-Webhook-Event'] = change(event, {});
			}
		},
	};
}

const ONE_END = ['event_phone_call_did_not_connect', 'event_phone_call_error'];

const kinds: Entry[] = [
	{
		name: 'event-kind-undocumented',
		question:
			"Per-call kinds, to an agent's webhooks for every call through it, and to a campaign's with `include_call_events`",
		does: 'sends kinds that are not documented when a call begins: `call.dialing` and `campaign_call.dialing`',
		...kind((event) => {
			const dialing = { event_phone_call_started: 'call.dialing', 'campaign_call.started': 'campaign_call.dialing' };
			return new Map(Object.entries(dialing)).get(event) ?? event;
		}),
	},
	{
		name: 'event-kind-upper-case',
		question: 'Names of the fields of an event',
		does: 'writes the kind of an event in upper case',
		...kind((event) => event.toUpperCase()),
	},
	{
		name: 'event-kind-in-header-only',
		question: 'Names of the fields of an event',
		does: 'names the kind of an event in the header `X-Webhook-Event` only',
		event: ({ event: _event, ...body }) => body,
	},
	{
		name: 'event-one-end',
		question: 'Which events end a call?',
		does: 'sends `event_phone_call_ended` at the end of each call of an agent; its status says how it ended',
		...kind((event) => (ONE_END.includes(event) ? 'event_phone_call_ended' : event)),
	},
	{
		name: 'event-voicemail-as-status',
		question: 'Where does a voicemail show?',
		does: "says `voicemail` in the status of the final event of a campaign's call, without an outcome",
		event({ outcome, ...body }) {
			return outcome === 'voicemail' ? { ...body, status: 'voicemail' } : { ...body, ...(outcome ? { outcome } : {}) };
		},
	},
];

const deliveries: Entry[] = [
	{
		name: 'event-without-headers',
		question: 'Headers',
		does: 'sends no header of its own but the signature',
		delivery({ headers }) {
			for (const name of Object.keys(headers).filter((own) => own.startsWith('X-Webhook-'))) {
				delete headers[name];
			}
		},
	},
	{
		name: 'event-url-without-query',
		question: 'Is the URL of a webhook kept as it was written, with its query?',
		does: "drops the query of a webhook's URL when it delivers",
		delivery(delivery) {
			delivery.url = delivery.url.split('?', 1)[0] as string;
		},
	},
	{
		name: 'event-list',
		question: 'How many events has a delivery?',
		does: "delivers a list of events: the webhook's one before, and this one",
		delivery(delivery) {
			delivery.body = `[${[...delivery.earlier.slice(-1), delivery.body].join(',')}]`;
		},
	},
	{
		name: 'event-list-in-object',
		question: 'How many events has a delivery?',
		does: "delivers an object with a list `events`: the webhook's one before, and this one",
		delivery(delivery) {
			delivery.body = `{"events":[${[...delivery.earlier.slice(-1), delivery.body].join(',')}]}`;
		},
	},
];

/** What an event looks like. */
export const events: Entry[] = [
	...kinds,
	...identities,
	...times,
	...bytes.slice(0, 2),
	...names.map(([field, name]) => named(field, name)),
	...places,
	...deliveries,
	...bytes.slice(2),
];
