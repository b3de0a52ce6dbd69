import type { IDataObject } from 'n8n-workflow';

import { PAGE_SIZE, readPage } from '../../shared/service/pagination';
import type { ServiceRequest } from '../../shared/service/request';

/** What {@link readPages} takes from a listing. */
interface Wanted {
	/** Where the items are in a page's body. */
	items: (body: IDataObject) => unknown;
	/** The most items. */
	limit: number;
	/** Which items count, where the service has no filter for them. */
	keep?: (item: IDataObject) => boolean;
	/** Whether no page after this one has an item that counts. */
	isLast?: (page: readonly IDataObject[]) => boolean;
}

/**
 * Reads a listing page by page until it ends or the limit is reached.
 *
 * @param api sends the requests; a listing that may be cut off adds a note
 * @throws ServiceError
 */
export async function readPages(
	api: { request(request: ServiceRequest): Promise<IDataObject>; notes: Set<string> },
	request: ServiceRequest,
	{ items, limit, keep, isLast }: Wanted,
): Promise<IDataObject[]> {
	const found: IDataObject[] = [];
	// Of what is filtered here, a small page may hold nothing that counts.
	const perPage = keep ? PAGE_SIZE : Math.min(PAGE_SIZE, limit);
	let page: number | undefined = 1;
	while (page !== undefined && found.length < limit) {
		const query: IDataObject = { ...request.query, page, per_page: perPage };
		const read = readPage(await api.request({ ...request, query }), items, page);
		found.push(...(keep ? read.items.filter(keep) : read.items));
		if (read.cutOff && limit > PAGE_SIZE) {
			api.notes.add(`The service lists ${PAGE_SIZE} of these at most and has no further pages: there may be more.`);
		}
		page = isLast?.(read.items) ? undefined : read.next;
	}
	return found.slice(0, limit);
}
