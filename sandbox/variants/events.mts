import type { Variant, WireFields } from '../world/variant.mts';
import { about, type Change, delivery, event, renamed } from './shapes.mts';

/** The fields that identify an event. */
const ENVELOPE = ['event', 'id', 'timestamp', 'webhook_id'];
/** The fields of an event about its call. */
const OF_CALL = ['call_id', 'to', 'status', 'retries', 'duration', 'is_testing', 'context'];
/** The types of events of a call without a conversation. */
const NO_CONVERSATION = ['event_phone_call_did_not_connect', 'event_phone_call_error'];

/** Separates the fields with these names from the other fields. */
function parted(fields: WireFields, names: readonly string[]): [WireFields, WireFields] {
	const entries = Object.entries(fields);
	return [
		Object.fromEntries(entries.filter(([name]) => names.includes(name))),
		Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
	];
}

/** Gives a field of an event another name. */
const named = (field: string, name: string) =>
	event(`calls the field \`${field}\` of an event \`${name}\``, (body) => renamed(body, { [field]: name }));

/** Changes the type of an event, in its body and in its header. */
const type = (does: string, change: (event: unknown) => unknown): Change => ({
	...event(does, (body) => ({ ...body, event: change(body.event) })),
	...delivery(does, (attempt) => {
		attempt.headers['X-Webhook-Event'] = String(change(attempt.event));
	}),
});

/** The form and the delivery of events. */
export const events: Variant[] = [
	...about('Which events end a call?', {
		'event-one-end': type(
			'sends `event_phone_call_ended` at the end of each call of an agent; its status is the result',
			(name) => (NO_CONVERSATION.includes(String(name)) ? 'event_phone_call_ended' : name),
		),
	}),
	...about('Where does a voicemail show?', {
		'event-voicemail-as-status': event(
			"has `voicemail` as the status of the final event of a campaign's call, without an outcome",
			({ outcome, ...body }) =>
				outcome === 'voicemail' ? { ...body, status: outcome } : { ...body, ...(outcome ? { outcome } : {}) },
		),
	}),
	...about('What identifies an event?', {
		'event-without-id': {
			...event('gives an event no ID, neither in the body nor in a header', ({ id: _id, ...body }) => body),
			delivery: ({ headers }) => void delete headers['X-Webhook-Delivery'],
		},
		'event-id-per-attempt': event('gives each attempt to deliver an event an `id` of its own', (body, attempt) =>
			body.id ? { ...body, id: `${String(body.id)}-${attempt}` } : body,
		),
	}),
	...about('Form of the time of an event', {
		'event-time-seconds': event('sends `timestamp` as seconds since 1970', ({ timestamp: time, ...body }) =>
			time === undefined ? body : { ...body, timestamp: Math.floor(Date.parse(String(time)) / 1000) },
		),
	}),
	...about('Names of the fields of an event', {
		'event-event-as-type': named('event', 'type'),
		'event-call-id-as-call-uuid': named('call_id', 'call_uuid'),
	}),
	...about('Where do the fields of an event stand?', {
		'event-below-data': event('puts what an event is about below `data`', (body) => {
			const [envelope, data] = parted(body, ENVELOPE);
			return { ...envelope, data };
		}),
		'event-call-object': event('puts the call of an event into an object `call`, with `id`', (body) => {
			const [ofCall, rest] = parted(body, OF_CALL);
			return body.call_id === undefined ? body : { ...rest, call: renamed(ofCall, { call_id: 'id' }) };
		}),
	}),
	...about('How many events has a delivery?', {
		'event-list': delivery("delivers a list of events: the webhook's one before, and this one", (attempt) => {
			attempt.body = `[${[...attempt.earlier.slice(-1), attempt.body].join(',')}]`;
		}),
	}),
	...about('Is the body of a delivery the same at each attempt?', {
		'event-attempt-in-body': event('puts the number of the attempt into the body', (body, attempt) => ({
			...body,
			attempt,
		})),
		'event-other-white-space': delivery('writes the body with line breaks from the second attempt on', (attempt) => {
			if (attempt.number > 1) {
				attempt.body = JSON.stringify(JSON.parse(attempt.body), null, 2);
			}
		}),
	}),
];
