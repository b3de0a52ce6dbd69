import type { IDataObject } from 'n8n-workflow';

import { PAGE_SIZE, pageQuery, readPage } from '../../shared/service/pagination';
import type { ServiceRequest } from '../../shared/service/request';

/** Which items {@link readPages} reads. */
interface Selection {
	/** Returns the items in the body of a page. */
	items: (body: IDataObject) => unknown;
	/** The maximum number of items. */
	limit: number;
	/** Selects items, where the service has no filter for them. */
	keep?: (item: IDataObject) => boolean;
}

/**
 * Reads a listing page by page until it ends or the limit is reached.
 *
 * @param api sends the requests; `notes` gets a note if the listing may be incomplete
 * @returns at most `limit` items
 * @throws ServiceError
 */
export async function readPages(
	api: { request(request: ServiceRequest): Promise<IDataObject>; notes: Set<string> },
	request: ServiceRequest,
	{ items, limit, keep }: Selection,
): Promise<IDataObject[]> {
	const selected: IDataObject[] = [];
	// With a local filter, a small page may have no selected items.
	const perPage = keep ? PAGE_SIZE : Math.min(PAGE_SIZE, limit);
	let page: number | undefined = 1;
	while (page !== undefined && selected.length < limit) {
		const query: IDataObject = { ...request.query, ...pageQuery(request.path, page, perPage) };
		const read = readPage(await api.request({ ...request, query }), items, page);
		selected.push(...(keep ? read.items.filter(keep) : read.items));
		if (read.cutOff && limit > PAGE_SIZE) {
			api.notes.add(`The service returns at most ${PAGE_SIZE} of these and has no further pages: there may be more.`);
		}
		page = read.next;
	}
	return selected.slice(0, limit);
}
