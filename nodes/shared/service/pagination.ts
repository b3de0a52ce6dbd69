import type { IDataObject } from 'n8n-workflow';

import { unreadable } from '../errors/serviceError';
import { isRecord } from '../lib/isRecord';
import { messageIn } from './refusals';

/** The most that a page of the service holds. */
export const PAGE_SIZE = 100;

/** Where the listing of a campaign's webhooks has them ("Campaign webhooks"). */
export function webhooksIn({ data }: IDataObject): unknown {
	return isRecord(data) ? data.webhooks : undefined;
}

/** One page of a listing. */
export interface Page {
	items: IDataObject[];
	/** The number of the next page; absent on the last one. */
	next?: number;
	/** True where a listing without pages gave as much as a page can hold: there may be more. */
	cutOff?: boolean;
}

/**
 * Reads one page. The service numbers pages from 1 and tells the last one in `meta` (agents) or in
 * `pagination` (the rest); a listing with neither has one page.
 *
 * @param items where the items are in the body
 * @throws ServiceError when there is no list
 */
export function readPage(body: IDataObject, items: (body: IDataObject) => unknown, page: number): Page {
	const found = items(body);
	if (!Array.isArray(found)) {
		throw unreadable(messageIn(body) ?? 'without a list');
	}
	const list = found.filter(isRecord) as IDataObject[];
	const marks = marksOf(body);
	if (marks === undefined) {
		return { items: list, cutOff: list.length === PAGE_SIZE };
	}
	if (list.length === 0) {
		return { items: list };
	}
	return page < lastPage(marks) ? { items: list, next: page + 1 } : { items: list };
}

/** The number of a listing's last page; 1 where it has no pages. */
export function lastPageOf(body: IDataObject): number {
	const marks = marksOf(body);
	return marks === undefined ? 1 : Math.max(lastPage(marks) || 1, 1);
}

function marksOf(body: IDataObject): Record<string, unknown> | undefined {
	return [body.meta, body.pagination].find(isRecord);
}

function lastPage({ last_page: last, total, per_page: size }: Record<string, unknown>): number {
	return Number(last ?? Math.ceil(Number(total) / Number(size)));
}
