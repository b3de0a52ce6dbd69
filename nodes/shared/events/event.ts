import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../lib/json';
import { isoOf, timeIn } from '../lib/time';
import type { ChainedCall } from '../triggerSecrets/callChain';
import { chainIn, findResumeTokens, isMarkedAsTest, withoutResumeTokens } from '../triggerSecrets/resumeToken';
import type { Headers } from './signature';

/** An event of the service. Its fields are optional because the service does not publish the fields of its events. */
export interface ServiceEvent {
	/** The event type, such as `campaign_call.completed`; empty if the event does not name it. */
	type: string;
	/** Whether the body names the type. A type from a header is not covered by the signature. */
	namesType: boolean;
	/** The ID of the event, or of its subject. */
	id?: string;
	/** The time in UTC as ISO 8601; unchanged if it cannot be parsed. */
	at?: string;
	/** Whether the event states when it happened. A creation time may belong to its call or campaign instead. */
	isDated: boolean;
	callId?: string;
	/** The sealed tokens of executions that wait for the call. */
	resumeTokens: unknown[];
	/** Whether the call is a test call, according to its mark or the service. */
	isTest: boolean;
	/** The calls that led to the event. */
	chain: ChainedCall[];
	/** The event as it was sent, without the resume tokens and the marks of test calls. */
	body: IDataObject;
}

/** Matches the documented event types, and others of the same form. */
const DOCUMENTED = /^(?:campaign|campaign_call|webhook)\.\w+$|^event_\w+$/i;

/** The possible names of each field, the best first. */
const NAMES = {
	type: ['event', 'type', 'event_type', 'eventType', 'event_name', 'eventName', 'kind'],
	id: ['event_id', 'eventId', 'delivery_id', 'deliveryId', 'id', 'uuid'],
	at: ['timestamp', 'time', 'occurred_at', 'occurredAt'],
	createdAt: ['created_at', 'createdAt'],
	callId: ['call_id', 'callId', 'call_uuid', 'callUuid', 'campaign_call_id', 'campaignCallId', 'call', 'campaign_call'],
};

/** The names of an inner object that contains the event or the call. */
const INNER = ['event', 'data'];

/** Another name of the inner object. The variables of a call may have this name, too, and do not describe the event. */
const PAYLOAD = 'payload';

/** The fields that identify the subject of an event: the object that contains the event has one of them. */
const SUBJECTS = [...NAMES.callId, 'campaign_id', 'agent_id'];
const CALLS = ['call', 'campaign_call', 'campaignCall'];

/** Matches a header with the event type. No signature covers it, so a documented type in the body takes precedence. */
const TYPE_HEADER = /(?:^|-)event(?:-type|-name|-kind)?$/;

/** Matches a header with the ID of the delivery or event. */
const ID_HEADER = /(?:^|-)(?:delivery|delivery-id|event-id)$/;

/** The name of the list of events in a delivery of several events. */
const LIST = 'events';

const objectsIn = (object: IDataObject, names: readonly string[]) =>
	names.map((name) => object[name]).filter(isRecord) as IDataObject[];

/** Returns the objects that may contain the fields of the event itself, the outer first. */
export function envelopesOf(sent: IDataObject): IDataObject[] {
	const levels = [sent, ...objectsIn(sent, INNER)];
	const hasSubject = levels.some((level) =>
		[...SUBJECTS, ...(level === sent ? [] : ['id'])].some((name) => level[name] !== undefined),
	);
	return hasSubject ? levels : [...levels, ...objectsIn(sent, [PAYLOAD])];
}

/** Returns the objects that may contain fields of the call: the result of {@link envelopesOf}, and the calls in it. */
export function levelsOf(sent: IDataObject): IDataObject[] {
	return envelopesOf(sent).flatMap((level) => [level, ...objectsIn(level, CALLS)]);
}

/** Returns the values of a field: first all values under the first name, then all under the next name. */
export function valuesIn(levels: readonly IDataObject[], ...names: string[]): Array<IDataObject[string]> {
	return names.flatMap((name) => levels.map((level) => level[name]).filter((value) => value !== undefined));
}

/** Returns an ID or a time as text; undefined for other values, and for a number that JavaScript has rounded. */
function textOf(value: unknown): string | undefined {
	return Number.isSafeInteger(value) || (typeof value === 'string' && value !== '') ? String(value) : undefined;
}

const firstText = (values: readonly unknown[]) => values.map(textOf).find((text) => text !== undefined);

/** Returns a time in UTC as ISO 8601, or the text unchanged if it cannot be parsed. */
function timeOf(text: string): string {
	const time = timeIn(text);
	return time === undefined ? text : isoOf(time);
}

/** Returns the event type: a documented one at any level and in any case, otherwise the first one. */
function typeOf(levels: readonly IDataObject[], elsewhere: unknown): string {
	const named = [...valuesIn(levels, ...NAMES.type), elsewhere].filter((type) => typeof type === 'string');
	const documented = named.find((type) => DOCUMENTED.test(type));
	return documented?.toLowerCase() ?? named.find((type) => type !== '') ?? '';
}

/** Whether a value says yes. The service publishes neither the fields of its events nor their types. */
function isYes(value: unknown): boolean {
	return value === true || value === 1 || (typeof value === 'string' && /^(?:true|1|yes)$/i.test(value.trim()));
}

/** Returns the event type in the headers of a delivery. */
export function typeInHeaders(headers: Headers): unknown {
	return Object.entries(headers).find(([name]) => TYPE_HEADER.test(name))?.[1];
}

/** Returns the IDs of the delivery or its event in the headers. */
export function idsInHeaders(headers: Headers): string[] {
	const named = Object.entries(headers).filter(([name]) => ID_HEADER.test(name));
	return named.flatMap(([, value]) => (typeof value === 'string' && value !== '' ? [value] : []));
}

/**
 * Reads an event, whatever the names and places of its fields. It never throws; missing fields are left out.
 *
 * @param sent the event as the service sent it
 * @param typeElsewhere the type in its headers or in the service's log, for a body without a type
 */
export function readEvent(sent: IDataObject, typeElsewhere?: unknown): ServiceEvent {
	const outer = envelopesOf(sent);
	const id = firstText(valuesIn(outer, ...NAMES.id));
	const at = firstText(valuesIn(outer, ...NAMES.at, ...NAMES.createdAt));
	const ofCalls = outer.flatMap((level) => objectsIn(level, CALLS)).map((call) => call.id);
	// If the event has its own ID, the ID of an inner object is that of the call.
	const ofInner = outer.slice(1).flatMap((inner) => (textOf(inner.id) === id ? [] : [inner.id]));
	const callId = firstText([...valuesIn(outer, ...NAMES.callId), ...ofCalls, ...ofInner]);
	return {
		type: typeOf(outer, typeElsewhere),
		namesType: typeOf(outer, undefined) !== '',
		isDated: timeIn(firstText(valuesIn(outer, ...NAMES.at))) !== undefined,
		...(id !== undefined && { id }),
		...(at !== undefined && { at: timeOf(at) }),
		...(callId !== undefined && { callId }),
		resumeTokens: findResumeTokens(sent),
		isTest: isMarkedAsTest(sent) || valuesIn(levelsOf(sent), 'is_testing').some(isYes),
		chain: chainIn(sent),
		body: withoutResumeTokens(sent),
	};
}

/**
 * Returns the events in the body of a delivery. The body is an event, a list of events, or an object with such a list.
 * In the last case, each event also gets the other fields of the object, except its IDs, which do not belong to the
 * event.
 *
 * @returns undefined for a body that is neither an object nor a list of objects
 */
export function eventsIn(body: unknown): IDataObject[] | undefined {
	if (Array.isArray(body)) {
		return body.length > 0 && body.every(isRecord) ? (body as IDataObject[]) : undefined;
	}
	if (!isRecord(body)) {
		return undefined;
	}
	const { [LIST]: list, ...shared } = body as IDataObject;
	const inList = eventsIn(Array.isArray(list) ? list : undefined);
	if (inList === undefined || DOCUMENTED.test(typeOf([shared], undefined))) {
		return [body as IDataObject];
	}
	const others = Object.fromEntries(Object.entries(shared).filter(([name]) => !NAMES.id.includes(name)));
	return inList.map((event) => ({ ...others, ...event }));
}
