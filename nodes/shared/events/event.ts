import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../lib/json';
import { isoOf, timeIn } from '../lib/time';
import { findResumeTokens, isMarkedAsTest, withoutResumeTokens } from '../triggerSecrets/resumeToken';
import type { Headers } from './signature';

/** An event of the service, read as far as it says something: the service does not publish what its events have. */
export interface ServiceEvent {
	/** Such as `campaign_call.completed`; empty if the event does not name it. */
	type: string;
	/** Whether the event itself names it. No signature covers what a header says. */
	namesType: boolean;
	/** Of whatever it identifies: the event, or what the event is about. */
	id?: string;
	/** In UTC as ISO 8601; as it was sent, if it is not a time that can be read. */
	at?: string;
	/** Whether it says when it happened. The time of a creation can be that of its call or campaign. */
	isDated: boolean;
	callId?: string;
	/** Those of executions that wait for its call, sealed. */
	resumeTokens: unknown[];
	/** Whether its call is a test call, as its mark or the service says. */
	isTest: boolean;
	/** As it was sent, without the resume tokens and the marks of test calls. */
	body: IDataObject;
}

/** A event type that the service documents, or another one that is written so. */
const DOCUMENTED = /^(?:campaign|campaign_call|webhook)\.\w+$|^event_\w+$/i;

/** The names that a field may have, the best first. */
const NAMES = {
	type: ['event', 'type', 'event_type', 'eventType', 'event_name', 'eventName', 'kind'],
	id: ['event_id', 'eventId', 'delivery_id', 'deliveryId', 'id', 'uuid'],
	at: ['timestamp', 'time', 'occurred_at', 'occurredAt'],
	createdAt: ['created_at', 'createdAt'],
	callId: ['call_id', 'callId', 'call_uuid', 'callUuid', 'campaign_call_id', 'campaignCallId', 'call', 'campaign_call'],
};

/** The names of the object that has the event in it, or the call. */
const INNER = ['event', 'data'];

/** The variables of a call have this name, too: they say nothing about the event. */
const PAYLOAD = 'payload';

/** What an event is about: one of these is in the object that has it. */
const SUBJECTS = [...NAMES.callId, 'campaign_id', 'agent_id'];
const CALLS = ['call', 'campaign_call', 'campaignCall'];

/** A header with the type of the event. No signature covers it, so a type that the body names as documented counts first. */
const TYPE_HEADER = /(?:^|-)event(?:-type|-name|-kind)?$/;

/** A header with the ID of the delivery or event. */
const ID_HEADER = /(?:^|-)(?:delivery|delivery-id|event-id)$/;

/** Several events in one delivery. */
const LIST = 'events';

const objectsIn = (object: IDataObject, names: readonly string[]) =>
	names.map((name) => object[name]).filter(isRecord) as IDataObject[];

/** The objects of an event that may have its own fields, the outer first. */
export function envelopesOf(sent: IDataObject): IDataObject[] {
	const levels = [sent, ...objectsIn(sent, INNER)];
	const hasSubject = levels.some((level) =>
		[...SUBJECTS, ...(level === sent ? [] : ['id'])].some((name) => level[name] !== undefined),
	);
	return hasSubject ? levels : [...levels, ...objectsIn(sent, [PAYLOAD])];
}

/** The objects of an event that may have fields of its call: those of {@link envelopesOf}, and in each the call. */
export function levelsOf(sent: IDataObject): IDataObject[] {
	return envelopesOf(sent).flatMap((level) => [level, ...objectsIn(level, CALLS)]);
}

/** The values of a field in some objects: all of the first name, then those of the next one. */
export function valuesIn(levels: readonly IDataObject[], ...names: string[]): Array<IDataObject[string]> {
	return names.flatMap((name) => levels.map((level) => level[name]).filter((value) => value !== undefined));
}

/** An ID or a time as text; undefined for other values, and for a number that JavaScript has rounded. */
function textOf(value: unknown): string | undefined {
	return Number.isSafeInteger(value) || (typeof value === 'string' && value !== '') ? String(value) : undefined;
}

const firstText = (values: readonly unknown[]) => values.map(textOf).find((text) => text !== undefined);

/** A time in UTC, as ISO 8601; as it was sent, if it is not a time that can be read. */
function timeOf(text: string): string {
	const time = timeIn(text);
	return time === undefined ? text : isoOf(time);
}

/** The type: one that is documented, wherever it is and in whatever case; otherwise the first that is named. */
function kindOf(levels: readonly IDataObject[], elsewhere: unknown): string {
	const named = [...valuesIn(levels, ...NAMES.type), elsewhere].filter((kind) => typeof kind === 'string');
	const documented = named.find((type) => DOCUMENTED.test(type));
	return documented?.toLowerCase() ?? named.find((type) => type !== '') ?? '';
}

/** The type that the headers of a delivery name. */
export function typeInHeaders(headers: Headers): unknown {
	return Object.entries(headers).find(([name]) => TYPE_HEADER.test(name))?.[1];
}

/** The IDs that the headers of a delivery give to it, or to its event. */
export function idsInHeaders(headers: Headers): string[] {
	const named = Object.entries(headers).filter(([name]) => ID_HEADER.test(name));
	return named.flatMap(([, value]) => (typeof value === 'string' && value !== '' ? [value] : []));
}

/**
 * Reads an event, whatever its fields are called and where they are. Never fails: what it does not say is left out.
 *
 * @param sent the event as the service sent it
 * @param typeElsewhere the type that its headers or the service's log name, for a body that names none
 */
export function readEvent(sent: IDataObject, typeElsewhere?: unknown): ServiceEvent {
	const outer = envelopesOf(sent);
	const id = firstText(valuesIn(outer, ...NAMES.id));
	const at = firstText(valuesIn(outer, ...NAMES.at, ...NAMES.createdAt));
	const ofCalls = outer.flatMap((level) => objectsIn(level, CALLS)).map((call) => call.id);
	// If the event has an ID of its own, what is in it has that of the call.
	const ofInner = outer.slice(1).flatMap((inner) => (textOf(inner.id) === id ? [] : [inner.id]));
	const callId = firstText([...valuesIn(outer, ...NAMES.callId), ...ofCalls, ...ofInner]);
	return {
		type: kindOf(outer, typeElsewhere),
		namesType: kindOf(outer, undefined) !== '',
		isDated: timeIn(firstText(valuesIn(outer, ...NAMES.at))) !== undefined,
		...(id !== undefined && { id }),
		...(at !== undefined && { at: timeOf(at) }),
		...(callId !== undefined && { callId }),
		resumeTokens: findResumeTokens(sent),
		isTest: isMarkedAsTest(sent) || valuesIn(levelsOf(sent), 'is_testing').includes(true),
		body: withoutResumeTokens(sent),
	};
}

/**
 * The events in the body of a delivery: it is one, or a list of them, or an object with such a list. Each of the list has
 * the other fields of that object, too, but for its IDs: these are not the event's.
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
	if (inList === undefined || DOCUMENTED.test(kindOf([shared], undefined))) {
		return [body as IDataObject];
	}
	const others = Object.fromEntries(Object.entries(shared).filter(([name]) => !NAMES.id.includes(name)));
	return inList.map((event) => ({ ...others, ...event }));
}
