import type { ServiceEvent } from '../../shared/events/event';
import { agentEvents, campaignEvents } from '../../shared/events/eventTypes';
import { isRecord } from '../../shared/lib/json';
import { sha256 } from '../../shared/lib/text';
import type { Owner } from '../../shared/owner';

/** What a delivery has of an event. */
interface Delivered {
	event: ServiceEvent;
	/** As it was sent; as text, if it is one of several in a list. */
	bytes: string | Buffer;
	/** The IDs that headers give to this delivery or its event. Empty if the delivery has several events. */
	headerIds: readonly string[];
}

/** An event as it arrived, and how to tell whether it has arrived before. */
export interface Arrival {
	event: ServiceEvent;
	/** Two arrivals that share one of these names are the same event, if they are of the same owner. */
	names: string[];
	/** Whether the event says when it happened, and to what. If not, a second one can have the same bytes. */
	isUnmistakable: boolean;
}

/** Whether the service documents a type of event. */
function isDocumented(type: string): boolean {
	return [...campaignEvents, ...agentEvents].some(({ value }) => value === type);
}

/** How often a value is in an event, at any depth. */
function countIn(value: unknown, wanted: string): number {
	const inner = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
	const isIt = (typeof value === 'string' || typeof value === 'number') && String(value) === wanted;
	return inner.reduce<number>((count, one) => count + countIn(one, wanted), isIt ? 1 : 0);
}

/** Whether JavaScript may have rounded a number in an event, at any depth: then two events can have the same text. */
function hasRounded(value: unknown): boolean {
	return typeof value === 'object' && value !== null
		? Object.values(value).some(hasRounded)
		: Number.isInteger(value) && !Number.isSafeInteger(value);
}

/**
 * What tells an event from others. An event is its bytes: an ID in its body may be that of anything. The one exception is
 * an ID that a header gives to the delivery or event, if it is in the body exactly once. The body is signed, so nobody can
 * change it; with the type and the call, it is the event's own.
 *
 * @param owner whose event it is
 */
export function identify({ event, bytes, headerIds }: Delivered, { ownerId }: Owner): Arrival {
	const { type: named, namesType, id, isDated, callId, body } = event;
	const ownIds = headerIds.filter((one) => one !== ownerId && one !== callId && countIn(body, one) === 1);
	// No signature covers a type that only a header names: it may make as many events of the same bytes as there are types.
	const type = namesType || isDocumented(named) ? named : '';
	const isAboutCampaign = type.startsWith('campaign.');
	const isAbout = (one: string | undefined) => one !== undefined && one !== ownerId;
	const hasSubject = isAboutCampaign || isAbout(callId) || (isAbout(id) && countIn(body, String(id)) === 1);
	const isExact = typeof bytes !== 'string' || !hasRounded(body);
	return {
		event,
		names: [
			...(isExact ? [JSON.stringify(['bytes', type, sha256(bytes)])] : []),
			...ownIds.map((one) => JSON.stringify(['id', type, callId, one])),
		],
		isUnmistakable: ownIds.length > 0 || (isDated && hasSubject && isExact),
	};
}
