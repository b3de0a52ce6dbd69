import type { IDataObject } from 'n8n-workflow';

import { eventsIn, isDeliveryId, kindInHeaders, readEvent } from '../../../../nodes/shared/deliveries/event.ts';
import { TICKET_FIELD } from '../../../../nodes/shared/nodeLink/ticket.ts';

const event = 'campaign_call.completed';
const at = '2026-01-15T12:00:00.000Z';
const seconds = Date.parse(at) / 1000;
const all = { event, id: 'e-1', timestamp: at, call_id: 'call-1', context: { [TICKET_FIELD]: 'sealed' } };
const read = { kind: event, id: 'e-1', at, callId: 'call-1', tickets: ['sealed'] };
const { call_id: _, ...withoutCall } = all;
const { event: __, ...withoutKind } = all;

test.each<[string, object]>([
	['flat', all],
	['below data', { event, data: withoutKind }],
	['all below data', { data: all }],
	['below payload', { type: event, payload: withoutKind }],
	['in an object that is named event', { event: { ...withoutKind, type: event } }],
	['with the kind as type', { ...withoutKind, type: event }],
	['with the kind as event_type, and another type', { ...withoutKind, type: 'notification', event_type: event }],
	['with the kind as eventType', { ...withoutKind, eventType: event }],
	['with an unknown kind before it', { ...all, event: 'call', type: event }],
	['with the ID as event_id', { ...all, id: 'call-1', event_id: 'e-1' }],
	['with the ID as deliveryId', { ...all, id: undefined, deliveryId: 'e-1' }],
	[
		'as a CloudEvent',
		{ specversion: '1.0', type: event, id: 'e-1', time: at, data: { ...withoutKind, id: undefined } },
	],
	['with the kind in upper case', { ...all, event: event.toUpperCase() }],
	['with the ID as uuid', { ...all, id: undefined, uuid: 'e-1' }],
	['with the time in seconds', { ...all, timestamp: seconds }],
	['with the time in seconds as text', { ...all, timestamp: `${seconds}` }],
	['with the time in milliseconds', { ...all, timestamp: seconds * 1000 }],
	['with the time with an offset', { ...all, timestamp: '2026-01-15T14:00:00+02:00' }],
	['with the time as occurredAt', { ...all, timestamp: undefined, occurredAt: at }],
	['with the call as callId', { ...withoutCall, callId: 'call-1' }],
	['with the call as an object', { ...withoutCall, call: { id: 'call-1', status: 'completed' } }],
	['with the call as call_uuid', { ...withoutCall, call_uuid: 'call-1' }],
	['with the call as data', { ...withoutCall, data: { id: 'call-1', status: 'completed' } }],
	['with the call as text', { ...withoutCall, call: 'call-1' }],
	['with the call as an object below data', { ...withoutCall, data: { campaign_call: { id: 'call-1' } } }],
	['beside the variables of its call', { ...all, payload: { type: 'campaign_call.failed', id: 'x', call_id: 'y' } }],
	['with the context as JSON text', { ...all, context: JSON.stringify(all.context) }],
	['with the context as metadata of the call', { ...all, context: null, data: { call: { metadata: all.context } } }],
])('An event is read %s', (_what, sent) => {
	expect(readEvent(sent as IDataObject)).toMatchObject(read);
});

test('Numbers as IDs are read as text, and what is missing is left out', () => {
	expect(readEvent({ event, id: 7, call_id: 8 })).toStrictEqual({
		kind: event,
		namesKind: true,
		id: '7',
		isDatedByCreation: false,
		callId: '8',
		tickets: [],
		body: { event, id: 7, call_id: 8 },
	});
	const nothing = { id: null, timestamp: {}, call: [], event: 5, data: 'x' };
	expect(readEvent(nothing as never)).toStrictEqual({
		kind: '',
		namesKind: false,
		isDatedByCreation: false,
		tickets: [],
		body: nothing,
	});
	expect(readEvent({ timestamp: 'yesterday' })).toMatchObject({ at: 'yesterday' });
});

test('The body is what was sent, without the tickets', () => {
	expect(readEvent(all).body).toEqual({ ...all, context: {} });
});

test('A header names the kind only if the body names none that is documented', () => {
	const headers = { 'x-webhook-event': event, 'last-event-id': 'no', host: 'n8n.example' };
	expect(kindInHeaders(headers)).toBe(event);
	expect(kindInHeaders({ 'x-event-type': event })).toBe(event);
	expect(kindInHeaders({ 'x-events': event })).toBeUndefined();
	expect(readEvent({ text: 'over' }, event).kind).toBe(event);
	expect(readEvent({ type: 'call' }, event).kind).toBe(event);
	expect(readEvent({ event: 'campaign_call.failed' }, event).kind).toBe('campaign_call.failed');
	expect(readEvent({ event: 'new.kind' }, 'other').kind).toBe('new.kind');
});

test('A header names the ID of a delivery if that is what it is called', () => {
	for (const name of ['x-webhook-delivery', 'x-delivery-id', 'x-event-id', 'webhook-id', 'svix-id']) {
		expect(isDeliveryId({ [name]: 'e-1' }, 'e-1')).toBe(true);
		expect(isDeliveryId({ [name]: 'e-2' }, 'e-1')).toBe(false);
	}
	expect(isDeliveryId({ 'x-webhook-id': 'e-1', 'x-request-id': 'e-1' }, 'e-1')).toBe(false);
	expect(isDeliveryId({ 'x-event-id': undefined }, undefined)).toBe(false);
});

describe('The events of a delivery are', () => {
	const [one, two] = [
		{ event, id: 'e-1' },
		{ event, id: 'e-2' },
	];
	test.each<[string, unknown, unknown]>([
		['the body', one, [one]],
		['those of a list', [one, two], [one, two]],
		['those of a list in an object', { events: [one, two] }, [one, two]],
		[
			'with the fields around the list, but for its ID',
			{ id: 'batch', type: 'batch', events: [one, two] },
			[
				{ ...one, type: 'batch' },
				{ ...two, type: 'batch' },
			],
		],
		['the body, if it is an event that has a list', { event, events: [one] }, [{ event, events: [one] }]],
		['the body, if the list has no objects', { events: ['a'] }, [{ events: ['a'] }]],
		['the body, if the list is empty', { events: [] }, [{ events: [] }]],
		['none in an empty list', [], undefined],
		['none in a list with something else', [one, 1], undefined],
		['none in a text', 'text', undefined],
		['none in nothing', null, undefined],
	])('%s', (_what, body, events) => {
		expect(eventsIn(body)).toEqual(events);
	});
});
