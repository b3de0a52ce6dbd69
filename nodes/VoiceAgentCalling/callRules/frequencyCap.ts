import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../shared/client/api';
import { PAGE_SIZE, readPage, readWhole, totalIn } from '../../shared/client/pagination';
import type { SendRequest, ServiceRequest } from '../../shared/client/request';
import { toResult, unreadable } from '../../shared/errors/serviceError';
import { withheld } from '../../shared/errors/withheld';
import { groupBy } from '../../shared/lib/collections';
import { quantity } from '../../shared/lib/text';
import { DAY_MS, isoOf, utcDay } from '../../shared/lib/time';
import { parsePhoneNumber } from '../../shared/phoneNumbers/e164';
import { numbersOfPhone, phoneOf } from '../../shared/phoneNumbers/phoneOf';
import type { FrequencyCap } from '../fields/frequencyCap';
import type { BookedCall, CallBook, WantedCall } from './book';
import { campaignState } from './campaign';
import { assertExists } from './findings';
import { type ListedCall, listedCall, matchOwn } from './matchOwn';
import { callsInProcess, thisMoment } from './processCalls';
import type { CallRule } from './rule';

/** How long what was read counts as new. */
const FRESH_MS = 1000;

/** The most retries that a campaign can have. */
const MAX_RETRIES = 10;

const NO_SEARCH =
	"Frequency Cap has read all calls of its days at once, because the service's search does not find a number that it lists. Calls that others place during this run are not seen.";

/** When calls were read. */
interface Reading {
	/** See {@link thisMoment}. */
	moment: number;
	/** By the monotonic clock. */
	at: number;
}

const readingNow = (): Reading => ({ moment: thisMoment(), at: performance.now() });

/** The latest calls that the service lists, read as far as a run needs them. */
export class ListedCalls {
	/** How many days the list goes back. */
	readonly days: number;

	/** Of all phones, or of those in {@link readings}. See {@link phoneOf}. */
	private byPhone = new Map<string, ListedCall[]>();

	/** When the calls of single phones were read last. */
	private readonly readings = new Map<string, Reading>();

	/** When all calls were read last; undefined if only those of single phones are. */
	private readingOfAll: Reading | undefined;

	private how: 'onePage' | 'search' | 'all' = 'onePage';

	private readonly note: Api['note'];

	private constructor(days: number, note: Api['note']) {
		this.days = days;
		this.note = note;
	}

	/**
	 * Finds out how the calls of a phone can be read at the lowest cost: from the only page of the list, by the service's
	 * search, or from all pages.
	 *
	 * @throws ServiceError
	 */
	static async read(api: Api, days: number): Promise<ListedCalls> {
		const calls = new ListedCalls(days, api.note);
		await calls.readPageOrSearch(api.request);
		return calls;
	}

	/** Reads the calls of a phone again. @throws ServiceError if the service does not show all of them */
	async refresh(to: string, read: SendRequest): Promise<void> {
		const phone = phoneOf(to);
		const last = this.readings.get(phone) ?? this.readingOfAll;
		const age = last === undefined ? Number.POSITIVE_INFINITY : performance.now() - last.at;
		if (age >= 0 && age < FRESH_MS) {
			return;
		}
		if (this.how === 'onePage') {
			await this.readPageOrSearch(read);
		}
		if (this.how === 'search') {
			const reading = readingNow();
			const found = await Promise.all(numbersOfPhone(to).map((number) => this.search(number, read)));
			const calls = new Map(found.flat().map((call) => [call.id, call]));
			const ofPhone = [...calls.values()].filter((call) => phonesIn(call).has(phone));
			this.byPhone.set(
				phone,
				ofPhone.map((call) => listedWithTime(call, phone)),
			);
			this.readings.set(phone, reading);
		}
	}

	/** The calls of a phone; undefined if they were not read. */
	to(number: string): readonly ListedCall[] | undefined {
		const phone = phoneOf(number);
		return this.byPhone.get(phone) ?? (this.readingOfAll && []);
	}

	/** When the calls of a phone were read last, see {@link thisMoment}. */
	readAtOf(number: string): number {
		return (this.readings.get(phoneOf(number)) ?? this.readingOfAll)?.moment ?? 0;
	}

	private get request(): ServiceRequest & { query: IDataObject } {
		// The dates are those of a time zone of the service, where it may still be the day before.
		const date_from = utcDay(Date.now() - (this.days + 1) * DAY_MS);
		return { method: 'GET', path: ['calls'], query: { direction: 'outbound', date_from }, repeat: 'safe' };
	}

	private async readPageOrSearch(read: SendRequest): Promise<void> {
		const reading = readingNow();
		const { request } = this;
		const body = await read({ ...request, query: { ...request.query, page: 1, per_page: PAGE_SIZE } });
		const page = readPage(body, dataOf, 1);
		const isWhole = page.next === undefined && !page.cutOff && !(totalIn(body) > page.items.length);
		const canSearch = !isWhole && (await this.canSearch(page.items, read));
		const all = isWhole || canSearch ? page.items : await readWhole(read, request, { items: dataOf });
		// Another item may have found out in the meantime that the list has more pages, and have searched.
		if (this.how !== 'onePage') {
			return;
		}
		if (canSearch) {
			this.byPhone = new Map();
			this.readingOfAll = undefined;
		} else {
			const listed = all
				.filter(isOutbound)
				.flatMap((call) => [...phonesIn(call)].map((phone) => listedWithTime(call, phone)));
			this.byPhone = groupBy(listed, ({ phone }) => phone);
			this.readingOfAll = reading;
		}
		this.how = isWhole ? 'onePage' : canSearch ? 'search' : 'all';
		if (this.how === 'all') {
			this.note(NO_SEARCH);
		}
	}

	/** Whether the search finds a number that is known to be in the list. */
	private async canSearch(calls: readonly IDataObject[], read: SendRequest): Promise<boolean> {
		const known = calls.filter(isOutbound).find(({ to }) => /^\+?\d+$/.test(String(to)));
		if (known === undefined) {
			return false;
		}
		const { value: found = [] } = await toResult(this.search(`+${String(known.to).replace('+', '')}`, read));
		return found.some(({ id, to }) => id === known.id && to === known.to);
	}

	private async search(number: string, read: SendRequest): Promise<IDataObject[]> {
		const { request } = this;
		const found = await readWhole(read, { ...request, query: { ...request.query, search: number } }, { items: dataOf });
		return found.filter(isOutbound);
	}
}

const dataOf = ({ data }: IDataObject) => data;

const isOutbound = ({ direction }: IDataObject) => direction !== 'inbound';

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

/** @throws ServiceError if the call has no time */
function listedWithTime(call: IDataObject, phone: string): ListedCall {
	const listed = listedCall(call, phone);
	if (Number.isNaN(listed.createdAt)) {
		throw unreadable('a call in its list has no time that can be read');
	}
	return listed;
}

/** What is known of the calls that are queued in a campaign. */
interface QueuedCalls {
	/** How often a call can ring. */
	rings: number;
	/** How often the calls that wait can still ring each phone; undefined if they cannot be read. */
	ringsByPhone: ReadonlyMap<string, number> | undefined;
	/** The IDs of the calls that wait. */
	ids: ReadonlySet<unknown>;
	/** When the campaign was read, in milliseconds since 1970. */
	readAt: number;
}

/** How often calls that are queued in campaigns can ring. */
interface Queues {
	/** By ID of the campaign, in lower case. */
	byCampaign: ReadonlyMap<string, QueuedCalls>;
	/** Of the campaign in which the call is to be queued; undefined for a call that an agent places. */
	own: QueuedCalls | undefined;
}

/**
 * Reads the campaign of a call, and those in which this execution has queued calls to its phone.
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

/** Reads what is queued in a campaign, once per run. @throws ServiceError */
async function queuedCalls(api: Api, campaignId: string): Promise<QueuedCalls> {
	return await api.remember(`queued calls of ${campaignId}`, async () => {
		const readAt = Date.now();
		const { maxRetries = MAX_RETRIES, pending } = await campaignState(api, campaignId);
		const rings = 1 + maxRetries;
		const ringsByPhone = new Map<string, number>();
		for (const call of pending ?? []) {
			// A try that is under way counts twice if the list has it already: one too many is safer than one too few.
			const more = Math.max(rings - (Number(call.retries) || 0), 1);
			for (const phone of phonesIn(call)) {
				ringsByPhone.set(phone, (ringsByPhone.get(phone) ?? 0) + more);
			}
		}
		const ids = new Set((pending ?? []).map(({ id }) => id));
		return { rings, ringsByPhone: pending && ringsByPhone, ids, readAt };
	});
}

/** What the rings of a phone are counted from. */
interface Sources {
	book: CallBook;
	listed: ListedCalls;
	queues: Queues;
}

/**
 * When a phone has rung, as the list of the service says it, and rings by own calls that the list does not have; and how
 * often own queued calls can ring it that are not counted elsewhere. Times in milliseconds since 1970.
 */
function ringsOf(call: WantedCall, { book, listed, queues }: Sources): { starts: number[]; queued: number } {
	const phone = book.phoneOf(call.to);
	const inList = (listed.to(call.to) ?? []).map((one) => ({ ...one, phone }));
	const own = book.callsWith(call.credential, call.to);
	const matched = matchOwn(own, inList);
	const ownOf = new Map([...matched].map(([booked, one]) => [one, booked]));
	const isQueued = ({ group }: BookedCall) => group.ownerField === 'campaignId';
	const starts = [
		// The list does not say how long a call was delayed.
		...inList.map((one) => Math.max(one.startedAt, ownOf.get(one)?.startsAt ?? 0)),
		...own.filter((one) => !isQueued(one) && !matched.has(one)).map(({ startsAt }) => startsAt),
	];
	let queued = 0;
	for (const one of own.filter(isQueued)) {
		const campaign = queues.byCampaign.get(one.group.owner);
		const isPending = campaign?.ids.has(one.id) === true;
		const isOver = !isPending && campaign?.ringsByPhone !== undefined && campaign.readAt > one.startsAt + 1000;
		// What is pending in the campaign of this call is counted there.
		const isCounted = isPending ? campaign === queues.own : isOver && matched.has(one);
		queued += isCounted ? 0 : (campaign?.rings ?? 1 + MAX_RETRIES);
	}
	return { starts, queued };
}

/**
 * The rule that a phone is not called more often than a cap allows.
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
		isLimit: true,
		async refresh({ to }, read) {
			await listed.refresh(to, read);
		},
		check({ to }, startsAt, planned) {
			const known = ringsOf(call, { book, listed, queues });
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
			// When as many of them are old enough. Nobody knows when queued calls ring.
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
