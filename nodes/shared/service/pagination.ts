import type { IDataObject } from 'n8n-workflow';

import { unreadable } from '../errors/serviceError';
import { isRecord } from '../lib/isRecord';
import { messageIn } from './refusals';

/** The maximum number of items on a page of the service. */
export const PAGE_SIZE = 100;

/** The items in a page of a campaign's webhooks, for {@link readPage}. */
export function webhooksIn({ data }: IDataObject): unknown {
	return isRecord(data) ? data.webhooks : undefined;
}

/** An event type that the service offers, with its description if there is one. */
type OfferedEvent = [event: string, description: string | undefined];

/** The event types that the service offers, in a page of webhooks: a list, or an object with descriptions by type. */
export function offeredEventsIn({ data }: IDataObject): OfferedEvent[] {
	const offered = isRecord(data) ? data.available_events : undefined;
	if (Array.isArray(offered)) {
		return offered.map((event) => [String(event), undefined]);
	}
	const described = Object.entries(isRecord(offered) ? offered : {});
	return described.map(([event, text]) => [event, typeof text === 'string' && text !== '' ? text : undefined]);
}

/** The last segments of the listings whose query has `page` and `per_page` in the documentation. */
const PAGED: readonly unknown[] = ['agents', 'calls', 'campaigns', 'logs'];

/**
 * The query that asks for a page. A listing that does not document its parameters may refuse them, so it is asked without
 * them, and for a further page only if the first says that there is one.
 *
 * @param path of the listing
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
	 * True if there may be more: for a listing without pages that returned {@link PAGE_SIZE} items, and for one that does
	 * not say which page is the last.
	 */
	cutOff?: boolean;
}

/**
 * Reads one page. The service numbers pages from 1 and gives the last one in `meta` (agents) or `pagination` (all
 * others); a listing with neither has one page.
 *
 * @param items returns the list of items in the body
 * @param page the number of this page
 * @throws ServiceError `UNREADABLE_ANSWER` where there is no list
 */
export function readPage(body: IDataObject, items: (body: IDataObject) => unknown, page: number): Page {
	const listed = items(body);
	if (!Array.isArray(listed)) {
		throw unreadable(messageIn(body) ?? 'without a list');
	}
	const list = listed.filter(isRecord) as IDataObject[];
	const paging = pagingOf(body);
	if (paging === undefined) {
		return { items: list, cutOff: list.length === PAGE_SIZE };
	}
	// A listing that does not know the parameter returns its first page again.
	const isFirstAgain = page > 1 && Number(paging.current_page) === 1;
	if (list.length === 0 || isFirstAgain) {
		return { items: [] };
	}
	const last = lastPage(paging);
	if (Number.isNaN(last)) {
		return { items: list, cutOff: true };
	}
	return page < last ? { items: list, next: page + 1 } : { items: list };
}

/** The number of a listing's last page; 1 for a listing without pages. @param body of any page */
export function lastPageOf(body: IDataObject): number {
	const paging = pagingOf(body);
	return paging === undefined ? 1 : Math.max(lastPage(paging) || 1, 1);
}

/** How many items a listing has on all pages. @param body of any page */
export function totalIn(body: IDataObject): number {
	const total = Number(pagingOf(body)?.total);
	return Number.isFinite(total) ? total : [body.data].flat().length;
}

function pagingOf(body: IDataObject): Record<string, unknown> | undefined {
	return [body.meta, body.pagination].find(isRecord);
}

function lastPage({ last_page: last, total, per_page: size }: Record<string, unknown>): number {
	return Number(last ?? Math.ceil(Number(total) / Number(size)));
}
