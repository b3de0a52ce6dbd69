import type { IDataObject } from 'n8n-workflow';

import { ServiceError, unreadable } from '../errors/serviceError';
import { isRecord } from '../lib/json';
import { listIn } from './forms';
import { messageIn } from './refusals';
import type { SendRequest, ServiceRequest } from './request';

/** The maximum number of items on a page of the service. */
export const PAGE_SIZE = 100;

/** Returns the items in a page of a campaign's webhooks, for {@link readPage}. */
export function webhooksIn({ data, webhooks }: IDataObject): unknown {
	return isRecord(data) ? data.webhooks : webhooks;
}

/** An event type that the service offers, with its description if it has one. */
type OfferedEvent = [event: string, description: string | undefined];

/** Returns the event types that a page of webhooks offers, as a list or as an object with descriptions by type. */
export function offeredEventsIn({ data }: IDataObject): OfferedEvent[] {
	const offered = isRecord(data) ? data.available_events : undefined;
	if (Array.isArray(offered)) {
		return offered.map((event) => [String(event), undefined]);
	}
	const described = Object.entries(isRecord(offered) ? offered : {});
	return described.map(([event, text]) => [event, typeof text === 'string' && text !== '' ? text : undefined]);
}

/** The last path segments of the listings for which the API documentation lists `page` and `per_page`. */
const PAGED: readonly unknown[] = ['agents', 'calls', 'campaigns', 'logs'];

/**
 * Returns the query for a page. A listing may refuse parameters that it does not document, so its first page is
 * requested without them, and further pages only if the first one announces them.
 *
 * @param path the path of the listing
 */
export function pageQuery(path: readonly string[], page: number, per_page: number): IDataObject {
	const last = path.at(-1);
	if (PAGED.includes(last)) {
		return { page, per_page };
	}
	return { ...(last === 'calendars' && { per_page }), ...(page > 1 && { page }) };
}

/** One page of a listing. */
export interface Page {
	items: IDataObject[];
	/** The number of the next page; absent on the last one. */
	next?: number;
	/**
	 * True if the list has, or may have, items that cannot be read: a page before the last one is empty or repeats the
	 * first, the next page lacks a number, or a list without pages contains {@link PAGE_SIZE} items.
	 */
	cutOff?: boolean;
}

/**
 * Reads one page. The service numbers pages from 1 and returns the last number in `meta` (agents) or `pagination` (all
 * other listings). A listing with neither has one page.
 *
 * @param items returns the list of items in the body
 * @param page the number of this page
 * @throws ServiceError `UNREADABLE_ANSWER` if the body contains no list
 */
export function readPage(body: IDataObject, items: (body: IDataObject) => unknown, page: number): Page {
	const listed = listIn(items(body), body);
	if (listed === undefined) {
		throw unreadable(messageIn(body) ?? 'without a list');
	}
	const list = listed.filter(isRecord) as IDataObject[];
	const paging = pagingOf(body);
	const last = paging === undefined ? Number.NaN : lastPage(paging);
	if (Number.isNaN(last)) {
		const total = Number(paging?.total ?? Number.NaN);
		const isFull = paging !== undefined || list.length === PAGE_SIZE;
		return { items: list, cutOff: hasNext(body) ?? (Number.isNaN(total) ? isFull : list.length < total) };
	}
	// A listing that does not support the parameter returns its first page again.
	const isFirstAgain = page > 1 && Number(paging?.current_page) === 1;
	if (list.length === 0 || isFirstAgain) {
		return { items: [], cutOff: isFirstAgain || page < last };
	}
	return page < last ? { items: list, next: page + 1 } : { items: list };
}

/** Which items {@link readListing} reads. */
export interface Selection {
	/** Returns the items in the body of a page. */
	items: (body: IDataObject) => unknown;
	/** The maximum number of items. */
	limit: number;
	/** Selects items by a criterion for which the service lacks a filter. */
	keep?: (item: IDataObject) => boolean;
}

/** The part of a listing that the service returned. */
interface ShownListing {
	items: IDataObject[];
	/** True if items are missing, or may be, for another reason than the limit. */
	cutOff: boolean;
}

/**
 * Reads a listing page by page until it ends or the limit is reached.
 *
 * @returns at most `limit` items, each once
 * @throws ServiceError
 */
export async function readListing(
	sendRequest: SendRequest,
	request: ServiceRequest,
	{ items, limit, keep }: Selection,
): Promise<ShownListing> {
	const selected: IDataObject[] = [];
	// With a local filter, a small page might contain no selected items.
	const perPage = keep ? PAGE_SIZE : Math.min(PAGE_SIZE, limit);
	const seen = new Set<unknown>();
	let count = 0;
	let total = Number.POSITIVE_INFINITY;
	let cutOff = false;
	for (let page: number | undefined = 1; page !== undefined && selected.length < limit; ) {
		const query: IDataObject = { ...request.query, ...pageQuery(request.path, page, perPage) };
		const body = await sendRequest({ ...request, query });
		const read = readPage(body, items, page);
		// An item that is added or removed during the read moves other items to another page. A listing that does not
		// support the parameter returns the same items again.
		const others = read.items.filter(({ id }) => !seen.has(id));
		for (const { id } of others.filter((item) => item.id !== undefined)) {
			seen.add(id);
		}
		selected.push(...(keep ? others.filter(keep) : others));
		count += others.length;
		// Items that are added or removed during the read do not count as missing.
		const totalNow = Number(pagingOf(body)?.total ?? 0);
		const isStuck: boolean = page > 1 && others.length === 0 && !(totalNow > total);
		total = Math.min(total, totalNow);
		cutOff = read.cutOff === true || isStuck;
		page = isStuck ? undefined : read.next;
	}
	return { items: selected.slice(0, limit), cutOff: selected.length < limit && (cutOff || count < total) };
}

/**
 * Reads a listing on which a decision depends, such as whether something exists.
 *
 * @returns all its items
 * @throws ServiceError `UNREADABLE_ANSWER` if the service does not return all items
 */
export async function readWhole(
	sendRequest: SendRequest,
	request: ServiceRequest,
	{ limit = Number.POSITIVE_INFINITY, ...selection }: Omit<Selection, 'limit'> & Partial<Selection>,
): Promise<IDataObject[]> {
	const { items, cutOff } = await readListing(sendRequest, request, { limit, ...selection });
	if (cutOff) {
		throw incompleteList('The service shows only a part of a list of which the node needs all');
	}
	return items;
}

/** Creates the error for a listing that the service returns only in part. */
export function incompleteList(what: string): ServiceError {
	return new ServiceError(what, {
		code: 'UNREADABLE_ANSWER',
		advice:
			"Run this again. If that does not help, check any proxy between n8n and the service: it must pass on the query parameter 'page'.",
		accepted: 'unknown',
	});
}

/** Returns the number of a listing's last page; 1 for a listing without pages. @param body the body of any page */
export function lastPageOf(body: IDataObject): number {
	const paging = pagingOf(body);
	return paging === undefined ? 1 : Math.max(lastPage(paging) || 1, 1);
}

/** Returns the number of items on all pages of a listing; NaN if it is not stated. @param body the body of any page */
export function totalIn(body: IDataObject): number {
	const total = pagingOf(body)?.total;
	return typeof total === 'number' ? total : Number.NaN;
}

/** Returns the objects in which a listing may describe its pages: the body, and the object that contains the items. */
function levelsOf(body: IDataObject): Array<Record<string, unknown>> {
	return [body, body.data].filter(isRecord);
}

/** Returns the object that numbers the pages of a listing, if they are numbered. */
function pagingOf(body: IDataObject): Record<string, unknown> | undefined {
	const levels = levelsOf(body);
	const named = levels.flatMap(({ meta, pagination }) => [meta, pagination]).filter(isRecord);
	const isPaging = (level: object) => Object.keys(level).some((key) => /page|total/.test(key));
	return named.find(isPaging) ?? levels.find((level) => 'last_page' in level);
}

/** Members by which a listing without page numbers indicates a further page. */
const NEXT = ['next', 'next_page_url', 'next_cursor', 'has_more'];

/** Whether a listing indicates a further page; undefined if it does not state either. */
function hasNext(body: IDataObject): boolean | undefined {
	const places = levelsOf(body)
		.flatMap((level) => [level, level.links, level.meta, level.pagination])
		.filter(isRecord);
	const stated = places.flatMap((place) => NEXT.filter((key) => key in place).map((key) => Boolean(place[key])));
	return stated.length === 0 ? undefined : stated.includes(true);
}

function lastPage({ last_page: last, total, per_page: size }: Record<string, unknown>): number {
	return Number(last ?? Math.ceil(Number(total) / Number(size)));
}

/**
 * Reads a listing page by page until it ends or the limit is reached.
 *
 * @param api sends the requests; a note is added to `notes` if the listing may be incomplete
 * @returns at most `limit` items
 * @throws ServiceError
 */
export async function readPages(
	api: { request: SendRequest; notes: Set<string> },
	request: ServiceRequest,
	selection: Selection,
): Promise<IDataObject[]> {
	const { items, cutOff } = await readListing(api.request, request, selection);
	if (cutOff) {
		api.notes.add('The service shows only a part of this list, and no further page: there may be more.');
	}
	return items;
}
