import type { Api } from '../../shared/client/api';
import { unreadable } from '../../shared/errors/serviceError';
import { withheld } from '../../shared/errors/withheld';
import { quantity } from '../../shared/lib/text';
import { DAY_MS, isoOf } from '../../shared/lib/time';
import { phoneOf } from '../../shared/phoneNumbers/phoneOf';
import type { FrequencyCap } from '../fields/frequencyCap';
import type { CallBook } from './book';
import type { BookedCall, WantedCall } from './bookEntries';
import { campaignState } from './campaign';
import { assertExists } from './findings';
import { type ListedCalls, matchOwnCalls, phonesIn } from './listedCalls';
import { callsInProcess } from './processCalls';
import type { CallRule } from './rule';

/** The most retries that a campaign can have. */
const MAX_RETRIES = 10;

/** The calls that are queued in a campaign, as far as known. */
interface QueuedCalls {
	/** How often one call can ring. */
	rings: number;
	/** How often the waiting calls can still ring each phone; undefined if they cannot be read. */
	ringsByPhone: ReadonlyMap<string, number> | undefined;
	/** The IDs of the waiting calls. */
	ids: ReadonlySet<unknown>;
	/** When the campaign was read, in milliseconds since 1970. */
	readAt: number;
}

/** How often calls that are queued in campaigns can ring. */
interface Queues {
	/** By ID of the campaign, in lower case. */
	byCampaign: ReadonlyMap<string, QueuedCalls>;
	/** The campaign in which the call is to be queued; undefined for a call that an agent places. */
	own: QueuedCalls | undefined;
}

/**
 * Reads the campaign of a call, and the campaigns in which this execution has queued calls to its phone.
 *
 * @param campaignId in which the call is to be queued; undefined for a call that an agent places
 * @throws ServiceError
 */
async function readQueues(api: Api, book: CallBook, call: WantedCall, campaignId: string | undefined): Promise<Queues> {
	const byCampaign = new Map<string, QueuedCalls>();
	for (const { group } of book.callsWith(call.credential, call.to)) {
		if (group.ownerField === 'campaignId' && group.owner !== campaignId?.toLowerCase()) {
			byCampaign.set(group.owner, await queuedCalls(api, group.owner));
		}
	}
	if (campaignId === undefined) {
		return { byCampaign, own: undefined };
	}
	const state = await campaignState(api, campaignId);
	assertExists('CAMPAIGN_NOT_FOUND', state);
	if (state.maxRetries === undefined) {
		throw unreadable("without the campaign's number of retries");
	}
	const own = await queuedCalls(api, campaignId);
	if (own.ringsByPhone === undefined) {
		throw unreadable('without all calls of the campaign');
	}
	return { byCampaign: byCampaign.set(campaignId.toLowerCase(), own), own };
}

/** Reads the calls that are queued in a campaign, once per run. @throws ServiceError */
async function queuedCalls(api: Api, campaignId: string): Promise<QueuedCalls> {
	return await api.remember(`queued calls of ${campaignId}`, async () => {
		const readAt = Date.now();
		const { maxRetries = MAX_RETRIES, pending } = await campaignState(api, campaignId);
		const rings = 1 + maxRetries;
		const ringsByPhone = new Map<string, number>();
		for (const call of pending ?? []) {
			// An attempt in progress counts twice if it is in the list already: one too many is safer than one too few.
			const more = Math.max(rings - (Number(call.retries) || 0), 1);
			for (const phone of phonesIn(call)) {
				ringsByPhone.set(phone, (ringsByPhone.get(phone) ?? 0) + more);
			}
		}
		const ids = new Set((pending ?? []).map(({ id }) => id));
		return { rings, ringsByPhone: pending && ringsByPhone, ids, readAt };
	});
}

/** The sources from which the rings of a phone are counted. */
interface Sources {
	book: CallBook;
	listed: ListedCalls;
	queues: Queues;
}

/**
 * Returns when a phone has rung or rings, by the list of the service and by own calls that are missing in the list
 * (milliseconds since 1970), and how often own queued calls that are not counted elsewhere can ring it.
 */
function countRings(call: WantedCall, { book, listed, queues }: Sources): { starts: number[]; queued: number } {
	const phone = book.phoneOf(call.to);
	const inList = (listed.to(call.to) ?? []).map((one) => ({ ...one, phone }));
	const own = book.callsWith(call.credential, call.to);
	const matched = matchOwnCalls(own, inList);
	const ownOf = new Map([...matched].map(([booked, one]) => [one, booked]));
	const isQueued = ({ group }: BookedCall) => group.ownerField === 'campaignId';
	const starts = [
		// The list does not show how long a call was delayed.
		...inList.map((one) => Math.max(one.startedAt, ownOf.get(one)?.startsAt ?? 0)),
		...own.filter((one) => !isQueued(one) && !matched.has(one)).map(({ startsAt }) => startsAt),
	];
	let queued = 0;
	for (const one of own.filter(isQueued)) {
		const campaign = queues.byCampaign.get(one.group.owner);
		const isPending = campaign?.ids.has(one.id) === true;
		const isOver = !isPending && campaign?.ringsByPhone !== undefined && campaign.readAt > one.startsAt + 1000;
		// Pending calls in the campaign of this call are counted there.
		const isCounted = isPending ? campaign === queues.own : isOver && matched.has(one);
		queued += isCounted ? 0 : (campaign?.rings ?? 1 + MAX_RETRIES);
	}
	return { starts, queued };
}

/**
 * Makes the rule that a phone is not called more often than a cap allows.
 *
 * @param campaignId in which the call is to be queued; undefined for a call that an agent places
 * @throws ServiceError if the calls or the campaign cannot be read
 */
export async function capRule(
	api: Api,
	book: CallBook,
	call: WantedCall,
	{ cap: { atMost, days }, campaignId, listed }: { cap: FrequencyCap; campaignId?: string; listed: ListedCalls },
): Promise<CallRule> {
	const queues = await readQueues(api, book, call, campaignId);
	const rings = queues.own?.rings ?? 1;
	const others = callsInProcess(call.credential);
	return {
		dependsOnOtherCalls: true,
		async refresh({ to }, read) {
			await listed.refresh(to, read);
		},
		check({ to }, startsAt, planned) {
			const known = countRings(call, { book, listed, queues });
			const ahead = planned.to(call);
			const isQueued = (one: WantedCall) => one.ownerField === 'campaignId';
			const meanwhile = others.since(listed.readAtOf(to), book).filter(({ phone }) => phone === phoneOf(to));
			const starts = [
				...known.starts,
				...meanwhile.map(({ sentAt }) => sentAt),
				...ahead.flatMap((one) => (isQueued(one.call) ? [] : [one.startsAt])),
			]
				.filter((start) => start > startsAt - days * DAY_MS)
				.sort((one, other) => one - other);
			const queued =
				(queues.own?.ringsByPhone?.get(phoneOf(to)) ?? 0) +
				known.queued +
				ahead
					.filter((one) => isQueued(one.call))
					.reduce((sum, one) => sum + (queues.byCampaign.get(one.call.owner)?.rings ?? 1 + MAX_RETRIES), 0);
			const tooMany = starts.length + queued + rings - atMost;
			if (tooMany <= 0) {
				return undefined;
			}
			// The call is allowed when that many calls are old enough. It is unknown when queued calls ring.
			const oldest = starts[tooMany - 1];
			const next = oldest === undefined ? null : isoOf(oldest + days * DAY_MS);
			const what = [
				`the phone was called ${quantity(starts.length, 'time')} in the last ${quantity(days, 'day')}`,
				...(queued > 0 ? [`calls that are queued can ring ${quantity(queued, 'more time')}`] : []),
				...(rings > 1 ? [`this one can ring ${quantity(rings, 'time')} with the retries of its campaign`] : []),
			].join(', ');
			const later = next === null ? 'Waiting alone does not help.' : `The cap allows the call from ${next} on.`;
			const advice = rings > atMost ? `Raise 'At Most', or lower 'Max Retries' of the campaign.` : later;
			const allowed = `Frequency Cap allows ${atMost} in ${quantity(days, 'day')}`;
			return withheld('tooOften', `${what}. ${allowed}`, advice, next);
		},
	};
}
