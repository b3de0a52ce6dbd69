import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../shared/client/api';
import { PAGE_SIZE, readPage, readWhole, totalIn } from '../../shared/client/pagination';
import type { SendRequest, ServiceRequest } from '../../shared/client/request';
import { endOf } from '../../shared/client/statuses';
import { toResult, unreadable } from '../../shared/errors/serviceError';
import { groupBy } from '../../shared/lib/collections';
import { DAY_MS, timeIn, utcDay } from '../../shared/lib/time';
import { parsePhoneNumber } from '../../shared/phoneNumbers/e164';
import { numbersOfPhone, phoneOf } from '../../shared/phoneNumbers/phoneOf';
import { MAX_DELAY_MS } from '../operation/call';
import type { BookedCall } from './bookEntries';
import { thisMoment } from './processCalls';

/** How long calls that were read count as fresh. */
const FRESH_MS = 1000;

/** A call in the list of the service. */
interface ListedCall {
	/** The IDs of the call: `id` and `sid`. */
	ids: readonly unknown[];
	/** Identifies the phone, like {@link BookedCall.phone} or by `phoneOf`. */
	phone: string;
	/** In milliseconds since 1970; NaN if it cannot be read. */
	createdAt: number;
	/** The latest time at which the phone can have begun to ring. */
	startedAt: number;
}

/** Reads a call in the list of the service. @param phone identifies its phone: for own calls, the hash in the book */
export function listedCall(call: IDataObject, phone: string): ListedCall {
	const { id, sid, created_at, updated_at, duration, status } = call;
	const createdAt = timeIn(created_at) ?? Number.NaN;
	// A delayed call rings up to an hour after it was created. If it is over, it was updated when it ended, or later.
	const ended = (endOf(status) && timeIn(updated_at)) ?? createdAt + MAX_DELAY_MS;
	const began = ended - (Number(duration) || 0) * 1000;
	const startedAt = Math.min(Math.max(createdAt, began), createdAt + MAX_DELAY_MS);
	return { ids: [id, sid].filter((one) => one !== undefined && one !== null), phone, createdAt, startedAt };
}

/**
 * Finds the calls of a book in the list of the service. A call of an agent has the same ID in both. A queued call is
 * listed under another ID when the phone rings, so it matches at most one later call to its phone.
 *
 * @returns the listed call for each call of the book that was found
 */
export function matchOwnCalls(own: readonly BookedCall[], listed: readonly ListedCall[]): Map<BookedCall, ListedCall> {
	const byId = new Map(listed.flatMap((one) => one.ids.map((id) => [String(id), one] as const)));
	const isQueued = ({ group }: BookedCall) => group.ownerField === 'campaignId';
	const found = new Map<BookedCall, ListedCall>();
	const taken = new Set<ListedCall>();
	for (const call of own) {
		const one = isQueued(call) || call.id === undefined ? undefined : byId.get(call.id);
		if (one !== undefined) {
			found.set(call, one);
			taken.add(one);
		}
	}
	const queued = own.filter(isQueued).sort((one, other) => one.startsAt - other.startsAt);
	const phones = new Set(queued.map(({ phone }) => phone));
	const left = listed
		.filter((one) => phones.has(one.phone) && !taken.has(one))
		.sort((one, other) => one.createdAt - other.createdAt);
	const leftByPhone = groupBy(left, ({ phone }) => phone);
	for (const call of queued) {
		const ofPhone = leftByPhone.get(call.phone) ?? [];
		const index = ofPhone.findIndex(({ createdAt }) => createdAt >= call.startsAt);
		if (index !== -1) {
			found.set(call, ...(ofPhone.splice(index, 1) as [ListedCall]));
		}
	}
	return found;
}

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

	/** The calls of all phones, or of the phones in {@link readings}, by {@link phoneOf}. */
	private byPhone = new Map<string, ListedCall[]>();

	/** When the calls of single phones were read last. */
	private readonly readings = new Map<string, Reading>();

	/** When all calls were read last; undefined if only the calls of single phones are read. */
	private readingOfAll: Reading | undefined;

	private how: 'onePage' | 'search' | 'all' = 'onePage';

	private readonly note: Api['note'];

	private constructor(days: number, note: Api['note']) {
		this.days = days;
		this.note = note;
	}

	/**
	 * Chooses the cheapest way to read the calls of a phone: the only page of the list, the service's search, or all
	 * pages.
	 *
	 * @throws ServiceError
	 */
	static async read(api: Api, days: number): Promise<ListedCalls> {
		const calls = new ListedCalls(days, api.note);
		await calls.readPageOrSearch(api.request);
		return calls;
	}

	/** Reads the calls of a phone again. @throws ServiceError if the service does not return all of them */
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

	/** Returns the calls of a phone; undefined if they were not read. */
	to(number: string): readonly ListedCall[] | undefined {
		const phone = phoneOf(number);
		return this.byPhone.get(phone) ?? (this.readingOfAll && []);
	}

	/** Returns when the calls of a phone were read last, see {@link thisMoment}. */
	readAtOf(number: string): number {
		return (this.readings.get(phoneOf(number)) ?? this.readingOfAll)?.moment ?? 0;
	}

	private get request(): ServiceRequest & { query: IDataObject } {
		// The service's dates are in its own time zone, where it may still be the day before.
		const date_from = utcDay(Date.now() - (this.days + 1) * DAY_MS);
		return { method: 'GET', path: ['calls'], query: { direction: 'outbound', date_from } };
	}

	private async readPageOrSearch(read: SendRequest): Promise<void> {
		const reading = readingNow();
		const { request } = this;
		const body = await read({ ...request, query: { ...request.query, page: 1, per_page: PAGE_SIZE } });
		const page = readPage(body, dataOf, 1);
		const isWhole = page.next === undefined && !page.cutOff && !(totalIn(body) > page.items.length);
		const canSearch = !isWhole && (await this.canSearch(page.items, read));
		const all = isWhole || canSearch ? page.items : await readWhole(read, request, { items: dataOf });
		// Meanwhile another item may have found more pages in the list and switched to the search.
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

/** Returns the phones that a listed call may have rung. @throws ServiceError if its number cannot be read */
export function phonesIn({ to }: Record<string, unknown>): Set<string> {
	// Digits alone include the country code: the service does not accept other numbers.
	const [digits] = /^\+?([1-9]\d+)$/.exec(String(to))?.slice(1) ?? [];
	const numbers = digits === undefined ? parsePhoneNumber(to).readings : [`+${digits}`];
	if (numbers.length === 0) {
		throw unreadable('a call in its list has no phone number that can be read');
	}
	return new Set(numbers.map(phoneOf));
}

/** @throws ServiceError if the time of the call cannot be read */
function listedWithTime(call: IDataObject, phone: string): ListedCall {
	const listed = listedCall(call, phone);
	if (Number.isNaN(listed.createdAt)) {
		throw unreadable('a call in its list has no time that can be read');
	}
	return listed;
}
