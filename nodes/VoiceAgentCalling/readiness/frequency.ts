import type { IDataObject } from 'n8n-workflow';

import { unreadable } from '../../shared/errors/serviceError';
import { quantity } from '../../shared/lib/quantity';
import { parsePhoneNumber } from '../../shared/phoneNumbers/e164';
import { phoneOf } from '../../shared/phoneNumbers/phoneOf';
import { dateIn } from '../../shared/service/rateLimit';
import type { FrequencyCap } from '../fields/frequencyCap';
import type { CallerIdField } from '../operation/operation';
import { Withheld } from '../operation/withheld';
import type { Api } from '../sending/api';
import { campaignState } from './campaign';
import { assertExists } from './findings';
import { DAY_MS } from './wallClock';

/** A call of this run, which the list of the service does not show yet. */
interface OwnCall {
	/** In milliseconds since 1970; undefined for a queued one, whose time is not known. */
	startsAt: number | undefined;
	/** How often the phone may ring. */
	rings: number;
	/** The campaign that shows it in its queue: an earlier try has queued it there. */
	queuedIn?: string;
}

/** The calls that the service lists, and those of this run. */
interface LastCalls {
	/** From how many days the list is. */
	days: number;
	/** When each phone was called, in milliseconds since 1970. See {@link phoneOf}. */
	startsByPhone: ReadonlyMap<string, readonly number[]>;
	/** By phone, then by the check of an item. */
	own: Map<string, Map<object, OwnCall>>;
}

/** A check of one call; it counts as one of this run from `take` to `giveBack`. */
export interface CapCheck {
	/** @param startsAt when the call starts if it is sent now @throws Withheld */
	assert(startsAt: number): void;
	/** As `assert`, and counts the call. @throws Withheld */
	take(startsAt: number): void;
	/** To be called where a call that was counted is not made after all. */
	giveBack(): void;
}

/**
 * Reads the calls of all agents in a number of days, page by page, once per run.
 *
 * @throws ServiceError if the service does not show all of them, with their numbers and times
 */
export async function lastCalls(api: Api, days: number): Promise<LastCalls> {
	const read = await api.remember('last calls', () => readLastCalls(api, days));
	return read.days >= days
		? read
		: { ...(await api.remember(`last calls of ${days} days`, () => readLastCalls(api, days))), own: read.own };
}

async function readLastCalls(api: Api, days: number): Promise<LastCalls> {
	// The dates are those of a time zone of the service, where it may still be the day before.
	const date_from = new Date(Date.now() - (days + 1) * DAY_MS).toISOString().slice(0, 10);
	const startsByPhone = new Map<string, number[]>();
	const count = (call: IDataObject) => {
		for (const phone of call.direction === 'inbound' ? [] : phonesIn(call)) {
			const starts = startsByPhone.get(phone) ?? [];
			startsByPhone.set(phone, starts);
			starts.push(startIn(call));
		}
		// Counted: a long list is not kept.
		return false;
	};
	const query = { direction: 'outbound', date_from };
	await api.whole({ method: 'GET', path: ['calls'], query, repeat: 'safe' }, ({ data }) => data, count);
	return { days, startsByPhone, own: new Map() };
}

/** The phones that a listed call may have rung. @throws ServiceError if that cannot be told */
function phonesIn({ to }: Record<string, unknown>): Set<string> {
	// Digits alone have their country code, too: the service takes no others.
	const [digits] = /^\+?([1-9]\d+)$/.exec(String(to))?.slice(1) ?? [];
	const numbers = digits === undefined ? parsePhoneNumber(to).readings : [`+${digits}`];
	if (numbers.length === 0) {
		throw unreadable('a call in its list has no phone number that can be read');
	}
	return new Set(numbers.map(phoneOf));
}

function startIn({ created_at: created }: IDataObject): number {
	const start = dateIn(created);
	if (start === undefined) {
		throw unreadable('a call in its list has no time that can be read');
	}
	return start;
}

/**
 * Prepares the check that a call does not exceed a cap.
 *
 * @throws ServiceError if the calls or the campaign cannot be read
 */
export async function capCheckOf(
	api: Api,
	callerIdField: CallerIdField,
	{ to, campaignId }: { to: string; campaignId?: string },
	{ atMost, days }: FrequencyCap,
): Promise<CapCheck> {
	const phone = phoneOf(to);
	const { startsByPhone, own } = await lastCalls(api, days);
	const queue = callerIdField === 'campaignId' ? await ringsOf(api, String(campaignId), phone) : undefined;
	const rings = queue?.each ?? 1;
	const token = {};

	const assert = (startsAt: number) => {
		const others = [...(own.get(phone) ?? [])].flatMap(([of, call]) =>
			of === token || (call.queuedIn !== undefined && call.queuedIn === campaignId) ? [] : [call],
		);
		const counted = (start: number) => start > startsAt - days * DAY_MS;
		const starts = [
			...(startsByPhone.get(phone) ?? []),
			...others.flatMap((call) => (call.startsAt === undefined ? [] : [call.startsAt])),
		]
			.filter(counted)
			.sort((one, other) => one - other);
		const queued = others.reduce(
			(sum, call) => sum + (call.startsAt === undefined ? call.rings : 0),
			queue?.pending ?? 0,
		);
		const tooMany = starts.length + queued + rings - atMost;
		if (tooMany <= 0) {
			return;
		}
		// When as many of them are old enough. Nobody knows when queued calls ring.
		const oldest = starts[tooMany - 1];
		const next = oldest === undefined ? null : new Date(oldest + days * DAY_MS).toISOString();
		const per = `${atMost} in ${quantity(days, 'day')}`;
		const what = [
			`the phone was called ${quantity(starts.length, 'time')} in the last ${quantity(days, 'day')}`,
			...(queued > 0 ? [`calls that are queued can ring ${quantity(queued, 'more time')}`] : []),
			...(rings > 1 ? [`this one can ring ${quantity(rings, 'time')} with the retries of its campaign`] : []),
		].join(', ');
		const later = next === null ? 'Waiting alone does not help.' : `The cap allows the call from ${next} on.`;
		const advice = rings > atMost ? `Raise 'At Most', or lower 'Max Retries' of the campaign.` : later;
		throw new Withheld('tooOften', `Not sent: ${what}. Frequency Cap allows ${per}`, advice, next);
	};

	return {
		assert,
		take(startsAt) {
			assert(startsAt);
			ownOf(own, phone).set(token, { startsAt: queue ? undefined : startsAt, rings });
		},
		giveBack: () => void own.get(phone)?.delete(token),
	};
}

/** The calls of this run to a phone, to add one. */
function ownOf(own: LastCalls['own'], phone: string): Map<object, OwnCall> {
	const calls = own.get(phone) ?? new Map<object, OwnCall>();
	own.set(phone, calls);
	return calls;
}

/**
 * Counts a call that an earlier try of this run has queued: the service lists it when the phone rings, not before.
 *
 * @throws ServiceError if the calls or the campaign cannot be read
 */
export async function countQueued(api: Api, days: number, to: string, campaignId: string): Promise<void> {
	const { own } = await lastCalls(api, days);
	const { each: rings } = await ringsOf(api, campaignId, phoneOf(to));
	ownOf(own, phoneOf(to)).set({}, { startsAt: undefined, rings, queuedIn: campaignId });
}

/** How often a call that is queued in a campaign can ring, and those that are queued there already for a phone. */
async function ringsOf(api: Api, campaignId: string, phone: string): Promise<{ each: number; pending: number }> {
	const campaign = await campaignState(api, campaignId);
	assertExists('CAMPAIGN_NOT_FOUND', campaign);
	const { maxRetries, pending } = campaign;
	if (maxRetries === undefined) {
		throw unreadable("without the campaign's number of retries");
	}
	if (pending === undefined) {
		throw unreadable('without all calls of the campaign');
	}
	const ringsByPhone = await api.remember(`queued calls of ${campaignId}`, async () => {
		const rings = new Map<string, number>();
		for (const call of pending) {
			// A try that is under way counts twice if the list has it already: one too many is safer than one too few.
			const more = Math.max(1 + maxRetries - (Number(call.retries) || 0), 1);
			for (const of of phonesIn(call)) {
				rings.set(of, (rings.get(of) ?? 0) + more);
			}
		}
		return rings;
	});
	return { each: 1 + maxRetries, pending: ringsByPhone.get(phone) ?? 0 };
}
