import type { IDataObject } from 'n8n-workflow';

import {
	envelopesOf,
	eventsIn,
	idsInHeaders,
	levelsOf,
	readEvent,
	typeInHeaders,
	valuesIn,
} from '../../../../nodes/shared/events/event.ts';
import { CONTEXT_FIELD } from '../../../../nodes/shared/triggerSecrets/resumeToken.ts';

const event = 'campaign_call.completed';
const at = '2026-01-15T12:00:00.000Z';
const seconds = Date.parse(at) / 1000;
const all = { event, id: 'e-1', timestamp: at, call_id: 'call-1', context: { [CONTEXT_FIELD]: 'sealed' } };
const read = { type: event, id: 'e-1', at, callId: 'call-1', resumeTokens: ['sealed'] };
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
	...['event_name', 'eventName', 'kind'].map((name): [string, object] => [
		`with the kind as ${name}`,
		{ ...withoutKind, [name]: event },
	]),
	...['eventId', 'delivery_id'].map((name): [string, object] => [
		`with the ID as ${name}`,
		{ ...all, id: undefined, [name]: 'e-1' },
	]),
	...['time', 'occurred_at', 'created_at', 'createdAt'].map((name): [string, object] => [
		`with the time as ${name}`,
		{ ...all, timestamp: undefined, [name]: at },
	]),
	...['callUuid', 'campaign_call_id', 'campaignCallId', 'campaign_call'].map((name): [string, object] => [
		`with the call as ${name}`,
		{ ...withoutCall, [name]: 'call-1' },
	]),
	['with the call as the object campaignCall', { ...withoutCall, campaignCall: { id: 'call-1' } }],
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

test('A time is in milliseconds from 1973 on, and in seconds until the year 5138', () => {
	expect([1e11, 1e11 - 1].map((timestamp) => readEvent({ event, timestamp }).at)).toEqual([
		'1973-03-03T09:46:40.000Z',
		'5138-11-16T09:46:39.000Z',
	]);
});

test('Numbers as IDs are read as text, and what is missing is left out', () => {
	expect(readEvent({ event, id: 7, call_id: 8 })).toStrictEqual({
		type: event,
		namesType: true,
		isDated: false,
		id: '7',
		callId: '8',
		resumeTokens: [],
		isTest: false,
		chain: [],
		body: { event, id: 7, call_id: 8 },
	});
	const nothing = { id: null, timestamp: {}, call: [], event: 5, data: 'x' };
	expect(readEvent(nothing as never)).toStrictEqual({
		type: '',
		namesType: false,
		isDated: false,
		resumeTokens: [],
		isTest: false,
		chain: [],
		body: nothing,
	});
	expect(readEvent({ timestamp: 'yesterday' })).toMatchObject({ at: 'yesterday' });
});

test.each([
	['campaign.paused', true],
	['CAMPAIGN.PAUSED', true],
	['webhook.test', true],
	['event_call_report', true],
	['my_campaign.paused', false],
	['campaign.paused.now', false],
	['my_event_call', false],
	['event_call.report', false],
	['event_', false],
])('The kind %s is documented (%s), so that it counts before others', (kind, isDocumented) => {
	expect(readEvent({ event: kind, type: event }).type).toBe(isDocumented ? kind.toLowerCase() : event);
});

test('An ID below data that is that of the event is not that of a call', () => {
	expect(readEvent({ event, data: { id: 'e-1' } })).toMatchObject({ id: 'e-1' });
	expect(readEvent({ event, data: { id: 'e-1' } }).callId).toBeUndefined();
});

test('A call is a test call if the event says so in whatever words, or has the mark', () => {
	const isTest = (is_testing: unknown) => readEvent({ event, data: { is_testing } } as never).isTest;
	expect([true, 'true', 'True ', 1, '1', 'yes'].filter((value) => !isTest(value))).toEqual([]);
	expect([false, 'false', 0, '0', 'no', '', null, {}, 2].filter(isTest)).toEqual([]);
});

test('An empty kind is none', () => {
	expect(readEvent({ event: '', type: 'new.kind' }).type).toBe('new.kind');
});

test('Its fields are those of its objects, the outer first: the variables of a call are none of them', () => {
	const [data, call, payload] = [{ a: 1 }, { b: 2 }, { c: 3 }];
	expect(envelopesOf({ event, data, payload })).toEqual([{ event, data, payload }, data, payload]);
	for (const subject of [{ call_id: 'x' }, { campaign_id: 'x' }, { agent_id: 'x' }, { data: { id: 'x' } }]) {
		const sent = { event, payload, ...subject };
		expect(envelopesOf(sent)).not.toContain(payload);
	}
	expect(envelopesOf({ id: 'e-1', payload })).toContain(payload);
	const sent = { event, call, data: { ...data, campaign_call: call } };
	expect(levelsOf(sent)).toEqual([sent, call, sent.data, call]);
	expect(valuesIn(levelsOf(sent), 'a', 'x', 'b')).toEqual([1, 2, 2]);
});

test('The body is what was sent, without the resume tokens', () => {
	expect(readEvent(all).body).toEqual({ ...all, context: {} });
});

test('A header names the kind only if the body names none that is documented', () => {
	const headers = { 'x-webhook-event': event, 'last-event-id': 'no', host: 'n8n.example' };
	expect(typeInHeaders(headers)).toBe(event);
	expect(typeInHeaders({ 'x-event-type': event })).toBe(event);
	expect(typeInHeaders({ event })).toBe(event);
	expect(typeInHeaders({ 'x-events': event })).toBeUndefined();
	expect(readEvent({ text: 'over' }, event).type).toBe(event);
	expect(readEvent({ type: 'call' }, event).type).toBe(event);
	expect(readEvent({ event: 'campaign_call.failed' }, event).type).toBe('campaign_call.failed');
	expect(readEvent({ event: 'new.kind' }, 'other').type).toBe('new.kind');
});

test('A header gives a delivery or event its ID if that is what it is called', () => {
	for (const name of ['x-webhook-delivery', 'x-delivery-id', 'x-event-id', 'delivery']) {
		expect(idsInHeaders({ [name]: 'e-1', host: 'n8n.example' })).toEqual(['e-1']);
	}
	for (const name of ['webhook-id', 'svix-id', 'x-webhook-id', 'x-request-id', 'x-event-id-2']) {
		expect(idsInHeaders({ [name]: 'e-1' })).toEqual([]);
	}
	expect(idsInHeaders({ 'x-event-id': undefined, 'x-delivery-id': '' })).toEqual([]);
	expect(idsInHeaders({ 'x-event-id': 'e-1', 'x-delivery-id': 'd-1' })).toEqual(['e-1', 'd-1']);
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
		['without the ID of their delivery', { delivery_id: 'batch', events: [{ event }] }, [{ event }]],
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
